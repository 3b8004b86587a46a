//! The binary: what it prints, what it refuses, how it stops.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::{self, JoinHandle},
};

use serde_json::Value;

pub(crate) fn concord(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_concord"));
    command.args(arguments);
    for variable in [
        "BIND",
        "DATABASE_URL",
        "DATA_DIR",
        "PUBLIC_URL",
        "LOG",
        "SECRET_KEY_FILE",
        "SERVER",
        "AUDIT_HEADS",
        "CONFIG",
        "METRICS",
        "LOG_FORMAT",
        "MOVE_TO",
        "BACKUP_TO",
        "BACKUP_RECIPIENTS",
    ] {
        command.env_remove(format!("CONCORD_{variable}"));
    }
    command
}

pub(crate) fn run(arguments: &[&str], dir: &Path) -> Output {
    concord(arguments).arg("--data-dir").arg(dir).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A server of its own, killed if a test leaves it running.
pub(crate) struct Running {
    child: Child,
    /// Reads what it writes to standard error: it would wait for ever once the pipe is full.
    complaints: Option<JoinHandle<String>>,
    started: Value,
}

impl Running {
    pub(crate) fn start(arguments: &[&str], dir: &Path) -> Self {
        Self::start_in(&[], arguments, dir)
    }

    /// The same in an environment that has these variables, too.
    pub(crate) fn start_in(environment: &[(&str, &str)], arguments: &[&str], dir: &Path) -> Self {
        let mut child = concord(&["serve", "--print-json", "--bind", "127.0.0.1:0", "--data-dir"])
            .arg(dir)
            .args(arguments)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut complaints = child.stderr.take().unwrap();
        let complaints = thread::spawn(move || {
            let mut text = String::new();
            complaints.read_to_string(&mut text).unwrap();
            text
        });
        let started = serde_json::from_str(&line).unwrap();
        Self { child, complaints: Some(complaints), started }
    }

    pub(crate) fn url(&self) -> &str {
        self.started["url"].as_str().unwrap()
    }

    /// Something else that it has said when it was started.
    pub(crate) fn started(&self, name: &str) -> &str {
        self.started[name].as_str().unwrap()
    }

    /// Sends a request; its head and body follow the request line.
    fn send(&self, line: &str, rest: &str) -> TcpStream {
        let address = self.url().strip_prefix("http://").unwrap();
        let mut connection = TcpStream::connect(address).unwrap();
        write!(connection, "{line} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{rest}")
            .unwrap();
        connection
    }

    /// The status of the answer to whoever comes with this header.
    pub(crate) fn status_of(&self, path: &str, header: &str) -> u16 {
        let mut answer = String::new();
        let mut connection = self.send(&format!("GET {path}"), &format!("{header}\r\n\r\n"));
        connection.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let mut answer = String::new();
        self.send(&format!("GET {path}"), "\r\n").read_to_string(&mut answer).unwrap();
        answer
    }

    /// The whole answer to a request, given by its line and by what follows its first header.
    pub(crate) fn ask(&self, line: &str, rest: &str) -> String {
        let mut answer = String::new();
        self.send(line, rest).read_to_string(&mut answer).unwrap();
        answer
    }

    /// Signs the demo's first person in; the answer is their cookie.
    pub(crate) fn sign_in(&self) -> String {
        self.session_of(&self.started["sign_ins"][0])
    }

    /// Signs somebody of the demo in by their address; the answer is their cookie.
    pub(crate) fn sign_in_as(&self, email: &str) -> String {
        let all = self.started["sign_ins"].as_array().unwrap();
        self.session_of(all.iter().find(|person| person["email"] == email).unwrap())
    }

    fn session_of(&self, person: &Value) -> String {
        let answer = self.try_sign_in(person);
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// What somebody who signs in with what a demo printed is answered.
    fn try_sign_in(&self, person: &Value) -> String {
        let text = |name: &str| person[name].as_str().unwrap();
        let body = format!("email={}&password={}", text("email"), text("password"));
        let rest = format!(
            "origin: {}\r\naccept: application/json\r\ncontent-length: {}\r\n\
             content-type: application/x-www-form-urlencoded\r\n\r\n{body}",
            self.url(),
            body.len()
        );
        let mut answer = String::new();
        let mut connection = self.send("POST /fn/accounts/sign_in", &rest);
        connection.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Tells it to stop and waits until it has; the answer is what it had to complain about.
    pub(crate) fn stop(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        self.complaints.take().unwrap().join().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already if the test went well.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_new_server_prints_the_link_that_sets_it_up_and_stops_when_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(&[], dir.path());
    assert!(server.get("/health").ends_with("ok\n"));
    let link = server.started["set_up"].as_str().unwrap();
    let path = link.strip_prefix(server.url()).unwrap();
    assert!(path.starts_with("/invitations/"), "{path}");
    assert!(server.get(path).starts_with("HTTP/1.1 200"));
    assert_eq!(server.started["sign_ins"], serde_json::json!([]));
    assert_eq!(server.stop(), "");
}

#[test]
fn a_demo_prints_its_sign_ins_and_follows_from_its_rows() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(&["--demo"], dir.path());
    let sign_ins = server.started["sign_ins"].as_array().unwrap();
    assert!(sign_ins.len() > 3);
    assert!(sign_ins.iter().all(|person| !person["password"].as_str().unwrap().is_empty()));
    assert_eq!(server.started["set_up"], Value::Null, "there are accounts already");
    assert_eq!(server.stop(), "");

    let verified = run(&["verify"], dir.path());
    assert!(verified.status.success());
    let lines = text(&verified.stdout);
    assert_eq!(lines.lines().count(), 4, "{lines}");
    assert!(lines.lines().all(|line| line.starts_with("ok ")), "{lines}");
}

#[test]
fn the_ends_of_the_audit_trail_are_written_outside_and_missed_when_they_are_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let add = |name: &str| {
        let email = format!("{name}@example.org");
        let added = run(&["user", "add", "--email", &email, "--name", name], dir.path());
        assert!(added.status.success(), "{}", text(&added.stderr));
    };
    add("ada");
    let database = dir.path().join("concord.sqlite3");
    let early = dir.path().join("early");
    let copied = run(&["backup", early.to_str().unwrap()], dir.path());
    assert!(copied.status.success(), "{}", text(&copied.stderr));
    add("eve");
    assert_eq!(Running::start(&[], dir.path()).stop(), "");
    let heads = dir.path().join("audit-heads.jsonl");
    assert_eq!(fs::metadata(&heads).unwrap().permissions().mode() & 0o777, 0o600);
    let written = fs::read_to_string(&heads).unwrap();
    assert!(written.contains(r#""project":null,"place":2,"mac":""#), "{written}");
    let ok = text(&run(&["verify"], dir.path()).stdout);
    assert!(ok.contains("ok     audit trail of the server, 2 rows since "), "{ok}");

    // An older state of the database in its place: each row in it is signed and in order.
    fs::rename(&early, &database).unwrap();
    for beside in ["-wal", "-shm"] {
        let _ = fs::remove_file(dir.path().join(format!("concord.sqlite3{beside}")));
    }
    let cut = run(&["verify"], dir.path());
    assert_eq!(cut.status.code(), Some(1));
    let said = text(&cut.stdout);
    assert!(said.contains("WRONG  audit trail of the server, 1 row since "), "{said}");
    assert!(said.contains("a head at row 2 was exported, and the last row is 1"), "{said}");

    fs::write(&heads, "no head\n").unwrap();
    let misread = run(&["verify"], dir.path());
    assert!(text(&misread.stderr).contains("audit-heads.jsonl, line 1: "), "{misread:?}");
    let named = run(&["verify", "--audit-heads", "none.jsonl"], dir.path());
    assert!(text(&named.stderr).contains("none.jsonl cannot be read"), "{named:?}");
}

#[test]
fn streams_do_not_keep_the_server_from_stopping() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(&["--demo"], dir.path());
    let rest = format!("cookie: {}\r\n\r\n", server.sign_in());
    let stream = server.send("GET /events/projects/1/agreement", &rest);
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
    assert!(lines.any(|line| line == "event: snapshot"));
    // Nothing was cut off: the stream ended by itself.
    assert_eq!(server.stop(), "");
    let rest: Vec<_> = lines.collect();
    assert!(rest.ends_with(&["0".to_owned(), String::new()]), "it has an end: {rest:?}");
}

#[test]
fn a_demo_is_not_shown_to_the_world() {
    let dir = tempfile::tempdir().unwrap();
    for (option, value) in [("--bind", "0.0.0.0:0"), ("--public-url", "https://concord.example")] {
        let refused = run(&["serve", "--demo", option, value], dir.path());
        assert_eq!(refused.status.code(), Some(1));
        let error = text(&refused.stderr);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains("127.0.0.1") && error.contains("--demo-in-public"), "{error}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn a_demo_is_shown_to_the_world_by_those_who_say_so_and_ends_with_them() {
    let dir = tempfile::tempdir().unwrap();
    let public = ["--demo", "--demo-in-public", "--public-url", "http://concord.example"];
    assert_eq!(Running::start(&public, dir.path()).stop(), "");
    let demo = Running::start(&["--demo"], dir.path());
    let cookie = demo.sign_in();
    let person = demo.started["sign_ins"][0].clone();
    let ask = |server: &Running| {
        let mut answer = String::new();
        let rest = format!("cookie: {cookie}\r\n\r\n");
        server.send("GET /api/v1/projects", &rest).read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask(&demo).starts_with("HTTP/1.1 200"));
    assert_eq!(demo.stop(), "");

    let server = Running::start(&[], dir.path());
    assert!(ask(&server).starts_with("HTTP/1.1 401"), "the session has ended");
    let answer = server.try_sign_in(&person);
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert_eq!(server.stop(), "");
}

#[test]
fn whoever_runs_the_server_makes_links_to_new_passwords_and_withdraws_projects() {
    let dir = tempfile::tempdir().unwrap();
    let add = ["user", "add", "--email", "ada@example.org", "--name", "Ada"];
    assert!(run(&add, dir.path()).status.success());
    let link = ["user", "reset-link", "--email", "ada@example.org"];
    let made = run(&[&link[..], &["--public-url", "https://concord.example"]].concat(), dir.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let link = text(&made.stdout).trim().to_owned();
    let path = link.strip_prefix("https://concord.example").unwrap();
    assert!(path.starts_with("/reset/"), "{link}");
    let server = Running::start(&[], dir.path());
    assert!(server.get(path).contains("ada@example.org"));
    assert_eq!(server.stop(), "");

    let projects = |may: &[&str]| {
        let ask = ["user", "projects", "--email", "ada@example.org"];
        run(&[&ask[..], may].concat(), dir.path())
    };
    assert_eq!(text(&projects(&["--refuse"]).stdout), "ada@example.org may not create projects.\n");
    assert_eq!(text(&projects(&["--allow"]).stdout), "ada@example.org may create projects.\n");
    for wrong in [&["--allow", "--refuse"][..], &[]] {
        assert_eq!(projects(wrong).status.code(), Some(2));
    }
    let ended = run(&["user", "sign-out-everybody"], dir.path());
    assert_eq!(text(&ended.stdout), "0 sessions ended, 1 open link revoked, 0 tokens revoked.\n");
    let nobody = run(&["user", "reset-link", "--email", "nobody@example.org"], dir.path());
    assert_eq!(nobody.status.code(), Some(1));
}

#[test]
fn what_cannot_be_opened_is_said_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    for arguments in [
        &["serve", "--database-url", "mysql://localhost/x"][..],
        &["serve", "--bind", "127.0.0.1:0", "--log", "a=b=c"],
        &["verify"],
        &["user", "reset", "--email", "nobody@example.org"],
    ] {
        let failed = run(arguments, dir.path());
        assert_eq!(failed.status.code(), Some(1), "{arguments:?}");
        let error = text(&failed.stderr);
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.starts_with("concord: "), "{error}");
    }
}

#[test]
fn an_account_gets_a_password_that_is_printed_once_and_can_be_changed() {
    let dir = tempfile::tempdir().unwrap();
    let add = ["user", "add", "--email", "Ada@Example.org", "--name", "Ada"];
    let added = run(&add, dir.path());
    assert!(added.status.success(), "{}", text(&added.stderr));
    assert!(text(&added.stdout).contains("Its password, shown this once: "));
    let twice = run(&add, dir.path());
    assert_eq!(twice.status.code(), Some(1));

    let mut reset = concord(&["user", "reset", "--email", "ada@example.org", "--password-stdin"])
        .arg("--data-dir")
        .arg(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    reset.stdin.take().unwrap().write_all(b"another good password\n").unwrap();
    let reset = reset.wait_with_output().unwrap();
    assert!(reset.status.success());
    assert!(!text(&reset.stdout).contains("shown this once"), "the password was given");
}

#[test]
fn a_token_is_made_used_listed_and_revoked() {
    let dir = tempfile::tempdir().unwrap();
    let add = ["user", "add", "--email", "ada@example.org", "--name", "Ada"];
    assert!(run(&add, dir.path()).status.success());
    let of_ada = |command: &[&str]| {
        let arguments = [&["token"], command, &["--email", "ada@example.org"]].concat();
        run(&arguments, dir.path())
    };
    let create = ["create", "--name", "notebook", "--scopes", "read,review", "--days", "9"];
    let made = of_ada(&create);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let secret = text(&made.stdout).trim().to_owned();
    assert!(secret.starts_with("concord_"), "{secret}");
    for days in ["0", "366"] {
        let refused = of_ada(&["create", "--name", "forever", "--days", days]);
        assert_eq!(refused.status.code(), Some(1));
    }

    let server = Running::start(&[], dir.path());
    let ask = || {
        let mut answer = String::new();
        let rest = format!("authorization: Bearer {secret}\r\n\r\n");
        server.send("GET /api/v1/projects", &rest).read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask().starts_with("HTTP/1.1 200"));
    let listed = text(&of_ada(&["list"]).stdout);
    assert!(listed.contains("notebook") && listed.contains("read,review"), "{listed}");
    assert!(!listed.contains(&secret) && !listed.contains("never"), "{listed}");
    assert!(of_ada(&["revoke", "--id", "1"]).status.success());
    assert!(ask().starts_with("HTTP/1.1 401"));
    assert_eq!(text(&of_ada(&["list"]).stdout).trim(), "No tokens.");
}

#[test]
fn a_provider_s_token_is_made_used_listed_and_revoked() {
    let dir = tempfile::tempdir().unwrap();
    let add = ["user", "add", "--email", "ada@example.org", "--name", "Ada"];
    assert!(run(&add, dir.path()).status.success());
    let scim = |command: &[&str]| run(&[&["token", "scim"], command].concat(), dir.path());
    let create = ["create", "--provider", "example"];
    let made = scim(&create);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let secret = text(&made.stdout).trim().to_owned();
    assert!(secret.starts_with("concord_scim_"), "{secret}");

    let provider =
        r#"{ "name": "example", "issuer": "https://id.example.org", "client-id": "concord" }"#;
    let file = dir.path().join("concord.toml");
    let settings = "[[provider]]\nname = \"example\"\nissuer = \"https://id.example.org\"\n\
                    client-id = \"concord\"\n";
    fs::write(&file, settings).unwrap();
    let mistyped = scim(&["create", "--provider", "exmaple", "--config", file.to_str().unwrap()]);
    assert_eq!(mistyped.status.code(), Some(1));
    assert!(text(&mistyped.stderr).contains("no provider named"), "{}", text(&mistyped.stderr));
    let server = Running::start(&["--provider", provider], dir.path());
    let ask = || {
        let mut answer = String::new();
        let rest = format!("authorization: Bearer {secret}\r\n\r\n");
        server.send("GET /scim/v2/Users", &rest).read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask().starts_with("HTTP/1.1 200"), "{}", ask());
    let listed = text(&scim(&["list"]).stdout);
    assert!(listed.contains("example") && !listed.contains("never"), "{listed}");
    assert!(!listed.contains(&secret), "{listed}");
    let revoke = ["revoke", "--provider", "example"];
    assert!(scim(&revoke).status.success());
    assert!(ask().starts_with("HTTP/1.1 401"), "{}", ask());
    assert_eq!(text(&scim(&["list"]).stdout).trim(), "No tokens.");
    let again = scim(&revoke);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("no SCIM token"), "{}", text(&again.stderr));
}

#[test]
fn with_an_account_there_is_no_set_up_link() {
    let dir = tempfile::tempdir().unwrap();
    let add = ["user", "add", "--email", "ada@example.org", "--name", "Ada"];
    assert!(run(&add, dir.path()).status.success());
    let server = Running::start(&["--public-url", "https://concord.example"], dir.path());
    assert_eq!(server.started["set_up"], Value::Null);
    assert_eq!(server.url(), "https://concord.example");
}
