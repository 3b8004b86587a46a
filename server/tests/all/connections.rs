//! The server at its socket: who says nothing, takes nothing or comes too often is ended, and hears
//! why where there is somebody to hear it; everybody else is answered.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread::sleep,
    time::{Duration, Instant},
};

use axum::body::Body;
use http::{Request, StatusCode};
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
