//! The server at its socket: who says nothing, takes nothing or comes too often is ended, and hears
//! why where there is somebody to hear it; everybody else is answered.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    thread::sleep,
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes},
    extract::ConnectInfo,
};
use futures::{StreamExt, stream};
use http::{Request, StatusCode, header};
use tempfile::TempDir;

use super::{
    cli::Running,
    world::{Options, Person, World},
};

/// What catches a connection that is never ended.
const DEADLINE: Duration = Duration::from_mins(1);

fn start(arguments: &[&str]) -> (Running, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(arguments, dir.path());
    (server, dir)
}

fn connect(server: &Running) -> TcpStream {
    let stream = TcpStream::connect(server.url().strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream
}

fn rest(mut stream: &TcpStream) -> String {
    let mut text = Vec::new();
    // A connection that was reset has ended, too.
    drop(stream.read_to_end(&mut text));
    String::from_utf8_lossy(&text).into_owned()
}

fn health(server: &Running) -> String {
    let mut stream = connect(server);
    let host = server.url().strip_prefix("http://").unwrap();
    write!(stream, "GET /health HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    rest(&stream)
}

#[test]
fn half_a_head_and_a_connection_that_says_nothing_are_ended() {
    let (server, _dir) = start(&[]);
    let began = Instant::now();
    let silent = connect(&server);
    let mut half = connect(&server);
    write!(half, "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-").unwrap();
    let mut idle = connect(&server);
    write!(idle, "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").unwrap();
    assert!(health(&server).contains("200 OK"));
    for stream in [&silent, &half, &idle] {
        rest(stream);
    }
    assert!(began.elapsed() < DEADLINE, "a connection was left open");
    server.stop();
}

#[test]
fn an_address_with_too_many_connections_is_told_so_and_served_again_when_some_end() {
    let (server, _dir) = start(&["--connections-per-address", "8"]);
    let held: Vec<_> = (0..8).map(|_| connect(&server)).collect();
    let refused = until(&server, |answer| answer.contains("429 Too Many Requests"));
    assert!(refused.contains("too many connections from your address"), "{refused}");
    assert!(refused.contains("retry-after"), "{refused}");
    drop(held);
    until(&server, |answer| answer.contains("200 OK"));
    server.stop();
}

/// Asks until the answer is as it should be.
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
fn until(server: &Running, is_so: impl Fn(&str) -> bool) -> String {
    let began = Instant::now();
    loop {
        let answer = health(server);
        if is_so(&answer) {
            return answer;
        }
        assert!(began.elapsed() < DEADLINE, "{answer}");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn who_is_refused_while_they_still_send_hears_why() {
    let (server, _dir) = start(&[]);
    let mut stream = connect(&server);
    let host = server.url().strip_prefix("http://").unwrap();
    write!(
        stream,
        "POST /api/v1/projects/1/imports HTTP/1.1\r\nhost: {host}\r\nsec-fetch-site: none\r\n\
         content-type: multipart/form-data; boundary=cut\r\ncontent-length: 100000000\r\n\r\n"
    )
    .unwrap();
    // It stops to listen after a while.
    for _ in 0..32 {
        if stream.write_all(&[b'x'; 4096]).is_err() {
            break;
        }
    }
    let answer = rest(&stream);
    assert!(answer.contains("401 Unauthorized"), "{answer}");
    server.stop();
}

/// Sends files of so many documents to be compared, whose names match and whose ids differ.
fn send_files(server: &Running, cookie: &str, documents: usize) -> TcpStream {
    let file = |rater: &str| {
        let head = format!(
            "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{rater}.jsonl\"\r\n\r\n"
        );
        let line = |number: usize| {
            format!(
                "{{\"id\": \"{rater}-{number}\", \"name\": \"document {number}\", \"text\": \"Gil met \
                 {number}.\", \"spans\": [{{\"start\": 0, \"end\": 3, \"label\": \"PER\"}}]}}\n"
            )
        };
        head + &(0..documents).map(line).collect::<String>() + "\r\n"
    };
    let body = file("ana") + &file("bo") + "--cut--\r\n";
    let mut stream = connect(server);
    let host = server.url().strip_prefix("http://").unwrap();
    write!(
        stream,
        "POST /api/v1/compare HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncookie: {cookie}\r\n\
         sec-fetch-site: same-origin\r\ncontent-type: multipart/form-data; boundary=cut\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    stream
}

#[test]
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
fn a_comparison_ends_with_its_connection() {
    let (server, _dir) = start(&["--demo"]);
    let cookie = server.sign_in();
    // Unoptimised, this takes as long as a comparison may: intervals are computed for 15 seconds.
    let left = send_files(&server, &cookie, 20_000);
    sleep(Duration::from_secs(1));
    drop(left);
    sleep(Duration::from_millis(200));
    let began = Instant::now();
    let answer = rest(&send_files(&server, &cookie, 2));
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(10), "somebody's own slot was held for nobody");
    server.stop();
}

#[tokio::test]
async fn a_session_follows_so_many_streams_and_no_more() {
    let streams_a_session = std::num::NonZeroUsize::new(3);
    let world = World::with(Options { streams_a_session, ..Options::default() }).await;
    let path = format!("/events/projects/{}/agreement", world.facts.project);
    let mut open = Vec::new();
    for _ in 0..3 {
        let stream = world.open(world.getting(Person::Manager, &path)).await;
        assert_eq!(stream.status(), StatusCode::OK);
        open.push(stream);
    }
    let refused = world.get(Person::Manager, &path).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.text().contains("too many live pages"), "{}", refused.text());
    assert_ne!(refused.header("retry-after"), "");
    let other = world.open(world.getting(Person::Reviewer, &path)).await;
    assert_eq!(other.status(), StatusCode::OK, "another session has its own");
    open.pop();
    let again = world.open(world.getting(Person::Manager, &path)).await;
    assert_eq!(again.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_name_that_is_not_ours_is_refused_and_makes_no_link() {
    let named = async |public_url, host: &str| {
        let world = World::with(Options { public_url, ..Options::default() }).await;
        let request = Request::get("/sign-in").header("host", host).header("accept", "text/html");
        world.send(request.body(Body::empty()).unwrap()).await
    };
    for host in ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"] {
        assert_eq!(named(None, host).await.status, StatusCode::OK, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example:3000", "192.0.2.1"] {
        let refused = named(None, host).await;
        assert_eq!(refused.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        assert!(refused.text().contains("--public-url"), "{}", refused.text());
    }
    let public = Some("https://concord.example");
    assert_eq!(named(public, "concord.example").await.status, StatusCode::OK);
    assert_eq!(named(public, "Concord.Example:443").await.status, StatusCode::OK);
    let refused = named(public, "evil.example").await;
    assert_eq!(refused.status, StatusCode::MISDIRECTED_REQUEST);
    assert!(refused.text().contains("https://concord.example"), "{}", refused.text());
}

/// How many strangers send at the same time, and from how many addresses.
const STRANGERS: u8 = 54;
const ADDRESSES: u8 = 3;

#[tokio::test]
async fn people_do_not_wait_for_what_strangers_leave_unsent() {
    for sent in [MAX_OF_STRANGERS - 10, 940 * 1024] {
        let world = Arc::new(World::new().await);
        let strangers: Vec<_> = (0..STRANGERS)
            .map(|number| {
                let start = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; sent]))]);
                let mut request = world
                    .request("POST", Person::Anonymous, "/fn/accounts/sign_in")
                    .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                    .header(header::CONTENT_LENGTH, sent + 10)
                    .body(Body::from_stream(start.chain(stream::pending())))
                    .unwrap();
                let address = SocketAddr::from(([127, 0, 0, 2 + number % ADDRESSES], 9));
                request.extensions_mut().insert(ConnectInfo(address));
                let world = Arc::clone(&world);
                tokio::spawn(async move { world.send(request).await.status })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let began = Instant::now();
        assert_eq!(save_much(&world).await, StatusCode::OK, "{sent}");
        assert!(began.elapsed() < Duration::from_secs(5), "{sent}: {:?}", began.elapsed());
        let refusal = if sent < MAX_OF_STRANGERS {
            StatusCode::REQUEST_TIMEOUT
        } else {
            StatusCode::PAYLOAD_TOO_LARGE
        };
        for stranger in strangers {
            assert_eq!(stranger.await.unwrap(), refusal, "{sent}");
        }
    }
}

/// The most that a stranger may send, in bytes.
const MAX_OF_STRANGERS: usize = 8 * 1024;

/// Saves spans as a labeler, in a body that needs room of its own.
async fn save_much(world: &World) -> StatusCode {
    let path = format!("/api/v1/assignments/{}/spans", world.facts.fresh_assignment);
    let padded = format!("{{\"spans\":[]{}}}", " ".repeat(40_000));
    let request = world
        .request("PUT", Person::Labeler, &path)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::IF_MATCH, "\"0\"")
        .body(Body::from(padded));
    world.send(request.unwrap()).await.status
}

#[tokio::test]
async fn what_strangers_may_ask_is_read_of_them_to_a_few_kib() {
    let world = World::new().await;
    for path in ["accounts/sign_in", "accounts/accept_invitation", "accounts/send_reset_link"] {
        let endless = stream::repeat(Bytes::from_static(b"email=a%40example.org&"));
        let mut pieces = 0;
        let endless = endless.map(move |piece| {
            pieces += piece.len();
            assert!(pieces < 2 * MAX_OF_STRANGERS, "{pieces} bytes were asked for");
            Ok::<_, std::io::Error>(piece)
        });
        let request = world
            .request("POST", Person::Anonymous, &format!("/fn/{path}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from_stream(endless))
            .unwrap();
        let refused = world.send(request).await;
        assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
        assert!(refused.text().contains("without signing in"), "{}", refused.text());
    }
}
