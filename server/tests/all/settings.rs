//! Settings from the command line, the environment and a file: which of them holds, and what is said of
//! wrong ones.

use std::{
    fs,
    process::{Command, Output},
};

use super::cli::{Running, concord, text};

/// A file of settings in a folder of its own.
fn written(content: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("concord.toml");
    fs::write(&path, content).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (dir, path)
}

fn done(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code().unwrap(), text(&stdout), text(&stderr))
}

/// The row of a setting, its columns parted by one space.
fn row(printed: &str, name: &str) -> String {
    let of_name = |line: &&str| line.split_whitespace().next() == Some(name);
    let line = printed.lines().find(of_name).unwrap_or_else(|| panic!("{name}: {printed}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_nearer_holds_and_every_setting_is_printed_with_where_it_comes_from() {
    let (_dir, path) = written(
        "bind = \"127.0.0.1:81\"\nlog = \"info\"\nlive-memory = 7\nrequire-second-factor = true\n\
         database-url = \"postgres://concord:hush@db/concord\"\n",
    );
    let mut check = concord(&["config", "check", "--config", &path, "--bind", "127.0.0.1:83"]);
    check.env("CONCORD_BIND", "127.0.0.1:82").env("CONCORD_LOG", "error");
    check.env("CONCORD_REQUIRE_SECOND_FACTOR", "false");
    let (code, printed, said) = done(check.env("CONCORD_LOGS", "?"));
    assert_eq!(code, 0, "{said}");
    assert_eq!(row(&printed, "bind"), "bind 127.0.0.1:83 command line");
    assert_eq!(row(&printed, "log"), "log error environment, CONCORD_LOG");
    assert_eq!(row(&printed, "live-memory"), format!("live-memory 7 {path}, line 3"));
    assert_eq!(
        row(&printed, "require-second-factor"),
        "require-second-factor false environment, CONCORD_REQUIRE_SECOND_FACTOR"
    );
    assert_eq!(row(&printed, "api-requests"), "api-requests 600 default");
    assert_eq!(row(&printed, "database-url"), format!("database-url (set) {path}, line 5"));
    assert!(!printed.contains("hush") && !said.contains("hush"));
    let lines: Vec<_> = said.lines().filter(|line| line.contains("CONCORD_LOG")).collect();
    assert_eq!(lines, ["concord: the environment has CONCORD_LOGS, which is no setting"]);
}

#[test]
fn a_server_starts_with_the_settings_of_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let (_file, path) =
        written("metrics = \"127.0.0.1:0\"\npublic-url = \"http://localhost:81\"\n");
    let server =
        Running::start(&["--config", &path, "--public-url", "http://127.0.0.1:82"], dir.path());
    assert!(server.started("metrics").ends_with("/metrics"));
    assert_eq!(server.url(), "http://127.0.0.1:82");
    drop(server);
}

#[test]
fn a_wrong_setting_is_told_by_its_name_wherever_it_comes_from() {
    let (_dir, path) = written("\nbind = \"nowhere\"\n");
    let (code, printed, said) = done(&mut concord(&["serve", "--config", &path]));
    assert_eq!((code, printed.as_str()), (3, ""));
    assert!(said.starts_with(&format!("concord: {path}, line 2: `bind`: invalid value")), "{said}");

    let (_dir, right) = written("log = \"warn\"\n");
    let mut serve = concord(&["serve", "--config", &right]);
    let (code, _, said) = done(serve.env("CONCORD_BIND", "nowhere"));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("the environment, CONCORD_BIND\n") && said.contains("--bind"), "{said}");

    let (code, _, said) =
        done(concord(&["serve", "--bind=nowhere"]).env("CONCORD_BIND", "127.0.0.1:80"));
    assert_eq!(code, 2);
    assert!(!said.contains("the environment, "), "it is not from there: {said}");

    let (code, _, said) = done(&mut concord(&["serve", "--config", "/nonexistent/concord.toml"]));
    assert_eq!(code, 3);
    assert!(said.contains("/nonexistent/concord.toml cannot be read: "), "{said}");
}

#[test]
fn other_commands_find_the_database_by_the_file() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("of the file");
    let (_dir, path) = written(&format!("bind = \"127.0.0.1:81\"\ndata-dir = {folder:?}\n"));
    let given = ["migrate", "--check", "--config", &path];
    let (code, _, said) = done(&mut concord(&given));
    assert_eq!(code, 1);
    assert!(said.contains("no database at ") && said.contains("of the file"), "{said}");
    let (code, _, said) = done(concord(&["migrate", "--check"]).env("CONCORD_CONFIG", &path));
    assert_eq!(code, 1);
    assert!(said.contains("of the file"), "{said}");

    // A server that is asked in place of a database goes before the file.
    let (_dir, path) = written("database-url = \"postgres://concord@localhost/concord\"\n");
    let given = ["verify", "--server", "http://127.0.0.1:9", "--config", &path];
    let (_, _, said) = done(concord(&given).env("CONCORD_TOKEN", "none"));
    assert!(said.contains("the server cannot be reached"), "{said}");
}

#[test]
fn a_mail_server_is_read_before_a_server_starts_with_it_and_its_password_stays_hidden() {
    let site = "public-url = \"https://concord.example\"\nmail-from = \"concord@example.org\"\n";
    let (_dir, path) = written(&format!("smtp-url = \"smtp://me:hush@mail.example.org\"\n{site}"));
    for command in [&["config", "check"][..], &["serve"], &["mail", "test", "ada@example.org"]] {
        let (code, printed, said) =
            done(&mut concord(&[command, &["--config", path.as_str()]].concat()));
        assert_eq!(code, 1, "{command:?}: {said}");
        assert!(said.contains("--smtp-url: the password would travel in the clear"), "{said}");
        assert!(!printed.contains("hush") && !said.contains("hush"));
    }
    let (code, _, said) = done(&mut concord(&["mail", "test", "ada@example.org"]));
    assert_eq!(code, 2);
    assert!(said.contains("no mail is set up"), "{said}");
}
