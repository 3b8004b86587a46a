//! A server that a command talks to, with a token.

use std::time::Duration;

use clap::Args;
use domain::ProjectCard;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, header::USER_AGENT};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use services::{base::access::answers::read_answer, error_chain};

use crate::cli::Error;

/// The variable that holds the token: not an option, because everybody on a machine can read those.
pub(in crate::cli) const TOKEN: &str = "CONCORD_TOKEN";

/// How long connecting to the server may take, and how long it may take to answer, with what is sent to it and all of
/// its answer.
const CONNECTED_WITHIN: Duration = Duration::from_secs(30);
const ANSWERED_WITHIN: Duration = Duration::from_hours(2);

/// The most that is read of an answer that is no file, in bytes: what is wrong with many files is long.
const MAX_ANSWER: usize = 16 * 1024 * 1024;

/// Which server a command works on, instead of a database.
#[derive(Args)]
pub(in crate::cli) struct Remote {
    /// Use a running server instead of a database: its address, such as
    /// <https://concord.example.org>. The API token comes from `CONCORD_TOKEN`.
    #[arg(long, env = "CONCORD_SERVER", value_name = "URL", conflicts_with_all = ["database_url"])]
    server: Option<Url>,
}

impl Remote {
    /// The server, if the command is to work on one.
    pub(in crate::cli) fn connect(&self) -> Result<Option<Connection>, Error> {
        let Some(server) = &self.server else { return Ok(None) };
        if !["http", "https"].contains(&server.scheme()) {
            return Err(Error::Server("the address begins with https:// or http://".to_owned()));
        }
        let token = std::env::var(TOKEN).map_err(|_| Error::NoToken)?;
        let client = Client::builder()
            // The token goes to this server and to no other.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECTED_WITHIN)
            .timeout(ANSWERED_WITHIN)
            .build()
            .map_err(|error| Error::Server(error_chain(&error)))?;
        Ok(Some(Connection { server: server.clone(), token, client }))
    }
}

/// A server with the right to ask it.
pub(in crate::cli) struct Connection {
    server: Url,
    token: String,
    client: Client,
}

/// How a server refuses: RFC 9457.
#[derive(Deserialize)]
struct Problem {
    detail: String,
    /// The same in the product's own words.
    #[serde(default)]
    error: Value,
}

impl Connection {
    /// Asks for a path with these parameters. What is no success is an error, in the server's words.
    pub(in crate::cli) async fn get(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<Response, Error> {
        let mut address = self.address(path)?;
        address.query_pairs_mut().extend_pairs(query);
        self.send(self.client.get(address)).await
    }

    /// Asks for something to be done at an address.
    pub(in crate::cli) fn post(&self, address: Url) -> RequestBuilder {
        self.client.post(address)
    }

    /// The projects that the token leads to.
    pub(in crate::cli) async fn projects(&self) -> Result<Vec<ProjectCard>, Error> {
        #[derive(Deserialize)]
        struct Listed {
            items: Vec<ProjectCard>,
        }

        let answer = self.get("/api/v1/projects", &[]).await?;
        Ok(Self::read::<Listed>(answer).await?.items)
    }

    /// An answer in JSON.
    pub(in crate::cli) async fn read<T: DeserializeOwned>(answer: Response) -> Result<T, Error> {
        let body = read_answer(answer, MAX_ANSWER).await;
        let body = body.map_err(|error| Error::Server(error_chain(&error)))?;
        serde_json::from_slice(&body).map_err(|error| Error::Server(error.to_string()))
    }

    /// The address of a path, below that of the server.
    pub(in crate::cli) fn address(&self, path: &str) -> Result<Url, Error> {
        let base = self.server.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}{path}")).map_err(|error| Error::Server(error.to_string()))
    }

    /// Sends a request as the owner of the token.
    pub(in crate::cli) async fn send(&self, request: RequestBuilder) -> Result<Response, Error> {
        let agent = concat!("concord/", env!("CARGO_PKG_VERSION"));
        let request = request.bearer_auth(&self.token).header(USER_AGENT, agent);
        let answer = request.send().await.map_err(|error| Error::Server(error_chain(&error)))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = read_answer(answer, MAX_ANSWER).await.unwrap_or_default();
        let (detail, error) = match serde_json::from_slice::<Problem>(&body) {
            Ok(Problem { detail, error }) => (detail, serde_json::from_value(error).ok()),
            Err(_) => (status.to_string(), None),
        };
        // What is wrong with files is more than a line.
        if let Some(refusal @ domain::Error::InvalidImport(_)) = error {
            return Err(Error::Refused(refusal));
        }
        let is_refused = status.is_client_error() && status != StatusCode::REQUEST_TIMEOUT;
        Err(if is_refused { Error::RefusedBy(detail) } else { Error::Server(detail) })
    }
}
