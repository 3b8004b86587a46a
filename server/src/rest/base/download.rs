//! A file to take away, as an answer that browsers save and never open.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use domain::{ExportQuery, ProjectId};
use http::{
    HeaderName, HeaderValue,
    header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LINK},
};
use services::{
    document::export::{Export, ExportFile},
    outside::audit::AuditFile,
};
use tokio_util::io::ReaderStream;

/// How many spans and other things are missing from the file.
const LEFT_OUT: HeaderName = HeaderName::from_static("x-concord-left-out");

/// How many documents and spans the file has.
const DOCUMENTS: HeaderName = HeaderName::from_static("x-concord-documents");
const SPANS: HeaderName = HeaderName::from_static("x-concord-spans");

/// How many things the file has in another way than they are.
const CHANGED: HeaderName = HeaderName::from_static("x-concord-changed");

/// The answer that carries the file.
pub(in crate::rest) fn download(file: Export) -> Response {
    let mut response = attached(Body::from(file.body), &file.file_name, file.content_type);
    response.headers_mut().insert(LEFT_OUT, HeaderValue::from(file.losses.len()));
    response
}

/// The answer that carries an export, read from the disk as it is sent, with a link to what is not in
/// it.
pub(in crate::rest) fn download_file(
    project: ProjectId,
    query: ExportQuery,
    file: ExportFile,
) -> Response {
    let ExportQuery { what, format, documents } = query;
    let losses = format!(
        "</api/v1/projects/{project}/exports/losses?what={what}&format={format}\
         &documents={documents}>; rel=\"describedby\""
    );
    let stream = ReaderStream::new(tokio::fs::File::from_std(file.content));
    let mut response = attached(Body::from_stream(stream), &file.file_name, file.content_type);
    let headers = response.headers_mut();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(file.length));
    headers.insert(DOCUMENTS, HeaderValue::from(file.documents));
    headers.insert(SPANS, HeaderValue::from(file.spans));
    headers.insert(LEFT_OUT, HeaderValue::from(file.left_out));
    headers.insert(CHANGED, HeaderValue::from(file.changed));
    if let Ok(link) = HeaderValue::try_from(losses) {
        headers.insert(LINK, link);
    }
    response
}

/// The answer that carries an audit trail, read from the disk as it is sent.
pub(in crate::rest) fn download_lines(file: AuditFile) -> Response {
    let stream = ReaderStream::new(tokio::fs::File::from_std(file.content));
    let body = Body::from_stream(stream);
    let mut response = attached(body, &file.file_name, "application/jsonl");
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(file.length));
    response
}

/// An answer that is kept under a name.
fn attached(body: Body, file_name: &str, content_type: &'static str) -> Response {
    let disposition = format!("attachment; filename=\"{}\"", safe(file_name));
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(
        CONTENT_DISPOSITION,
        HeaderValue::try_from(disposition).unwrap_or(HeaderValue::from_static("attachment")),
    );
    response
}

/// The name with everything replaced that a header or a file system could take for more than a
/// part of a name.
fn safe(name: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = name.chars().map(|c| if is_safe(c) { c } else { '_' }).collect();
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_cannot_leave_its_header_or_its_folder() {
        assert_eq!(safe("gold-3.jsonl"), "gold-3.jsonl");
        assert_eq!(safe("../a\"; x=\r\n.csv"), "_a___x___.csv");
        assert_eq!(safe(".bashrc"), "bashrc");
    }
}
