//! Refuses text with a NUL (U+0000) in the address or the body of a request: PostgreSQL does not store one. A body is
//! searched as it comes, in the way that its texts are written, so that whatever reads it gets none.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Error, nul_refusal};
use http::{HeaderMap, Uri, header::CONTENT_TYPE, uri::PathAndQuery};
use http_body::{Frame, SizeHint};
use memchr::{memchr, memchr2, memmem};

use super::access::gate::refused_call;
use crate::site::problem::Problem;

/// Answers a request without a NUL in it. Functions read their input as what they are made for, whatever it is said to
/// be; those that are named here read JSON, all others a form.
pub(crate) async fn refuse_nul(json_functions: &[&str], request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    if is_in_address(request.uri()) {
        return refused(&path);
    }
    let written = if path.starts_with("/scim/") {
        // Whom a directory shuts out is out whatever else it says: its texts are checked where they are read.
        None
    } else if !path.starts_with("/fn/") {
        Written::of_type(request.headers())
    } else if json_functions.contains(&path.as_str()) {
        Some(Written::Json)
    } else {
        Some(Written::Form)
    };
    let Some(written) = written else { return next.run(request).await };
    let found = Arc::<AtomicBool>::default();
    let request = request.map(|inner| {
        let search = Search::in_text(written);
        Body::new(Searched { inner, search, found: Arc::clone(&found) })
    });
    let response = next.run(request).await;
    if found.load(Ordering::Relaxed) { refused(&path) } else { response }
}

/// Whether a text of JSON has strings with a NUL.
pub(crate) fn is_in_json(text: &str) -> bool {
    Search::in_text(Written::Json).finds(text.as_bytes())
}

fn is_in_address(uri: &Uri) -> bool {
    let address = uri.path_and_query().map(PathAndQuery::as_str).unwrap_or_default();
    memmem::find(address.as_bytes(), b"%00").is_some()
}

fn refused(path: &str) -> Response {
    let refusal: Error = nul_refusal("request");
    if path.starts_with("/fn/") {
        return refused_call(path, refusal);
    }
    Problem::from(refusal).into_response()
}

/// How texts are written in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// A NUL is `%00`.
    Form,
    /// A NUL is `\u0000`; as a byte, no reader of JSON takes it.
    Json,
}

impl Written {
    /// As the head of a request says; none for other kinds, whose readers search what they read.
    fn of_type(headers: &HeaderMap) -> Option<Self> {
        let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?.split(';').next()?.trim();
        let kind = kind.to_ascii_lowercase();
        if kind == "application/x-www-form-urlencoded" {
            Some(Self::Form)
        } else if kind == "application/json" || kind.ends_with("+json") {
            Some(Self::Json)
        } else {
            None
        }
    }
}

/// A search for a NUL in a text that comes in pieces.
struct Search {
    written: Written,
    /// How many bytes of a written NUL the text has just had.
    had: usize,
}

impl Search {
    const fn in_text(written: Written) -> Self {
        Self { written, had: 0 }
    }

    /// Whether a NUL ends in the next piece.
    fn finds(&mut self, mut piece: &[u8]) -> bool {
        loop {
            if self.had == 0 {
                let next = match self.written {
                    Written::Form => memchr2(b'%', 0, piece),
                    Written::Json => memchr(b'\\', piece),
                };
                let Some(at) = next else { return false };
                piece = piece.get(at..).unwrap_or_default();
            }
            let Some((&byte, rest)) = piece.split_first() else { return false };
            piece = rest;
            self.had = match (self.written, self.had, byte) {
                (Written::Form, _, 0) | (Written::Form, 2, b'0') | (Written::Json, 5, b'0') => {
                    return true;
                }
                // A backslash that is escaped begins nothing.
                (Written::Form, _, b'%') | (Written::Json, 0 | 2..=5, b'\\') => 1,
                (Written::Form, 1, b'0') | (Written::Json, 1, b'u') => 2,
                (Written::Json, had @ 2..=4, b'0') => had + 1,
                _ => 0,
            };
        }
    }
}

/// A body that breaks off at a NUL.
struct Searched {
    inner: Body,
    search: Search,
    found: Arc<AtomicBool>,
}

impl HttpBody for Searched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let frame = ready!(Pin::new(&mut this.inner).poll_frame(context));
        let piece = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
        if piece.is_some_and(|piece| this.search.finds(piece)) {
            this.found.store(true, Ordering::Relaxed);
            let error = std::io::Error::from(std::io::ErrorKind::InvalidData);
            return Poll::Ready(Some(Err(axum::Error::new(error))));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a NUL is found in a text, however that is cut into two pieces.
    fn is_found(written: Written, text: &str) -> bool {
        let found: Vec<bool> = (0..=text.len())
            .map(|cut| {
                let (first, second) = text.as_bytes().split_at(cut);
                let mut search = Search::in_text(written);
                search.finds(first) || search.finds(second)
            })
            .collect();
        assert!(found.iter().all(|each| *each == found[0]), "{text:?}: {found:?}");
        found[0]
    }

    #[test]
    fn a_nul_is_found_as_it_is_written_and_nothing_else_is_taken_for_one() {
        for with in ["a=%00", "a=b%00c", "a%00=", "%%00", "%0%00", "a=\0"] {
            assert!(is_found(Written::Form, with), "{with:?}");
        }
        for without in ["", "a=%2500", "a=%0&b=0", "a=%010", "\\u0000", "100%", "%C3%A9%0a"] {
            assert!(!is_found(Written::Form, without), "{without:?}");
        }
        for with in [r#""\u0000""#, r#""\\\u0000""#, r#""a\n\u00000""#, r#""\u00\u0000""#] {
            assert!(is_found(Written::Json, with), "{with}");
        }
        for without in [r#""\\u0000""#, r#""\u0001""#, r#""\u000""#, "\"%00\"", r#""\\\\u0000""#] {
            assert!(!is_found(Written::Json, without), "{without}");
        }
    }

    #[test]
    fn what_is_found_is_what_the_readers_find() {
        for text in ["a\0b", "a\\u0000b", "%00", "\\\\\\u0000", "a\\\0", "\u{1}"] {
            let json = serde_json::to_string(text).unwrap();
            assert_eq!(is_found(Written::Json, &json), text.contains('\0'), "{json}");
            assert_eq!(is_in_json(&json), text.contains('\0'), "{json}");
            let mut url = reqwest::Url::parse("http://localhost/").unwrap();
            url.query_pairs_mut().append_pair("words", text);
            let form = url.query().unwrap();
            assert_eq!(is_found(Written::Form, form), text.contains('\0'), "{form}");
            let address = url.as_str().parse().unwrap();
            assert_eq!(is_in_address(&address), text.contains('\0'), "{address}");
        }
    }

    #[test]
    fn other_kinds_of_bodies_are_left_to_their_readers() {
        let of = |kind: &str| {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind.parse().unwrap())]);
            Written::of_type(&headers)
        };
        assert_eq!(of("application/json; charset=utf-8"), Some(Written::Json));
        assert_eq!(of("Application/SCIM+json"), Some(Written::Json));
        assert_eq!(of("application/x-www-form-urlencoded"), Some(Written::Form));
        assert_eq!(of("multipart/form-data; boundary=cut"), None);
        assert_eq!(Written::of_type(&HeaderMap::new()), None);
    }
}
