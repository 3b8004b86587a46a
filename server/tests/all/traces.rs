//! Traces, as a collector gets them.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
};
use prost::Message;

use super::{cli::Running, watched::wait_until};

/// What has arrived at a collector.
type Arrived = Arc<Mutex<Vec<ExportTraceServiceRequest>>>;

/// A collector on a port of its own; the answer is its address, and what it takes.
fn collector() -> (String, Arrived) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let arrived = Arrived::default();
    let into = Arc::clone(&arrived);
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let into = Arc::clone(&into);
            thread::spawn(move || receive(connection, &into));
        }
    });
    (address, arrived)
}

/// Reads requests until the connection ends.
fn receive(mut connection: TcpStream, into: &Arrived) {
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap_or(0) > 0 {
        assert_eq!(line, "POST /v1/traces HTTP/1.1\r\n");
        let mut length = 0;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            if header == "\r\n" {
                break;
            }
            let (name, value) = header.trim_end().split_once(": ").unwrap();
            match name {
                "content-length" => length = value.parse().unwrap(),
                "content-type" => assert_eq!(value, "application/x-protobuf"),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        into.lock().unwrap().push(ExportTraceServiceRequest::decode(&*body).unwrap());
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        line.clear();
    }
}

/// What attributes say, as texts.
fn texts(attributes: &[KeyValue]) -> BTreeMap<&str, String> {
    let text = |attribute: &KeyValue| match attribute.value.as_ref().unwrap().value.as_ref() {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    attributes.iter().map(|attribute| (attribute.key.as_str(), text(attribute))).collect()
}

#[test]
fn a_collector_is_told_of_requests_and_their_statements_and_of_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let (address, arrived) = collector();
    let server = Running::start(&["--demo", "--otlp", &address], dir.path());
    let answer = server.get("/invitations/a-secret-of-somebody");
    let id = answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap();
    // What has not been told is told at the end.
    server.stop();
    let arrived = arrived.lock().unwrap();
    let told = arrived.iter().flat_map(|request| &request.resource_spans);
    let mut found = false;
    for of_resource in told {
        let resource = texts(&of_resource.resource.as_ref().unwrap().attributes);
        assert_eq!(resource["service.name"], "concord");
        assert_eq!(resource["service.version"], env!("CARGO_PKG_VERSION"));
        for span in of_resource.scope_spans.iter().flat_map(|scope| &scope.spans) {
            let attributes = texts(&span.attributes);
            if attributes.get("request.id").is_none_or(|of| of != id) {
                continue;
            }
            found = true;
            assert_eq!(span.name, "GET /invitations/{token}");
            assert_eq!(span.kind, 2, "a server's");
            assert_eq!(attributes["http.request.method"], "GET");
            assert_eq!(attributes["http.route"], "/invitations/{token}");
            assert_eq!(attributes["http.response.status_code"], "404");
            let statements: Vec<_> =
                span.events.iter().filter(|event| event.name == "statement").collect();
            assert!(!statements.is_empty());
            for statement in statements {
                let told = texts(&statement.attributes);
                assert!(told["sql"].starts_with("SELECT"), "{told:?}");
                assert!(told.contains_key("elapsed"), "{told:?}");
            }
        }
    }
    assert!(found, "{arrived:?}");
    assert!(!format!("{arrived:?}").contains("a-secret-of-somebody"));
}

#[test]
fn a_collector_that_is_away_or_silent_keeps_nobody_waiting() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    for address in [address.as_str(), "http://127.0.0.1:1"] {
        let dir = tempfile::tempdir().unwrap();
        let server = Running::start(&["--otlp", address], dir.path());
        for _ in 0..20 {
            assert_eq!(server.status_of("/sign-in", "accept: text/html"), 200);
        }
        let began = Instant::now();
        server.stop();
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }
}

#[test]
fn traces_are_told_while_the_server_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (address, arrived) = collector();
    let server = Running::start(&["--otlp", &address], dir.path());
    server.get("/sign-in");
    wait_until("traces arrive", || !arrived.lock().unwrap().is_empty());
    server.stop();
}
