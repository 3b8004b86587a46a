//! How stores of objects are spoken with: by the HTTP client that all else of this program has, whose
//! certificates are its own, so that no file of the machine is needed. Answers have a limit of size and time, but for
//! backups themselves, whose reader has one.

use std::{error::Error, time::Duration};

use async_trait::async_trait;
use http_body_util::{BodyExt, Limited};
use object_store::{
    ClientConfigKey, ClientOptions, Result,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
        HttpResponseBody, HttpService,
    },
};

/// How long a connection may take, and how long the other side may say nothing.
const CONNECT: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_mins(1);

/// How long an answer may take, with what is sent to get it.
const PATIENCE: Duration = Duration::from_mins(10);

/// The most that is read of an answer, in bytes: a page of a listing has a thousand names.
const MAX_ANSWER: usize = 8 * 1024 * 1024;

/// Marks a request whose answer is a backup: its reader limits its size and time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streamed;

/// Makes clients.
#[derive(Debug)]
pub(crate) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp);
        let client = reqwest::Client::builder()
            .https_only(allows_http.as_deref() != Some("true"))
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .build();
        let client = client.map_err(|error| object_store::Error::Generic {
            store: "HTTP",
            source: Box::new(error),
        });
        Ok(HttpClient::new(Client(client?)))
    }
}

#[derive(Debug)]
struct Client(reqwest::Client);

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let is_streamed = parts.extensions.get::<Streamed>().is_some();
        let body = body.collect().await?.to_bytes();
        let request = http::Request::from_parts(parts, body);
        let mut request = reqwest::Request::try_from(request).map_err(with_kind)?;
        if !is_streamed {
            *request.timeout_mut() = Some(PATIENCE);
        }
        let response = http::Response::from(self.0.execute(request).await.map_err(with_kind)?);
        if is_streamed && response.status().is_success() {
            return Ok(response.map(|body| HttpResponseBody::new(body.map_err(with_kind))));
        }
        let limited = |body| Limited::new(body, MAX_ANSWER).map_err(too_large);
        Ok(response.map(|body| HttpResponseBody::new(limited(body))))
    }
}

/// What went wrong with an answer that has a limit.
fn too_large(error: Box<dyn Error + Send + Sync>) -> HttpError {
    match error.downcast::<reqwest::Error>() {
        Ok(error) => with_kind(*error),
        // The same once more would be as large.
        Err(limit) => HttpError::new_boxed(HttpErrorKind::Decode, limit),
    }
}

/// What went wrong, so that it is known what may be tried again.
fn with_kind(error: reqwest::Error) -> HttpError {
    let kind = if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_decode() {
        HttpErrorKind::Decode
    } else if error.is_request() {
        HttpErrorKind::Request
    } else if error.is_body() {
        HttpErrorKind::Interrupted
    } else {
        HttpErrorKind::Unknown
    };
    // Who reads the log need not know keys that stand in addresses.
    HttpError::new(kind, error.without_url())
}
