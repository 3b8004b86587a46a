//! The binary: a database moves to the other engine and back, whole, and what is broken off is no database.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Output, Stdio},
    time::Duration,
};

use serde_json::Value;
use services::{ServerKey, Store, base::secrets::server_key, schema::Standing};
use store::testing::{TestStore, contents, stores};
use tempfile::TempDir;

use super::{
    cli::{Running, concord, run, text},
    world::{template, written},
};

/// The database of a demo that has ended, with its key.
fn demo() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Running::start(&["--demo"], dir.path()).stop(), "");
    dir
}

/// The database of the template, with its key.
async fn usual() -> TempDir {
    let dir = written(&template().await.files);
    let key = dir.path().join("secret.key");
    fs::write(&key, ServerKey::from([7; 32]).text()).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    dir
}

fn sqlite(dir: &Path) -> String {
    format!("sqlite://{}/concord.sqlite3?mode=rw", dir.display())
}

/// An empty database on each engine that is at hand, which nobody has open.
async fn destinations() -> Vec<TestStore> {
    let stores = stores().await;
    for store in &stores {
        store.close().await.unwrap();
    }
    stores
}

/// Calls a command on the database at an address, with the key in a folder.
fn call(arguments: &[&str], url: &str, dir: &Path) -> Output {
    let key = dir.join("secret.key");
    concord(arguments).args(["--database-url", url, "--secret-key"]).arg(key).output().unwrap()
}

fn said(output: &Output, code: i32) -> String {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    if code == 0 { text(&output.stdout) } else { errors }
}

#[tokio::test]
async fn all_that_the_tests_know_comes_back_as_it_was_and_its_signatures_hold() {
    for dir in [demo(), usual().await] {
        let verified = said(&run(&["verify"], dir.path()), 0);
        assert!(verified.lines().all(|line| line.starts_with("ok ")), "{verified}");
        for between in destinations().await {
            let to = ["move", "--to", between.url()];
            let there = said(&call(&to, &sqlite(dir.path()), dir.path()), 0);
            assert!(there.contains("user_account") && there.contains("moved and compared"));
            assert_eq!(said(&call(&["verify"], between.url(), dir.path()), 0), verified);

            let back = tempfile::tempdir().unwrap();
            let inner = back.path().join("in ner");
            let file = format!(
                "sqlite://{}/concord.sqlite3",
                inner.display().to_string().replace(' ', "%20")
            );
            let moved = call(&["move", "--json", "--to", &file], between.url(), dir.path());
            let moved: Value = serde_json::from_str(&said(&moved, 0)).unwrap();
            let store = Store::open(&sqlite(dir.path())).await.unwrap();
            let fingerprint = server_key::fingerprint(&store).await.unwrap();
            store.close().await.unwrap();
            assert_eq!(moved["secret_key"]["fingerprint"].as_str(), fingerprint.as_deref());
            let tables = moved["tables"].as_array().unwrap();
            assert!(tables.iter().all(|table| table["sha256"].as_str().unwrap().len() == 64));
            let mode = fs::metadata(inner.join("concord.sqlite3")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            fs::copy(dir.path().join("secret.key"), inner.join("secret.key")).unwrap();
            assert_eq!(said(&run(&["verify"], &inner), 0), verified);

            let of = async |dir: &Path| {
                let store = Store::open(&sqlite(dir)).await.unwrap();
                let contents = contents(&store).await;
                store.close().await.unwrap();
                contents
            };
            let (before, after) = (of(dir.path()).await, of(&inner).await);
            assert_eq!(before.len(), tables.len());
            assert_eq!(before, after);
            let server = Running::start(&[], &inner);
            assert!(server.get("/ready").starts_with("HTTP/1.1 200"));
            let log = server.stop();
            // It goes on where the other has stopped: something is due to a webhook, and may be under way at the end.
            assert!(log.lines().all(|line| line.contains("webhooks::deliver")), "{log}");
        }
    }
}

/// A command that moves a database, begun and left to itself.
fn begin(from: &Path, to: &str) -> Child {
    let mut command = concord(&["move", "--to", to, "--data-dir"]);
    command.arg(from).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[tokio::test]
async fn whoever_is_killed_in_the_middle_leaves_no_database_and_begins_anew() {
    let dir = demo();
    let verified = said(&run(&["verify"], dir.path()), 0);
    for to in destinations().await {
        for wait in [0, 50, 200] {
            let mut moving = begin(dir.path(), to.url());
            let is_begun = async || {
                let schema = Store::schema_at(to.url()).await;
                schema.is_ok_and(|schema| schema.standing() == Standing::Other)
            };
            // Or it has ended by then.
            while !is_begun().await && moving.try_wait().unwrap().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tokio::time::sleep(Duration::from_millis(wait)).await;
            moving.kill().unwrap();
            if moving.wait().unwrap().success() {
                // It was quicker: the destination is whole, and full.
                let full = said(&run(&["move", "--to", to.url()], dir.path()), 2);
                assert!(full.contains("the destination is not empty"), "{full}");
                break;
            }
            let closed = said(&call(&["verify"], to.url(), dir.path()), 1);
            assert!(closed.contains("run `concord move` again"), "{closed}");
        }
        if Store::schema_at(to.url()).await.unwrap().standing() == Standing::Other {
            said(&run(&["move", "--to", to.url()], dir.path()), 0);
        }
        assert_eq!(said(&call(&["verify"], to.url(), dir.path()), 0), verified);
        assert_eq!(said(&run(&["verify"], dir.path()), 0), verified, "the source is as it was");
    }
}

#[tokio::test]
async fn a_database_in_use_and_a_full_destination_are_refused() {
    let (dir, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let add = ["user", "add", "--email", "ada@example.org", "--name", "Ada"];
    let server = Running::start(&[], dir.path());
    let to = format!("sqlite://{}/concord.sqlite3", new.path().display());
    let in_use = said(&run(&["move", "--to", &to], dir.path()), 1);
    assert!(in_use.contains("stop its servers first"), "{in_use}");
    assert_eq!(server.stop(), "");

    said(&run(&add, dir.path()), 0);
    let itself = said(&run(&["move", "--to", &sqlite(dir.path())], dir.path()), 2);
    assert!(itself.contains("the database itself"), "{itself}");
    let moved = said(&run(&["move", "--to", &to], dir.path()), 0);
    let bring = format!("Bring the secret key: cp -p {}", dir.path().join("secret.key").display());
    assert!(moved.contains(&bring), "{moved}");
    let full = said(&run(&["move", "--to", &to], dir.path()), 2);
    assert!(full.contains("the destination is not empty"), "{full}");
    let strange = said(&run(&["move", "--to", "mysql://localhost/x"], dir.path()), 1);
    assert!(strange.contains("neither sqlite: nor postgres:"), "{strange}");
}
