//! A server that is told to stop while everybody is at work: it ends soon, its streams with it, and no
//! save that it has answered is lost.

use std::{
    collections::BTreeSet,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    thread::{self, sleep},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::cli::Running;

/// As many as may be open at once on a machine that does other things besides.
const STREAMS: usize = 300;

/// It is meant to take less than five seconds; this one is not optimised, and not alone.
const DEADLINE: Duration = Duration::from_secs(8);

/// How long the labelers save before the server is told.
const RUSH: Duration = Duration::from_secs(2);

const LABELERS: [&str; 2] = ["labeler-e@demo.example", "labeler-f@demo.example"];

fn host(server: &Running) -> &str {
    server.url().strip_prefix("http://").unwrap()
}

/// A connection that has sent a request and stays open.
fn connect(host: &str, line: &str, rest: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    write!(stream, "{line} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n{rest}").unwrap();
    stream
}

/// Somebody's work on a document.
struct Work {
    cookie: String,
    assignment: i64,
    label: i64,
    revision: i64,
    length: i64,
}

impl Work {
    /// The first document of a labeler's of the demo, on which they have nothing to save yet.
    fn of(server: &Running, email: &str) -> Self {
        let cookie = server.sign_in_as(email);
        let work =
            post(host(server), &cookie, "load_own_work", "project=2", "x-www-form-urlencoded");
        let work: Value = serde_json::from_str(&work.unwrap()).unwrap();
        let open = work["assignments"].as_array().unwrap().iter();
        let card = open.clone().find(|card| card["state"] == "open").unwrap();
        let label = work["labels"][0]["id"].as_i64().unwrap();
        let length = card["characters"].as_i64().unwrap();
        let assignment = card["id"].as_i64().unwrap();
        Self { cookie, assignment, label, revision: 0, length }
    }

    /// Saves one span more; none if there is no room, or nobody answers any more.
    fn save(&mut self, host: &str) -> Option<()> {
        let (assignment, base) = (self.assignment, self.revision);
        let span = json!({ "start": base, "end": base + 1, "label": self.label });
        let command = json!({ "command": {
            "assignment": assignment,
            "base": base,
            "key": format!("stopping-{assignment}-{base}"),
            "removed": [],
            "added": (base < self.length).then_some([span])?,
        }});
        let answer = post(host, &self.cookie, "save_spans", &command.to_string(), "json")?;
        let said: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(said["Saved"]["revision"], self.revision + 1, "{answer}");
        self.revision += 1;
        Some(())
    }
}

/// Calls a function of the annotator; none if it is not answered.
fn post(host: &str, cookie: &str, name: &str, body: &str, kind: &str) -> Option<String> {
    let mut stream = TcpStream::connect(host).ok()?;
    let head = format!(
        "POST /fn/annotating/{name} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
         cookie: {cookie}\r\nconnection: close\r\naccept: application/json\r\n\
         content-type: application/{kind}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    Some(body.to_owned())
}

/// Reads until something has come.
fn begin(stream: &mut TcpStream) {
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains("event: stands") {
        let mut piece = [0; 1024];
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "{}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&piece[..length]);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
fn a_server_that_is_told_to_stop_ends_hundreds_of_streams_and_loses_no_save() {
    let dir = tempfile::tempdir().unwrap();
    let allowed = ["--demo", "--connections-per-address", "1000", "--streams-per-session", "1000"];
    let server = Running::start(&allowed, dir.path());
    let cookie = server.sign_in();
    let mut streams: Vec<_> = (0..STREAMS)
        .map(|_| {
            let rest = format!("cookie: {cookie}\r\naccept: text/event-stream\r\n\r\n");
            connect(host(&server), "GET /events/revisions?of=2", &rest)
        })
        .collect();
    streams.iter_mut().for_each(begin);
    // Somebody who never says the rest.
    let half = connect(host(&server), "GET /", "x-");

    let mut works = LABELERS.map(|email| Work::of(&server, email));
    let address = host(&server).to_owned();
    let took = thread::scope(|scope| {
        for work in &mut works {
            let address = &address;
            scope.spawn(move || while work.save(address).is_some() {});
        }
        sleep(RUSH);
        let began = Instant::now();
        server.stop();
        began.elapsed()
    });
    assert!(took < DEADLINE, "it took {took:?}");
    drop(half);
    for mut stream in streams {
        let mut rest = Vec::new();
        match stream.read_to_end(&mut rest) {
            Ok(_) => assert!(rest.ends_with(b"0\r\n\r\n"), "a stream was broken off"),
            Err(error) => assert_ne!(error.kind(), ErrorKind::WouldBlock, "a stream is open"),
        }
    }

    let server = Running::start(&["--demo"], dir.path());
    for (work, email) in works.iter().zip(LABELERS) {
        assert!(work.revision > 0, "{email} has saved nothing");
        let header = format!("cookie: {}\r\n", server.sign_in_as(email));
        let path = format!("GET /api/v1/assignments/{}/spans", work.assignment);
        let mut stream =
            connect(host(&server), &path, &format!("{header}connection: close\r\n\r\n"));
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let spans: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        let starts: BTreeSet<_> =
            spans["spans"].as_array().unwrap().iter().map(|span| span["start"].as_u64()).collect();
        let saved = u64::try_from(work.revision).unwrap();
        assert!((0..saved).all(|start| starts.contains(&Some(start))), "{saved} saves: {answer}");
    }
    server.stop();
}
