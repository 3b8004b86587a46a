//! A file to take away, as an answer that browsers save and never open.

use std::fs::File;

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
    account::administration::PersonFile,
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
    let content = (file.content, file.length);
    let mut response = from_disk(content, &file.file_name, file.content_type);
    let headers = response.headers_mut();
    headers.insert(DOCUMENTS, HeaderValue::from(file.documents));
    headers.insert(SPANS, HeaderValue::from(file.spans));
    headers.insert(LEFT_OUT, HeaderValue::from(file.left_out));
    headers.insert(CHANGED, HeaderValue::from(file.changed));
    if let Ok(link) = HeaderValue::try_from(losses) {
        headers.insert(LINK, link);
    }
    response
}

/// The answer that carries an audit trail.
pub(in crate::rest) fn download_lines(file: AuditFile) -> Response {
    from_disk((file.content, file.length), &file.file_name, "application/jsonl")
}

/// The answer that carries everything of a person.
pub(in crate::rest) fn download_person(file: PersonFile) -> Response {
    from_disk((file.content, file.length), &file.file_name, "application/json")
}

/// An answer with a file of this length, read from the disk as it is sent.
fn from_disk(
    (content, length): (File, u64),
    file_name: &str,
    content_type: &'static str,
) -> Response {
    let stream = ReaderStream::new(tokio::fs::File::from_std(content));
    let mut response = attached(Body::from_stream(stream), file_name, content_type);
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
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
