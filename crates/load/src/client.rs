//! A client of one server with one connection, as cheap as they come: a thousand of them share two
//! cores with what they measure.

use std::{fmt::Write as _, io::Read, net::SocketAddr, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use http::{
    Method, Request, Response, StatusCode,
    header::{
        ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, COOKIE, HOST, ORIGIN, SET_COOKIE,
    },
};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::Incoming,
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use serde::{Serialize, de::DeserializeOwned};
use tokio::{net::TcpStream, time::timeout};

/// How long anything may take before it counts as failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// Somebody's browser at one server.
pub(crate) struct Client {
    server: SocketAddr,
    cookie: Option<String>,
    connection: Option<SendRequest<Full<Bytes>>>,
    patience: Duration,
}

/// A whole answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
    /// Of a page that is followed.
    pub(crate) version: Option<String>,
    is_gzip: bool,
}

impl Client {
    /// Nobody's, yet.
    pub(crate) const fn of(server: SocketAddr) -> Self {
        Self { server, cookie: None, connection: None, patience: PATIENCE }
    }

    /// The same person at another server of the same database, or by another connection.
    pub(crate) fn at(&self, server: SocketAddr) -> Self {
        Self { server, cookie: self.cookie.clone(), connection: None, patience: self.patience }
    }

    /// The same person at the same server, by another connection.
    pub(crate) fn again(&self) -> Self {
        self.at(self.server)
    }

    /// Waits longer for answers: a server that was asked for too much has yet to catch up.
    pub(crate) const fn wait_long(&mut self) {
        self.patience = Duration::from_mins(10);
    }

    /// Waits no longer than this for answers: whoever has none by then asks again, maybe somebody else.
    pub(crate) const fn wait_at_most(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Asks for a page as a browser does.
    pub(crate) async fn page(&mut self, path: &str) -> Result<Answer> {
        self.whole(Method::GET, path, "text/html", "", &Bytes::new()).await
    }

    /// Asks for JSON.
    pub(crate) async fn json<T: DeserializeOwned>(&mut self, path: &str) -> Result<T> {
        let answer = self.whole(Method::GET, path, "application/json", "", &Bytes::new()).await?;
        answer.read(path)
    }

    /// Asks for a text.
    pub(crate) async fn text(&mut self, path: &str) -> Result<String> {
        let answer = self.whole(Method::GET, path, "*/*", "", &Bytes::new()).await?;
        ensure!(answer.status.is_success(), "{path}: {}", answer.status);
        answer.text()
    }

    /// Calls a server function with fields of a form, as pages do, and keeps the session that comes.
    pub(crate) async fn call<T: DeserializeOwned>(
        &mut self,
        function: &str,
        fields: &[(&str, &str)],
    ) -> Result<T> {
        let form: Vec<_> =
            fields.iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        let (path, body) = (format!("/fn/{function}"), Bytes::from(form.join("&")));
        let form = "application/x-www-form-urlencoded";
        self.whole(Method::POST, &path, "application/json", form, &body).await?.read(&path)
    }

    /// Calls a server function with JSON.
    pub(crate) async fn post(&mut self, function: &str, value: &impl Serialize) -> Result<Answer> {
        let (path, body) = (format!("/fn/{function}"), Bytes::from(serde_json::to_vec(value)?));
        self.whole(Method::POST, &path, "application/json", "application/json", &body).await
    }

    /// Opens a stream of events.
    pub(crate) async fn events(&mut self, path: &str) -> Result<Incoming> {
        let request = || self.request(&Method::GET, path, "text/event-stream", "", &Bytes::new());
        let request = request()?;
        let response = timeout(PATIENCE, self.send(request)).await??;
        ensure!(response.status() == StatusCode::OK, "{path}: {}", response.status());
        Ok(response.into_body())
    }

    /// Sends a request and reads its answer. A connection that the server has closed meanwhile is made
    /// anew; everything that is sent may be sent twice.
    async fn whole(
        &mut self,
        method: Method,
        path: &str,
        accept: &'static str,
        kind: &'static str,
        body: &Bytes,
    ) -> Result<Answer> {
        let (mut is_again, patience) = (false, self.patience);
        loop {
            let was_open = self.connection.is_some();
            let request = self.request(&method, path, accept, kind, body)?;
            let asking = async {
                let response = self.send(request).await?;
                let (head, body) = response.into_parts();
                anyhow::Ok((head, body.collect().await?.to_bytes()))
            };
            let Ok(asked) = timeout(patience, asking).await else {
                // What comes late is no answer to the next question.
                self.connection = None;
                bail!("no answer in time");
            };
            match asked {
                Ok((head, body)) => {
                    if let Some(cookie) = session(&head.headers) {
                        self.cookie = Some(cookie);
                    }
                    let is_gzip = head.headers.contains_key(CONTENT_ENCODING);
                    let version = head.headers.get("concord-version");
                    let version = version.and_then(|version| version.to_str().ok());
                    let version = version.map(str::to_owned);
                    return Ok(Answer { status: head.status, body, version, is_gzip });
                }
                Err(error) => {
                    self.connection = None;
                    if is_again || !was_open {
                        return Err(error);
                    }
                    is_again = true;
                }
            }
        }
    }

    fn request(
        &self,
        method: &Method,
        path: &str,
        accept: &'static str,
        kind: &'static str,
        body: &Bytes,
    ) -> Result<Request<Full<Bytes>>> {
        let host = self.server.to_string();
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(ORIGIN, format!("http://{host}"))
            .header(HOST, host)
            .header("sec-fetch-site", "same-origin")
            .header(ACCEPT, accept);
        if accept == "text/html" {
            // What browsers say without TLS.
            request = request.header(ACCEPT_ENCODING, "gzip, deflate");
        }
        if let Some(cookie) = &self.cookie {
            request = request.header(COOKIE, cookie);
        }
        if !kind.is_empty() {
            request = request.header(CONTENT_TYPE, kind);
        }
        Ok(request.body(Full::new(body.clone()))?)
    }

    async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        if self.connection.as_ref().is_none_or(SendRequest::is_closed) {
            let stream = TcpStream::connect(self.server).await?;
            stream.set_nodelay(true)?;
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
            // It ends with its sender.
            tokio::spawn(connection);
            self.connection = Some(sender);
        }
        let sender = self.connection.as_mut().context("there is a connection")?;
        sender.ready().await?;
        Ok(sender.send_request(request).await?)
    }
}

