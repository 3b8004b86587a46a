//! What somebody is answered on a path, without what is drawn anew for each answer.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    response::Response,
};
use futures::StreamExt;
use http::HeaderMap;
use tokio::time::timeout;

use crate::{
    calls::{Row, call},
    headers::nonce,
    world::{Answer, Person, World},
};

/// How long a stream is listened to: what was to be told at once has come by then.
const LISTEN: Duration = Duration::from_millis(200);

pub(super) async fn answer_to(world: &World, person: Person, row: &Row) -> Answer {
    without_what_is_drawn(world.open(call(world, person, row)).await).await
}

async fn without_what_is_drawn(response: Response<Body>) -> Answer {
    let (parts, body) = response.into_parts();
    let is_stream =
        parts.headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
    let bytes = if is_stream {
        listen(body).await
    } else {
        to_bytes(body, usize::MAX).await.unwrap().to_vec()
    };
    let answer = Answer { status: parts.status, headers: parts.headers, bytes };
    let nonce = nonce(&answer);
    let text = without_secret(&answer.text().replace(&nonce, "nonce"));
    let mut headers = HeaderMap::new();
    for (name, value) in &answer.headers {
        let value = value.to_str().unwrap().replace(&nonce, "nonce");
        // What is left of an allowance depends on the time that one's own requests took.
        let is_drawn = ["x-request-id", "set-cookie", "ratelimit-remaining", "ratelimit-reset"];
        if !is_drawn.contains(&name.as_str()) {
            headers.append(name, value.parse().unwrap());
        }
    }
    Answer { status: answer.status, headers, bytes: text.into_bytes() }
}

/// What a stream tells at once, but for when to come again after a loss.
async fn listen(body: Body) -> Vec<u8> {
    let mut chunks = body.into_data_stream();
    let mut heard = String::new();
    while let Ok(Some(Ok(chunk))) = timeout(LISTEN, chunks.next()).await {
        heard.push_str(&String::from_utf8_lossy(&chunk));
    }
    let lines = heard.lines().filter(|line| !line.starts_with("retry:"));
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

/// The text without the secret of a token that was made.
fn without_secret(text: &str) -> String {
    const SECRET: usize = 49;
    let mut parts = text.split("concord_");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str("concord_");
        let is_secret = part.len() >= SECRET && part.is_char_boundary(SECRET);
        kept.push_str(if is_secret { &part[SECRET..] } else { part });
    }
    kept
}
