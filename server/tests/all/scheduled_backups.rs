//! The binary: backups that a server makes by itself, to a folder and to a store of objects, and what comes back
//! from them.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread::{self, sleep},
    time::{Duration, Instant},
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use serde_json::Value;
use tempfile::TempDir;

use super::{
    cli::{Running, concord, run, text},
    cluster::Cluster,
    watched::{metrics, wait_until},
};

const RECIPIENT: &str = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
const IDENTITY: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";
const STRANGER: &str = "AGE-SECRET-KEY-1QYPQXPQ9QCRSSZG2PVXQ6RS0ZQG3YYC5Z5TPWXQERGD3C8G7RUSQGPQYEE";

/// How long a backup may take, on a machine that does other things besides.
const PATIENCE: Duration = Duration::from_mins(1);

/// Folders of a test: of the server, of its backups, and whatever else is needed.
struct Folders(TempDir);

impl Folders {
    fn new() -> Self {
        let folders = Self(tempfile::tempdir().unwrap());
        fs::write(folders.at("identity"), format!("# ours\n{IDENTITY}\n")).unwrap();
        fs::write(folders.at("stranger"), STRANGER).unwrap();
        fs::create_dir(folders.at("backups")).unwrap();
        folders
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn shown(&self, name: &str) -> String {
        self.at(name).to_str().unwrap().to_owned()
    }

    /// Starts a server that is backed up at once, and tried.
    fn start(&self, to: &str, environment: &[(&str, &str)], others: &[&str]) -> Running {
        let identity = self.shown("identity");
        let options = ["--backup-to", to, "--backup-recipient", RECIPIENT];
        let drills = ["--backup-identity", &identity];
        let options = [&options[..], &drills, others].concat();
        Running::start_in(environment, &options, &self.at("data"))
    }

    fn restore(&self, from: &str, identity: Option<&str>, to: &str) -> Command {
        let mut command = concord(&["restore", from]);
        if let Some(identity) = identity {
            command.arg("--identity").arg(self.at(identity));
        }
        command.arg("--data-dir").arg(self.at(to));
        command
    }
}

/// Waits for a drill with a backup in a folder; the answers are the backup's file, its manifest, and how the
/// drill ended.
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
fn wait_for_drill(folder: &Path) -> (PathBuf, Value, Value) {
    let began = Instant::now();
    loop {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        if let Some(drill) = names.iter().find(|name| name.ends_with(".drill.json")) {
            let stem = drill.strip_suffix(".drill.json").unwrap();
            let backup =
                names.iter().find(|name| name.starts_with(stem) && name.ends_with("zst.age"));
            let read =
                |name: &str| serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap();
            let manifest = read(&format!("{stem}.json"));
            return (folder.join(backup.unwrap()), manifest, read(drill));
        }
        assert!(began.elapsed() < PATIENCE, "no drill: {names:?}");
        sleep(Duration::from_millis(100));
    }
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn refused(output: &Output, code: i32, words: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(words) && said.lines().count() == 1, "{said}");
}

#[test]
fn a_server_backs_itself_up_and_comes_back_from_its_last_backup() {
    let folders = Folders::new();
    let backups = folders.shown("backups");
    let server = folders.start(&backups, &[], &["--demo", "--metrics", "127.0.0.1:0"]);
    let (file, manifest, drill) = wait_for_drill(&folders.at("backups"));
    for told in [
        "concord_backups_total{outcome=\"done\"} 1\n",
        "concord_backups_total{outcome=\"failed\"} 0\n",
        "concord_backup_drills_total{outcome=\"sound\"} 1\n",
        "concord_backup_every_seconds 86400\n",
        "concord_backup_drill_every_seconds 2592000\n",
        "\nconcord_backup_timestamp_seconds 1",
        "\nconcord_backup_drill_timestamp_seconds 1",
    ] {
        wait_until(told, || metrics(&server).contains(told));
    }
    assert_eq!((&drill["problems"], &drill["projects"]), (&Value::Array(Vec::new()), &2.into()));
    assert_eq!(server.stop(), "");
    let before = succeeded(&run(&["verify"], &folders.at("data")));

    let refuse = |from: &str, identity: Option<&str>, code: i32, words: &str| {
        refused(&folders.restore(from, identity, "new").output().unwrap(), code, words);
        assert!(!folders.at("new/concord.sqlite3").exists());
    };
    refuse(&backups, None, 2, "use --identity FILE");
    refuse(&backups, Some("stranger"), 3, "is encrypted for other identities");
    refuse(&backups, Some("none"), 3, "cannot be opened");
    refuse(&folders.shown("data"), Some("identity"), 3, "holds no backup");
    let other = folders.shown("backups/concord-20200101T000000Z-0000000000000000.sqlite3.zst.age");
    refuse(&other, Some("identity"), 3, "there is no backup of this name; the last are concord-2");
    let mut early = folders.restore(&backups, Some("identity"), "new");
    let early = early.args(["--until", "2020-01-01T00:00:00Z"]).output().unwrap();
    refused(&early, 3, "it holds no backup from before that time");
    let json = PathBuf::from(file.to_str().unwrap().replace(".sqlite3.zst.age", ".json"));
    fs::rename(&json, folders.at("away")).unwrap();
    refuse(file.to_str().unwrap(), Some("identity"), 3, ".json is missing");
    fs::rename(folders.at("away"), &json).unwrap();

    // By the folder, and by its own name.
    for (from, to) in [(backups.clone(), "new"), (file.to_str().unwrap().to_owned(), "another")] {
        let said = folders.restore(&from, Some("identity"), to).output().unwrap();
        let said = succeeded(&said);
        let fingerprint = manifest["secret_key"].as_str().unwrap();
        let key = format!("Its secret key ({fingerprint}) is not at ");
        assert!(said.contains("2 projects, checked.") && said.contains(&key), "{said}");
    }
    fs::copy(folders.at("data/secret.key"), folders.at("new/secret.key")).unwrap();
    let after = succeeded(&run(&["verify"], &folders.at("new")));
    let rows = |said: &str| {
        said.lines().filter(|line| line.contains("pair")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((rows(&after), rows(&after).len()), (rows(&before), 2));
    assert_eq!(Running::start(&["--demo"], &folders.at("new")).stop(), "");

    // What was changed where it lies does not come back, and what is there stays.
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let database = fs::read(folders.at("new/concord.sqlite3")).unwrap();
    let mut again = folders.restore(&backups, Some("identity"), "new");
    refused(&again.arg("--force").output().unwrap(), 3, "is damaged");
    assert_eq!(fs::read(folders.at("new/concord.sqlite3")).unwrap(), database);
}

#[test]
fn a_server_with_an_empty_volume_does_not_go_on_where_another_was_backed_up() {
    let folders = Folders::new();
    let backups = folders.shown("backups");
    let server = folders.start(&backups, &[], &["--demo"]);
    wait_for_drill(&folders.at("backups"));
    assert_eq!(server.stop(), "");
    let options = ["--backup-to", &backups, "--backup-recipient", RECIPIENT];
    let mut start = concord(&["serve", "--bind", "127.0.0.1:0"]);
    start.args(options).arg("--data-dir").arg(folders.at("empty"));
    refused(&start.output().unwrap(), 1, "holds backups of another database");
}

#[test]
fn without_the_secret_key_everything_is_there_but_secrets_which_are_made_anew() {
    let folders = Folders::new();
    let backups = folders.shown("backups");
    let ask = |server: &Running, cookie: &str, method: &str, path: &str, more: &str, body: &str| {
        let answer = server.ask(
            &format!("{method} {path}"),
            &format!(
                "cookie: {cookie}\r\norigin: {}\r\ncontent-type: application/json\r\n{more}\
                 content-length: {}\r\n\r\n{body}",
                server.url(),
                body.len()
            ),
        );
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str::<Value>(body).unwrap_or_default())
    };
    let server = Running::start(&["--demo"], &folders.at("data"));
    let hooks = "/api/v1/projects/2/webhooks";
    let new = r#"{"url":"https://example.org/one","events":["assignment.submitted"]}"#;
    let cookie = server.sign_in_as("manager@demo.example");
    let (status, made) = ask(&server, &cookie, "POST", hooks, "", new);
    assert_eq!(status, 201, "{made}");
    assert_eq!(server.stop(), "");
    let server = folders.start(&backups, &[], &["--demo"]);
    wait_for_drill(&folders.at("backups"));
    assert_eq!(server.stop(), "");

    succeeded(&folders.restore(&backups, Some("identity"), "new").output().unwrap());
    let start = concord(&["serve", "--bind", "127.0.0.1:0", "--data-dir"])
        .arg(folders.at("new"))
        .output()
        .unwrap();
    refused(&start, 1, "secret.key of this database is missing");
    let server = Running::start(&["--demo", "--new-secret-key"], &folders.at("new"));
    let cookie = server.sign_in_as("manager@demo.example");
    let (status, listed) = ask(&server, &cookie, "GET", hooks, "", "");
    let hook = &listed["items"][0];
    assert_eq!((status, hook["url"].as_str()), (200, Some("https://example.org/one")), "{listed}");
    let path = format!("{hooks}/{}", hook["id"]);
    let base = format!("if-match: \"{}\"\r\n", hook["revision"]);
    let change = r#"{"url":"https://example.org/two"}"#;
    let (status, changed) = ask(&server, &cookie, "PATCH", &path, &base, change);
    assert_eq!(status, 200, "{changed}");
    assert!(changed["secret"].as_str().is_some_and(|secret| secret.len() > 20), "{changed}");
    assert_ne!(changed["secret"], made["secret"]);
    assert_eq!(server.stop(), "");
    let verified = succeeded(&run(&["verify"], &folders.at("new")));
    assert!(verified.lines().all(|line| line.starts_with("ok ")), "{verified}");
}

/// A store of objects with a bucket, and where that lies. It ends with the process.
fn start_store(folder: &Path) -> String {
    fs::create_dir_all(folder.join("bucket")).unwrap();
    let mut service = S3ServiceBuilder::new(FileSystem::new(folder).unwrap());
    service.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            while let Ok((stream, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let server = Builder::new(TokioExecutor::new());
                    drop(server.serve_connection(TokioIo::new(stream), service).await);
                });
            }
        });
    });
    endpoint
}