impl Answer {
    /// What it says, if it is no refusal.
    pub(crate) fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        if !self.status.is_success() {
            bail!("{path}: {} {}", self.status, String::from_utf8_lossy(&self.body));
        }
        serde_json::from_slice(&self.body).with_context(|| format!("{path} answers otherwise"))
    }

    /// The text, unpacked.
    pub(crate) fn text(&self) -> Result<String> {
        let mut text = String::new();
        if self.is_gzip {
            MultiGzDecoder::new(&*self.body).read_to_string(&mut text)?;
        } else {
            text.push_str(std::str::from_utf8(&self.body)?);
        }
        Ok(text)
    }

    /// The value of an attribute, where it stands first. Unpacks no more than it takes to find it.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut read: Box<dyn Read + '_> = if self.is_gzip {
            Box::new(MultiGzDecoder::new(&*self.body))
        } else {
            Box::new(&*self.body)
        };
        let (wanted, mut text, mut piece) = (format!("{name}=\""), Vec::new(), [0; 4096]);
        loop {
            let length = read.read(&mut piece).ok().filter(|length| *length > 0)?;
            text.extend_from_slice(piece.get(..length)?);
            let found = String::from_utf8_lossy(&text);
            let value = found.split_once(&wanted).and_then(|(_, rest)| rest.split_once('"'));
            if let Some((value, _)) = value {
                return Some(value.replace("&amp;", "&"));
            }
        }
    }
}

/// The session that an answer gives.
fn session(headers: &http::HeaderMap) -> Option<String> {
    let cookies = headers.get_all(SET_COOKIE).into_iter();
    let mut named = cookies.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    named.find(|cookie| cookie.starts_with("concord=")).map(str::to_owned)
}

/// A value as it stands in forms and addresses.
pub(crate) fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _infallible = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_and_attributes_are_read() {
        assert_eq!(escaped("a b&c@d.e"), "a%20b%26c%40d.e");
        let body = Bytes::from_static(b"<p data-live=\"1?a=b&amp;c=d\" data-revision=\"8\">");
        let answer = Answer { status: StatusCode::OK, body, version: None, is_gzip: false };
        assert_eq!(answer.attribute("data-live").as_deref(), Some("1?a=b&c=d"));
        assert_eq!(answer.attribute("data-revision").as_deref(), Some("8"));
        assert_eq!(answer.attribute("data-none"), None);
    }
}
