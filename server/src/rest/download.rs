//! A file to take away, as an answer that browsers save and never open.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{
    HeaderName, HeaderValue,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use services::exporting::Export;

/// How many spans or tokens the format could not hold.
const LEFT_OUT: HeaderName = HeaderName::from_static("x-concord-left-out");

/// The answer that carries the file.
pub(super) fn download(file: Export) -> Response {
    let disposition = format!("attachment; filename=\"{}\"", safe(&file.file_name));
    let mut response = Body::from(file.body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    headers.insert(
        CONTENT_DISPOSITION,
        HeaderValue::try_from(disposition).unwrap_or(HeaderValue::from_static("attachment")),
    );
    headers.insert(LEFT_OUT, HeaderValue::from(file.losses.len()));
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
