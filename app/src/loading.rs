//! What a page loads before anything of it is sent: the answer decides on the page's status.

use std::{future::Future, pin::Pin};

use futures::{FutureExt, future::Shared};
use leptos::reactive::computed::ScopedFuture;

use crate::ApiError;

/// What is being loaded, or why it could not be. Several parts of a page may wait for it; it is
/// loaded once.
pub(crate) type Loading<T> = Shared<Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send>>>;

/// Loads for the request that the page answers, as soon as somebody waits for it. If the browser
/// goes away, nothing of it goes on.
pub(crate) fn load<T: Clone>(
    fetch: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Loading<T> {
    ScopedFuture::new(fetch).boxed().shared()
}