#[test]
fn a_bucket_of_a_store_of_objects_holds_backups_as_a_folder_does() {
    let folders = Folders::new();
    let endpoint = start_store(&folders.at("store"));
    let environment = [
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    let to = "s3://bucket/of/ours";
    let server = folders.start(to, &environment, &["--demo"]);
    let (file, _, drill) = wait_for_drill(&folders.at("store/bucket/of/ours"));
    assert_eq!(drill["problems"], Value::Array(Vec::new()));
    assert_eq!(server.stop(), "");
    let named = format!("{to}/{}", file.file_name().unwrap().to_str().unwrap());
    for (from, to) in [(to, "new"), (named.as_str(), "another")] {
        let mut restore = folders.restore(from, Some("identity"), to);
        let said = succeeded(&restore.envs(environment).output().unwrap());
        assert!(said.contains("2 projects, checked."), "{said}");
    }
    let wrong =
        [environment[0], environment[1], environment[2], ("AWS_SECRET_ACCESS_KEY", "other")];
    let mut restore = folders.restore(to, Some("identity"), "third");
    refused(&restore.envs(wrong).output().unwrap(), 1, "cannot be used for backups");
}

#[test]
fn a_database_of_postgres_is_dumped_tried_and_filled_again() {
    let (Some(cluster), Some(other)) = (Cluster::start(), Cluster::start()) else { return };
    let folders = Folders::new();
    let backups = folders.shown("backups");
    let url = cluster.url();
    // Tried on the other server, of which nothing is left there.
    let (drill_url, at_first) = (other.url(), other.sql("SELECT COUNT(*) FROM pg_database"));
    let options = ["--demo", "--database-url", &url, "--backup-drill-url", &drill_url];
    let server = folders.start(&backups, &[], &options);
    let (file, _, drill) = wait_for_drill(&folders.at("backups"));
    assert!(file.to_str().unwrap().ends_with(".pgdump.zst.age"));
    assert_eq!((&drill["problems"], &drill["projects"]), (&Value::Array(Vec::new()), &2.into()));
    assert_eq!(server.stop(), "");

    assert_eq!(other.sql("SELECT COUNT(*) FROM pg_database"), at_first);
    let wrong = folders.restore(&backups, Some("identity"), "new").output().unwrap();
    refused(&wrong, 2, "is of PostgreSQL: use --database-url");
    let verify = |url: &str, dir: &str| {
        let verified = concord(&["verify", "--database-url", url, "--data-dir"])
            .arg(folders.at(dir))
            .output()
            .unwrap();
        succeeded(&verified)
            .lines()
            .filter(|line| line.contains("pair"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let before = verify(&url, "data");
    let restore = |more: &[&str], url: &str| {
        let mut restore = folders.restore(&backups, Some("identity"), "new");
        restore.args(["--database-url", url]).args(more).output().unwrap()
    };
    let said = succeeded(&restore(&[], &other.url()));
    assert!(said.contains("2 projects, checked."), "{said}");
    fs::copy(folders.at("data/secret.key"), folders.at("new/secret.key")).unwrap();
    assert_eq!(verify(&other.url(), "new"), before);
    // A database that has something in it is replaced on purpose only, and then all of it.
    refused(&restore(&[], &other.url()), 2, "is not empty; --force replaces it");
    assert_eq!(verify(&other.url(), "new"), before);
    let session = other.lock("BEGIN");
    refused(&restore(&["--force"], &other.url()), 1, "concord is in use (1 connections)");
    drop(session);
    let databases =
        || other.sql("SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database");
    let at_first = databases();
    other.sql("CREATE TABLE theirs (id int)");
    succeeded(&restore(&["--force"], &other.url()));
    assert_eq!(verify(&other.url(), "new"), before);
    assert_eq!(other.sql("SELECT COUNT(*) FROM pg_tables WHERE tablename = 'theirs'"), "0");
    let replaced = at_first.replace("concord", "concord concord_replaced");
    assert_eq!(databases(), replaced, "the one that was there is kept, and nothing else");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
fn what_was_done_before_the_server_was_killed_comes_back() {
    let folders = Folders::new();
    let backups = folders.shown("backups");
    let server = folders.start(&backups, &[], &["--demo", "--backup-continuously"]);
    wait_for_drill(&folders.at("backups"));
    let user = |dir: &str, name: &str, action: &[&str]| {
        let email = format!("{name}@example.org");
        let words = [&["user", action[0], "--email", email.as_str()][..], &action[1..]].concat();
        run(&words, &folders.at(dir)).status.success()
    };
    // Whoever acknowledges it, the server or a program beside it.
    let began = Instant::now();
    let mut done = Vec::new();
    while began.elapsed() < Duration::from_secs(75) {
        let name = format!("person{}", done.len());
        assert!(user("data", &name, &["add", "--name", &name]));
        done.push((name, Instant::now()));
        sleep(Duration::from_millis(900));
    }
    let killed = Instant::now();
    drop(server);
    succeeded(&folders.restore(&backups, Some("identity"), "new").output().unwrap());
    fs::copy(folders.at("data/secret.key"), folders.at("new/secret.key")).unwrap();
    let is_there = |name: &str| user("new", name, &["projects", "--allow"]);
    let lost: Vec<_> = done
        .iter()
        .filter(|(name, _)| !is_there(name))
        .map(|(_, at)| killed.duration_since(*at))
        .collect();
    assert!(lost.iter().all(|age| *age < Duration::from_mins(1)), "{lost:?}");
    assert!(lost.len() < done.len(), "some were stored");
    let verified = run(&["verify"], &folders.at("new"));
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    // The next start makes a backup of its own, from which it goes on.
    let names = || {
        fs::read_dir(folders.at("backups"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
    };
    let before = names().filter(|name| name.ends_with(".sqlite3.zst.age")).count();
    assert!(names().any(|name| name.contains(".changes-000001.")));
    let server = folders.start(&backups, &[], &["--demo", "--backup-continuously"]);
    wait_until("there is another backup", || {
        names().filter(|name| name.ends_with(".sqlite3.zst.age")).count() > before
    });
    assert_eq!(server.stop(), "");
}
