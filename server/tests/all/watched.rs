//! A server as whoever watches over it sees it: whether it is ready, what it counts, and its log.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;
use store::testing::tamper_at;

use super::{
    cli::{Running, run, text},
    cluster::Cluster,
};

/// How long it may take until something is told, on a machine that does other things besides.
const PATIENCE: Duration = Duration::from_secs(40);

/// How long an answer may take, also where the database does not answer at all.
const AT_ONCE: Duration = Duration::from_secs(8);

/// The metrics, as a monitoring server gets them.
pub(crate) fn metrics(server: &Running) -> String {
    let address = server.started("metrics").strip_prefix("http://").unwrap();
    let (host, path) = address.split_once('/').unwrap();
    let mut connection = TcpStream::connect(host).unwrap();
    write!(connection, "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("content-type: text/plain; version=0.0.4"), "{head}");
    body.to_owned()
}

/// What is told of a number without labels, or with these.
fn written_value<'a>(metrics: &'a str, name: &str) -> &'a str {
    let found = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("no {name} in\n{metrics}"))
}

/// The same as a number.
fn value(metrics: &str, name: &str) -> f64 {
    written_value(metrics, name).parse().unwrap()
}

/// Whether the server says that it is ready, and why not.
fn readiness(server: &Running) -> (u16, String) {
    let began = Instant::now();
    let answer = server.get("/ready");
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.trim().to_owned())
}

/// Waits until something is so.
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "it is never so that {what}");
        sleep(Duration::from_millis(200));
    }
}

fn wait_for(server: &Running, status: u16, why: &str) {
    wait_until(why, || {
        let (found, said) = readiness(server);
        found == status && said.contains(why)
    });
}

fn start(arguments: &[&str], dir: &Path) -> Running {
    Running::start(&[arguments, &["--metrics", "127.0.0.1:0"]].concat(), dir)
}

#[test]
fn a_server_counts_what_it_does_at_an_address_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(&["--demo"], dir.path());
    assert_eq!(readiness(&server), (200, "ready".to_owned()));
    let before = metrics(&server);
    assert_eq!(written_value(&before, "concord_database_up"), "1");
    assert_eq!(written_value(&before, "concord_saves_total{outcome=\"conflict\"}"), "0");
    assert_eq!(written_value(&before, "concord_live_projects"), "0");

    let cookie = server.sign_in();
    assert_eq!(server.status_of("/projects/2/agreement", &format!("cookie: {cookie}")), 200);
    assert_eq!(server.status_of("/metrics", "accept: */*"), 404, "people are not told");
    let after = metrics(&server);
    for (name, least) in [
        ("concord_busy_answers_total", 0.0),
        ("concord_events_total", 0.0),
        ("concord_live_projects", 1.0),
        ("concord_live_bytes", 1000.0),
        ("concord_live_counts_total", 1.0),
        ("concord_live_count_seconds_count", 1.0),
        ("concord_sign_ins_total", 1.0),
        ("concord_password_hash_seconds_count", 1.0),
        ("concord_request_seconds_count{for=\"page\",status=\"2xx\"}", 1.0),
        ("concord_database_statement_seconds_count", 10.0),
        ("process_resident_memory_bytes", 1e6),
    ] {
        assert!(value(&after, name) >= least, "{name}: {}", value(&after, name));
    }
    assert!(value(&after, "concord_live_feed_lag_seconds") < 5.0);
    let version = concat!("concord_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"}");
    assert_eq!(written_value(&after, version), "1");

    let described = |line: &str| line.strip_prefix("# TYPE ").map(str::to_owned);
    let kinds: BTreeSet<_> = after.lines().filter_map(described).collect();
    let ours = kinds.iter().filter(|line| line.starts_with("concord_"));
    assert!(ours.count() >= 30, "{kinds:?}");
    // Nothing of anybody: no address, no name of a project, no path with a number in it.
    for person in ["@", "projects/", "Demo", "demo"] {
        assert!(!after.contains(person), "{person} in\n{after}");
    }
    assert_eq!(server.stop(), "");
}

