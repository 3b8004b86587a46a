//! The headers that tell browsers what an answer may do.

use axum::body::Body;
use http::{Request, StatusCode};

use super::{
    calls::{FILES, call, rows},
    world::{Answer, Options, Person, World},
};

fn page(world: &World, person: Person, path: &str) -> Request<Body> {
    world.request("GET", person, path).header("accept", "text/html").body(Body::empty()).unwrap()
}

/// The nonce in the answer's policy.
pub(crate) fn nonce(answer: &Answer) -> String {
    let policy = answer.header("content-security-policy");
    policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned()
}

/// The opening tags of a page's elements with this name.
fn tags<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("<{name}");
    html.match_indices(&start)
        .map(|(at, _)| &html[at..])
        .filter(|rest| rest[start.len()..].starts_with([' ', '>']))
        .map(|rest| &rest[..=rest.find('>').unwrap()])
        .collect()
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let world = World::new().await;
    let mut answers: Vec<(String, Answer)> = Vec::new();
    for row in rows() {
        // Streams have no end: only the head is read.
        let response = world.open(call(&world, Person::Manager, &row)).await;
        let (parts, _) = response.into_parts();
        let answer = Answer { status: parts.status, headers: parts.headers, bytes: Vec::new() };
        answers.push((row.path.to_owned(), answer));
    }
    let forged = Request::post("/fn/projects/list_projects").body(Body::empty()).unwrap();
    answers.push(("forged".to_owned(), world.send(forged).await));
    answers.push(("not found".to_owned(), world.get(Person::Manager, "/nothing").await));
    let too_large = world
        .request("POST", Person::Manager, "/fn/projects/create_project")
        .header("content-length", 2 * 1024 * 1024)
        .body(Body::empty())
        .unwrap();
    let too_large = world.send(too_large).await;
    assert_eq!(too_large.status, StatusCode::PAYLOAD_TOO_LARGE);
    answers.push(("too large".to_owned(), too_large));

    for (path, answer) in &answers {
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'nonce-"), "{path}");
        for forbidden in ["unsafe-inline", "unsafe-eval'; ", "*", "http:"] {
            let policy = policy.replace("'wasm-unsafe-eval'", "");
            assert!(!policy.contains(forbidden), "{path}: {policy}");
        }
        for directive in ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{path}");
        assert!(answer.header("permissions-policy").contains("camera=()"), "{path}");
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        let cached = if path.starts_with("/pkg/") {
            "public, max-age=31536000, immutable"
        } else if path.starts_with("/help/") {
            "no-cache"
        } else {
            "no-store"
        };
        assert_eq!(answer.header("cache-control"), cached, "{path}");
        assert_eq!(answer.header("strict-transport-security"), "", "{path}: not by plain http");
    }
}

#[tokio::test]
async fn every_script_of_every_page_carries_the_nonce_of_its_answer() {
    let world = World::new().await;
    let mut nonces = Vec::new();
    for person in [Person::Anonymous, Person::Labeler, Person::Reviewer, Person::Manager] {
        for row in rows().into_iter().filter(|row| row.is_page) {
            let answer = world.send(call(&world, person, &row)).await;
            let (html, nonce) = (answer.text(), nonce(&answer));
            let mut scripts = tags(&html, "script");
            // What an island is made of is read, not run.
            scripts.retain(|script| !script.contains("type=\"application/json\""));
            if !answer.status.is_redirection() {
                assert!(scripts.len() >= 2, "{} as {person:?} has no scripts", row.path);
            }
            for script in scripts {
                let attribute = format!("nonce=\"{nonce}\"");
                assert!(script.contains(&attribute), "{} as {person:?}: {script}", row.path);
            }
            nonces.push(nonce);
        }
    }
    let answers = nonces.len();
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), answers, "a nonce was used twice");
}

#[tokio::test]
async fn no_page_has_inline_styles_or_handlers() {
    let world = World::new().await;
    for person in [Person::Labeler, Person::Reviewer, Person::Manager] {
        for row in rows().into_iter().filter(|row| row.is_page) {
            let html = world.send(call(&world, person, &row)).await.text();
            assert!(tags(&html, "style").is_empty(), "{}", row.path);
            for tag in html.split('<').filter_map(|rest| rest.split('>').next()) {
                for forbidden in [" style=", " onclick=", " onload=", " onsubmit=", "javascript:"] {
                    assert!(!tag.contains(forbidden), "{} as {person:?}: <{tag}>", row.path);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_site_with_https_insists_on_it() {
    let world =
        World::with(Options { public_url: Some("https://concord.example"), ..Options::default() })
            .await;
    let answer = world.send(page(&world, Person::Anonymous, "/sign-in")).await;
    let expected = "max-age=31536000; includeSubDomains";
    assert_eq!(answer.header("strict-transport-security"), expected);
}

#[tokio::test]
async fn pages_are_compressed_and_streams_are_not() {
    let world = World::new().await;
    let asking = |path: &str, accept: &str| {
        world
            .request("GET", Person::Manager, path)
            .header("accept-encoding", "br, gzip")
            .header("accept", accept)
            .body(Body::empty())
            .unwrap()
    };
    let answer = world.send(asking("/", "text/html")).await;
    assert_eq!(answer.header("content-encoding"), "br");
    let stream = format!("/events/projects/{}/agreement", world.facts.project);
    let stream = world.open(asking(&stream, "text/event-stream")).await;
    assert_eq!(stream.status(), StatusCode::OK);
    assert!(!stream.headers().contains_key("content-encoding"));
}

#[tokio::test]
async fn a_body_beyond_its_limit_is_refused_even_if_it_does_not_say_its_length() {
    let world = World::new().await;
    let chunks = std::iter::repeat_with(|| Ok::<_, std::io::Error>(FILES));
    let chunks = chunks.take(1024 * 1024 / FILES.len() + 9);
    let body = Body::from_stream(futures::stream::iter(chunks));
    let request = world
        .request("POST", Person::Manager, "/fn/projects/create_project")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .unwrap();
    let answer = world.send(request).await;
    assert!(answer.status.is_client_error() || answer.status.is_server_error());
    assert!(answer.text().contains("limit"), "{}", answer.text());
}
