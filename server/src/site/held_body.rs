//! A body that keeps something until it has been sent or given up.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// A body that counts until it is sent or given up.
pub(crate) fn held<T: Send + 'static>(inner: Body, entry: T) -> Body {
    Body::new(Held { inner, _entry: entry })
}

struct Held<T> {
    inner: Body,
    _entry: T,
}

// Nothing in it is pinned.
impl<T> Unpin for Held<T> {}

impl<T> HttpBody for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
