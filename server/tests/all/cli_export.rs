//! `concord export`: from a database and from a server, what it says and how it ends.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::Path,
    thread,
};

use serde_json::Value;

use super::cli::{Running, concord, run, text};

/// A folder with the demo's database.
fn demo() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Running::start(&["--demo"], dir.path()).stop(), "");
    dir
}

#[test]
fn a_database_gives_every_kind_of_file_with_a_summary() {
    let dir = demo();
    let out = |name: &str| dir.path().join(name).display().to_string();
    for (what, format) in [("gold", "jsonl"), ("labelers", "csv"), ("labelers", "brat")] {
        let file = out("exported");
        let arguments = [
            "export",
            "--project",
            "1",
            "--what",
            what,
            "--format",
            format,
            "--output",
            &file,
            "--json",
        ];
        let exported = run(&arguments, dir.path());
        assert_eq!(exported.status.code(), Some(0), "{}", text(&exported.stderr));
        let summary: Value = serde_json::from_slice(&exported.stdout).unwrap();
        let bytes = fs::metadata(&file).unwrap().len();
        assert_eq!((&summary["what"], &summary["bytes"]), (&what.into(), &bytes.into()));
        assert!(summary["documents"].as_u64().unwrap() > 0, "{summary}");
        assert!(bytes > 0);
    }

    // The file itself on standard output, and the summary where it disturbs nobody.
    let exported = run(&["export", "--project", "1", "--what", "gold"], dir.path());
    assert_eq!(exported.status.code(), Some(0));
    let lines = text(&exported.stdout);
    assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert!(text(&exported.stderr).ends_with("no losses\n"));
}

#[test]
fn what_is_left_out_is_listed_and_can_end_it_with_a_code_of_its_own() {
    let dir = demo();
    let (file, losses) = (dir.path().join("gold.conll"), dir.path().join("losses.csv"));
    let (file, losses) = (file.display().to_string(), losses.display().to_string());
    let arguments = [
        "export",
        "--project",
        "1",
        "--what",
        "gold",
        "--format",
        "conll",
        "--output",
        &file,
        "--losses",
        &losses,
        "--strict",
    ];
    let exported = run(&arguments, dir.path());
    let said = text(&exported.stdout);
    let is_whole = said.contains("nothing left out");
    assert_eq!(exported.status.code(), Some(if is_whole { 0 } else { 4 }), "{said}");
    let table = fs::read_to_string(&losses).unwrap();
    assert!(table.starts_with("document,rater,start,end,label,reason,left_out,message"));
    assert!(table.contains("name-left-out"), "{table}");
    assert_eq!(table.contains(",true,"), !is_whole);
}

#[test]
fn what_cannot_be_exported_is_told_by_the_exit_code() {
    let dir = demo();
    for (arguments, code) in [
        (&["export", "--project", "999"][..], 3),
        (&["export", "--project", "1", "--what", "own"], 3),
        (&["export", "--project", "1", "--what", "gold-7"], 3),
        (&["export", "--project", "1", "--what", "silver"], 2),
        (&["export", "--project", "1", "--losses", "losses.txt"], 2),
        (&["export", "--project", "1", "--output", "/no/such/folder/file"], 1),
    ] {
        let refused = run(arguments, dir.path());
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}");
        assert!(!text(&refused.stderr).is_empty());
    }
    let without_token = concord(&["export", "--project", "1", "--server", "http://127.0.0.1:9"])
        .env_remove("CONCORD_TOKEN")
        .output()
        .unwrap();
    assert_eq!(without_token.status.code(), Some(1));
    assert!(text(&without_token.stderr).contains("CONCORD_TOKEN is not set"));
}

/// Answers one request with this, and gives back its head.
fn answering(listener: TcpListener, answer: &'static str) -> thread::JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let lines = BufReader::new(connection.try_clone().unwrap()).lines().map(Result::unwrap);
        let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
        connection.write_all(answer.as_bytes()).unwrap();
        head
    })
}

fn from_server(answer: &'static str, dir: &Path) -> (std::process::Output, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}/", listener.local_addr().unwrap());
    let asked = answering(listener, answer);
    let file = dir.join("file.jsonl").display().to_string();
    let output = concord(&["export", "--project", "3", "--what", "gold", "--output", &file])
        .args(["--json", "--server", &server])
        .env("CONCORD_TOKEN", "the-token")
        .output()
        .unwrap();
    (output, asked.join().unwrap())
}

#[test]
fn a_server_is_asked_with_the_token_and_its_answer_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (output, asked) = from_server(
        "HTTP/1.1 200 OK\r\ncontent-length: 3\r\nx-concord-documents: 2\r\n\
         x-concord-left-out: 1\r\nconnection: close\r\n\r\n{}\n",
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let path = "/api/v1/projects/3/exports?what=gold&format=jsonl&documents=saved";
    assert_eq!(asked[0], format!("GET {path} HTTP/1.1"));
    assert!(asked.iter().any(|line| line == "authorization: Bearer the-token"), "{asked:?}");
    assert_eq!(fs::read_to_string(dir.path().join("file.jsonl")).unwrap(), "{}\n");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let counts = ["bytes", "documents", "left_out"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!(counts, [3, 2, 1]);
}

#[test]
fn a_server_that_refuses_is_heard_and_one_that_breaks_off_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let refused = "HTTP/1.1 404 Not Found\r\ncontent-type: application/problem+json\r\n\
                   connection: close\r\n\r\n{\"status\":404,\"detail\":\"not found\"}";
    let (output, _) = from_server(refused, dir.path());
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(text(&output.stderr), "concord: not found\n");
    let short = "HTTP/1.1 200 OK\r\ncontent-length: 30\r\nconnection: close\r\n\r\n{}\n";
    let (output, _) = from_server(short, dir.path());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
}
