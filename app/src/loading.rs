//! What a page loads: once on the server, taken over by the browser, and again when asked to.

use std::{future::Future, pin::Pin};

use leptos::{
    prelude::*,
    server::codee::{Decoder, Encoder},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::ApiError;

/// What is being loaded, or why it could not be.
pub(crate) type Loading<T> = Resource<Result<T, ApiError>, Json>;

type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send>>;

/// Loads again whenever `source` gives something else. The server sends nothing of the page
/// before it has loaded: the answer decides on the page's status.
pub(crate) fn load<S, T, F>(
    source: impl Fn() -> S + Send + Sync + 'static,
    fetch: impl Fn(S) -> F + Send + Sync + 'static,
) -> Loading<T>
where
    S: PartialEq + Clone + Send + Sync + 'static,
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    F: Future<Output = Result<T, ApiError>> + Send + 'static,
{
    // Boxed, so that the browser loads this code once per type and not once per page.
    let source: Box<dyn Fn() -> S + Send + Sync> = Box::new(source);
    let fetch: Box<dyn Fn(S) -> Answer<T> + Send + Sync> =
        Box::new(move |source| Box::pin(fetch(source)));
    Resource::new_with_options(source, fetch, true)
}

/// JSON as the server functions read it: from bytes, so that each type has one reader, not two.
#[derive(Debug)]
pub(crate) struct Json;

impl<T: Serialize> Encoder<T> for Json {
    type Error = serde_json::Error;
    type Encoded = String;

    fn encode(value: &T) -> Result<String, Self::Error> {
        serde_json::to_string(value)
    }
}

impl<T: DeserializeOwned> Decoder<T> for Json {
    type Error = serde_json::Error;
    type Encoded = str;

    fn decode(text: &str) -> Result<T, Self::Error> {
        serde_json::from_slice(text.as_bytes())
    }
}