#[test]
fn the_log_is_a_json_object_for_each_event_with_the_id_of_its_request() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(&["--log", "server=debug", "--log-format", "json"], dir.path());
    let answer = server.get("/sign-in");
    let id = answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap();
    let log = server.stop();
    let events: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let answered = events.iter().find(|event| event["message"] == "answered").unwrap();
    assert_eq!(answered["span"]["id"], id);
    assert_eq!(answered["span"]["route"], "/sign-in");
    assert_eq!(answered["level"], "DEBUG");
    assert!(answered["timestamp"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_a_newer_version_has_changed_is_told_and_refused_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", dir.path().join("concord.sqlite3").display());
    let insert = |name: &str| {
        format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('{name}', 0)")
    };
    let check = || {
        let done = run(&["migrate", "--check"], dir.path());
        (done.status.code().unwrap(), text(&done.stdout))
    };
    let server = start(&[], dir.path());
    assert_eq!(check(), (0, "The database is up to date.\n".to_owned()));
    tamper_at(&url, &insert("m29990101_000001_expand")).await;
    assert_eq!(readiness(&server).0, 200, "it works beside that version");
    let (code, said) = check();
    assert!(code == 0 && said.contains("by 1 migration; this one works on it, too"), "{said}");
    tamper_at(&url, &insert("m29990102_000002_contract_spans")).await;
    assert_eq!(readiness(&server), (503, "the database is not of this version".to_owned()));
    drop(server);

    let why = "a newer version of Concord has changed it (m29990102_000002_contract_spans)";
    let (code, said) = check();
    assert!(code == 1 && said.contains(why) && said.lines().count() == 1, "{said}");
    for command in [&["serve", "--bind", "127.0.0.1:0"][..], &["migrate"]] {
        let refused = run(command, dir.path());
        let said = text(&refused.stdout) + &text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains(why) && said.lines().count() == 1, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_are_listed_before_they_are_applied() {
    let dir = tempfile::tempdir().unwrap();
    let absent = run(&["migrate", "--check"], dir.path());
    assert_eq!(absent.status.code(), Some(1));
    assert!(text(&absent.stderr).contains("no database at "), "{}", text(&absent.stderr));
    assert!(!dir.path().join("concord.sqlite3").exists(), "none is made");

    assert_eq!(start(&[], dir.path()).stop(), "");
    // As before one that does nothing but add an index.
    let url = format!("sqlite://{}", dir.path().join("concord.sqlite3").display());
    let name = "m20261125_000036_index_states";
    tamper_at(&url, "DROP INDEX index_assignment_member_id_state_due_at").await;
    tamper_at(&url, &format!("DELETE FROM seaql_migrations WHERE version = '{name}'")).await;
    let say = |arguments: &[&str]| {
        let done = run(arguments, dir.path());
        (done.status.code().unwrap(), text(&done.stdout))
    };
    let (code, said) = say(&["migrate", "--check"]);
    assert!(code == 1 && said.starts_with("1 migration missing"), "{code} {said}");
    let (code, said) = say(&["migrate", "--plan"]);
    assert!(code == 0 && said.starts_with(&format!("{name}\n")), "{said}");
    assert_eq!(say(&["migrate", "--plan", "--up"]).0, 2, "one thing at a time");
    assert_eq!(say(&["migrate", "--check"]).0, 1, "nothing has been done so far");
    assert_eq!(say(&["migrate", "--up"]), (0, "1 migration applied.\n".to_owned()));
    assert_eq!(say(&["migrate", "--check"]), (0, "The database is up to date.\n".to_owned()));
}

#[test]
fn a_stopped_database_a_stuck_queue_and_a_server_that_is_behind_are_told() {
    let Some(cluster) = Cluster::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    let url = cluster.url();
    let arguments = ["--demo", "--database-url", &url, "--log-format", "json"];
    let server = start(&arguments, dir.path());
    assert_eq!(readiness(&server), (200, "ready".to_owned()));
    let cookie = server.sign_in();
    assert_eq!(server.status_of("/projects/2/agreement", &format!("cookie: {cookie}")), 200);

    // What others save is not known where it cannot be read, and nothing else is wrong.
    let locked = cluster.lock("BEGIN; LOCK TABLE project IN ACCESS EXCLUSIVE MODE");
    wait_for(&server, 503, "what other servers saved");
    let now = metrics(&server);
    assert!(value(&now, "concord_live_feed_lag_seconds") > 5.0);
    assert_eq!(written_value(&now, "concord_database_up"), "1");
    drop(locked);
    wait_for(&server, 200, "ready");
    assert!(value(&metrics(&server), "concord_live_feed_lag_seconds") < 5.0);

    // What is due is not sent where nobody can say that they begin.
    let queued = "INSERT INTO webhook (project_id, url, secret, secret_hidden, events, paused, revision,
                                       created_at)
                  VALUES (2, 'https://example.invalid', '', true, '', false, 0, now());
                  INSERT INTO webhook_delivery (webhook_id, event, body, created_at, attempts, next_at)
                  SELECT id, 'test', '{}', now(), 0, now() + interval '3 seconds' FROM webhook;
                  BEGIN; LOCK TABLE webhook_delivery IN SHARE MODE";
    let locked = cluster.lock(queued);
    wait_until("something has been due for two seconds", || {
        let now = metrics(&server);
        value(&now, "concord_webhook_deliveries_wait_seconds") >= 2.0
            && written_value(&now, "concord_webhook_deliveries_waiting") == "1"
            && written_value(&now, "concord_database_up") == "1"
    });
    assert_eq!(readiness(&server).0, 200, "people are answered all the same");
    drop(locked);
    wait_until("nothing waits", || {
        written_value(&metrics(&server), "concord_webhook_deliveries_waiting") == "0"
    });

    // A database that takes connections and does not answer.
    let locked =
        cluster.lock("BEGIN; LOCK TABLE seaql_migrations, webhook IN ACCESS EXCLUSIVE MODE");
    assert_eq!(readiness(&server), (503, "the database does not answer".to_owned()));
    assert_eq!(written_value(&metrics(&server), "concord_database_up"), "0");
    drop(locked);
    wait_for(&server, 200, "ready");

    // One that is gone, and comes again.
    cluster.stop();
    wait_for(&server, 503, "the database does not answer");
    let answer = server.get("/ready");
    let id =
        answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
    let now = metrics(&server);
    assert_eq!(written_value(&now, "concord_database_up"), "0");
    assert_eq!(written_value(&now, "concord_busy_answers_total"), "0", "nobody else has asked");
    assert!(value(&now, "process_resident_memory_bytes") > 0.0, "the rest is told all the same");
    assert!(server.get("/health").ends_with("ok\n"), "it is alive");
    wait_until("it knows nothing of the others", || {
        value(&metrics(&server), "concord_live_feed_lag_seconds") > 5.0
    });
    cluster.go_on();
    wait_for(&server, 200, "ready");
    assert_eq!(written_value(&metrics(&server), "concord_database_up"), "1");

    let log = server.stop();
    let events: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(events.iter().any(|event| event["span"]["id"] == *id), "{log}");
}
