//! `concord import` and `verify`: into a database and at a server, what they say and how they end.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Output,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::cli::{Running, concord, run, text};

/// A folder with the demo's database and two people's files, one of them with a name that a form
/// has to quote.
fn demo() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Running::start(&["--demo"], dir.path()).stop(), "");
    for (person, end) in [("Zoë \"Z\"", 2), ("Bo", 10)] {
        let folder = dir.path().join("files").join(person);
        fs::create_dir_all(&folder).unwrap();
        let span = format!(r#"{{"start": 0, "end": {end}, "label": "TEAM"}}"#);
        let line = format!(r#"{{"id": "t1", "text": "EU rejects it", "spans": [{span}]}}"#);
        fs::write(folder.join("spans.jsonl"), line).unwrap();
    }
    dir
}

const AS_WORK: [&str; 7] =
    ["import", "--project", "1", "--as", "work", "--create-labels", "--json"];

/// The summary, without the number of the import.
fn summary(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    summary.as_object_mut().unwrap().remove("import");
    summary
}

fn files(dir: &Path) -> PathBuf {
    dir.join("files")
}

/// A token of the demo's manager with these scopes.
fn token(dir: &Path, scopes: &str) -> String {
    let create = ["token", "create", "--name", "import", "--scopes", scopes];
    let manager = ["--email", "manager@demo.example"];
    let made = run(&[create.as_slice(), manager.as_slice()].concat(), dir);
    assert!(made.status.success(), "{}", text(&made.stderr));
    text(&made.stdout).trim().to_owned()
}

/// Runs a command against a server.
fn at(server: &Running, token: &str, arguments: &[&str], files: &Path) -> Output {
    concord(arguments)
        .arg(files)
        .args(["--server", server.url()])
        .env("CONCORD_TOKEN", token)
        .output()
        .unwrap()
}

#[test]
fn people_of_files_become_labelers_and_their_spans_work() {
    let dir = demo();
    let here = files(dir.path());
    let arguments = [AS_WORK.as_slice(), &[here.to_str().unwrap()]].concat();
    let looked_at = run(&[arguments.as_slice(), &["--dry-run"]].concat(), dir.path());
    let preview = summary(&looked_at);
    let people = preview["work"]["people"].as_array().unwrap();
    let names: Vec<_> = people.iter().map(|person| person["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Bo", "Zoë \"Z\""]);

    let counts = |summary: &Value| {
        ["documents", "copies", "spans", "placeholders", "labels"]
            .map(|name| summary[name].as_u64().unwrap())
    };
    assert_eq!(counts(&summary(&run(&arguments, dir.path()))), [1, 2, 2, 2, 1]);
    let again = summary(&run(&arguments, dir.path()));
    assert_eq!(counts(&again), [0, 0, 0, 0, 0]);
    assert_eq!(again["changes"]["same"], 2);
}

#[test]
fn a_server_imports_what_a_database_does() {
    let (one, other) = (demo(), demo());
    let by_hand = {
        let here = files(one.path());
        run(&[AS_WORK.as_slice(), &[here.to_str().unwrap()]].concat(), one.path())
    };
    let server = Running::start(&["--demo"], other.path());
    let token = token(other.path(), "manage");
    let preview = [AS_WORK.as_slice(), &["--dry-run"]].concat();
    let looked_at = summary(&at(&server, &token, &preview, &files(other.path())));
    assert_eq!(looked_at["work"]["people"].as_array().unwrap().len(), 2);
    let sent = at(&server, &token, &AS_WORK, &files(other.path()));
    assert_eq!(summary(&sent), summary(&by_hand));
    // How files are read goes with them.
    let columns = other.path().join("columns.txt");
    fs::write(&columns, "Gil B-PER\nmet O\n\nHal I-PER\n").unwrap();
    let read = |more: &[&str]| {
        let arguments = [&["import", "--project", "1", "--dry-run", "--json"], more].concat();
        at(&server, &token, &arguments, &columns)
    };
    let text = summary(&read(&["--format", "text"]));
    assert_eq!(text["files"][0]["spans"], 0);
    assert_eq!(summary(&read(&[]))["files"][0]["spans"], 2);
    assert_eq!(read(&["--strict"]).status.code(), Some(3));
    server.stop();
}

#[test]
fn what_is_not_imported_is_told_by_the_exit_code() {
    let dir = demo();
    let wrong = dir.path().join("wrong.jsonl");
    fs::write(&wrong, "{\"text\": \"a\"}\n{\"text\": 7}\n").unwrap();
    let server = Running::start(&["--demo"], dir.path());
    let (manage, read) = (token(dir.path(), "manage"), token(dir.path(), "read"));
    let import = ["import", "--project", "1"];
    for dry_run in [&[][..], &["--dry-run"]] {
        let arguments = [import.as_slice(), dry_run].concat();
        for refused in [
            at(&server, &manage, &arguments, &wrong),
            run(&[arguments.as_slice(), &[wrong.to_str().unwrap()]].concat(), dir.path()),
        ] {
            assert_eq!(refused.status.code(), Some(3), "{}", text(&refused.stderr));
            let why = text(&refused.stderr);
            assert!(why.contains("wrong.jsonl, line 2, field text"), "{why}");
        }
    }
    for (token, project, code, why) in [
        (&read, "1", 1, "this token's scopes do not allow this"),
        (&manage, "no such", 3, "no project with the name or number \"no such\""),
    ] {
        let refused = at(&server, token, &["import", "--project", project], &files(dir.path()));
        assert_eq!(refused.status.code(), Some(code));
        assert!(text(&refused.stderr).contains(why), "{}", text(&refused.stderr));
    }
    let words = dir.path().join("words.txt");
    fs::write(&words, "Gil met Hal.\n").unwrap();
    for (format, code) in [("text", 0), ("conll", 3)] {
        let arguments = [import.as_slice(), &["--dry-run", "--format", format]].concat();
        let there = at(&server, &manage, &arguments, &words);
        let here = run(&[arguments.as_slice(), &[words.to_str().unwrap()]].concat(), dir.path());
        assert_eq!((there.status.code(), here.status.code()), (Some(code), Some(code)), "{format}");
        assert_eq!(text(&there.stderr), text(&here.stderr));
    }
    let no_file = at(&server, &manage, &import, &dir.path().join("none"));
    assert_eq!(no_file.status.code(), Some(3));
    server.stop();
}

#[test]
fn a_project_is_made_from_the_command_line() {
    let dir = demo();
    let (here, create) = (files(dir.path()), ["import", "--create-project", "Psalms", "--json"]);
    let here = here.to_str().unwrap();
    let manager = ["--as", "work", "--create-labels", "--manager", "manager@demo.example", here];
    let made = run(&[create.as_slice(), &manager].concat(), dir.path());
    assert_eq!(summary(&made)["documents"], 1);
    let again = ["import", "--project", "Psalms", "--as", "work", "--dry-run", here];
    let said = text(&run(&again, dir.path()).stdout);
    assert!(said.contains("1 document with"), "{said}");
    for (arguments, code, why) in [
        (&[create.as_slice(), &manager].concat()[..], 3, "a project has this name"),
        (&[create.as_slice(), &[here]].concat(), 2, "--create-project needs --manager EMAIL"),
        (&["import", here], 2, "--project"),
    ] {
        let refused = run(arguments, dir.path());
        assert_eq!(refused.status.code(), Some(code), "{}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains(why), "{}", text(&refused.stderr));
    }
    let server = Running::start(&["--demo"], dir.path());
    let sent = [create.as_slice(), &["--as", "work", "--create-labels"]].concat();
    let made = at(&server, &token(dir.path(), "manage"), &sent, Path::new(here));
    assert_eq!(summary(&made)["documents"], 1);
    server.stop();
}

#[test]
fn a_server_proves_the_numbers_that_it_shows() {
    let dir = demo();
    let server = Running::start(&["--demo"], dir.path());
    let verify = |token: &str| {
        let arguments = ["verify", "--json", "--server", server.url()];
        concord(&arguments).env("CONCORD_TOKEN", token).output().unwrap()
    };
    let proven = verify(&token(dir.path(), "read"));
    assert_eq!(proven.status.code(), Some(0), "{}", text(&proven.stderr));
    let proven: Value = serde_json::from_slice(&proven.stdout).unwrap();
    let stored = run(&["verify", "--json"], dir.path());
    let mut stored: Vec<Value> = serde_json::from_slice(&stored.stdout).unwrap();
    // The audit trails themselves are for whoever has the database and the key.
    stored.retain(|report| report.get("project").is_some());
    assert_eq!(proven, Value::Array(stored));
    assert_eq!(verify("concord_none").status.code(), Some(1));
    server.stop();
}

/// A server that begins to answer so and then repeats something for as long as it is read, and how many bytes it has
/// sent.
fn endless(beginning: &'static str, repeated: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let sent = Arc::<AtomicUsize>::default();
    let counter = Arc::clone(&sent);
    thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let _asked = stream.read(&mut [0; 4096]);
            let much = repeated.repeat(64 * 1024 / repeated.len());
            let mut next = beginning.as_bytes();
            while stream.write_all(next).is_ok() {
                counter.fetch_add(next.len(), Ordering::Relaxed);
                next = much.as_bytes();
            }
        }
    });
    (address, sent)
}

#[test]
fn a_server_that_answers_without_an_end_is_left() {
    let dir = tempfile::tempdir().unwrap();
    for (beginning, repeated) in [
        ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[\"", "more of it "),
        ("HTTP/1.1 409 Conflict\r\n\r\n{\"detail\": \"", "more of it "),
        ("HTTP/1.1 200 OK\r\nx-long: ", "more of it "),
        ("HTTP/1.1 200 OK\r\n", "x-many: of them\r\n"),
    ] {
        let (address, sent) = endless(beginning, repeated);
        let began = Instant::now();
        let asked = concord(&["verify", "--server", &address])
            .env("CONCORD_TOKEN", "token")
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert_eq!(asked.status.code(), Some(1), "{beginning}: {}", text(&asked.stderr));
        assert!(began.elapsed() < Duration::from_secs(30), "{beginning}: {:?}", began.elapsed());
        let bytes = sent.load(Ordering::Relaxed);
        assert!(bytes > 0 && bytes < 64 << 20, "{beginning}: {bytes} bytes");
    }
}
