//! The binary: backups that are good, and databases that come back from them.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use super::cli::{Running, concord, run, text};

fn call(command: &str, file: &Path, options: &[&str], dir: &Path) -> Output {
    concord(&[command]).arg(file).args(options).arg("--data-dir").arg(dir).output().unwrap()
}

fn refused(output: &Output, code: i32, words: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    assert!(output.stdout.is_empty());
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_backup_of_a_running_server_comes_back_as_it_was() {
    let (dir, kept, new) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Running::start(&["--demo"], dir.path());
    let file = kept.path().join("back up.sqlite3");
    let made = call("backup", &file, &["--json"], dir.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let said: Value = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!(said["bytes"].as_u64(), Some(fs::metadata(&file).unwrap().len()));
    assert_eq!(said["projects"].as_array().unwrap().len(), 2);
    assert_eq!(names(kept.path()), ["back up.sqlite3"], "nothing is left beside it");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    refused(&call("backup", &file, &[], dir.path()), 2, "--force replaces it");
    assert!(call("backup", &file, &["--force"], dir.path()).status.success());

    // A database that a server has open stays as it is.
    let before = run(&["verify"], dir.path()).stdout;
    refused(&call("restore", &file, &[], dir.path()), 2, "--force replaces it");
    refused(&call("restore", &file, &["--force"], dir.path()), 1, "stop the server first");
    assert_eq!(server.stop(), "");
    assert_eq!(run(&["verify"], dir.path()).stdout, before);

    let target = new.path().join("inner");
    let back = call("restore", &file, &[], &target);
    assert!(back.status.success(), "{}", text(&back.stderr));
    assert_eq!(names(&target), ["concord.sqlite3"]);
    let strange = text(&run(&["verify"], &target).stdout);
    assert!(strange.contains("signed with a key that is not at"), "{strange}");
    fs::copy(dir.path().join("secret.key"), target.join("secret.key")).unwrap();
    assert_eq!(run(&["verify"], &target).stdout, before);

    let back = call("restore", &file, &["--force", "--json"], dir.path());
    assert!(back.status.success(), "{}", text(&back.stderr));
    assert!(names(dir.path()).contains(&"concord.sqlite3.replaced".to_owned()));
    // Where the key is, the trail says that everybody was signed out.
    let after = text(&run(&["verify"], dir.path()).stdout);
    let (noted, same): (Vec<_>, Vec<_>) =
        after.lines().partition(|line| line.contains("audit trail of the server, 1 row since"));
    assert_eq!((noted.len(), same), (1, text(&before).lines().collect()));
    // The secret key is in no backup; without it, only who says so goes on.
    fs::remove_file(target.join("secret.key")).unwrap();
    refused(
        &run(&["serve", "--bind", "127.0.0.1:0"], &target),
        1,
        "secret.key of this database is missing",
    );
    fs::copy(dir.path().join("secret.key"), target.join("secret.key")).unwrap();
    let again = Running::start(&[], &target);
    assert_eq!(again.stop(), "");
    let noted = text(&run(&["verify"], &target).stdout);
    assert!(noted.contains("ok     audit trail of the server, 1 row since"), "{noted}");
    fs::remove_file(target.join("secret.key")).unwrap();
    let again = Running::start(&["--new-secret-key"], &target);
    assert_eq!(again.stop(), "");
    let anew = run(&["verify"], &target);
    assert!(anew.status.success() && text(&anew.stdout).contains("1 signed anew"), "{anew:?}");
}

#[test]
fn what_is_no_sound_backup_is_refused_and_changes_nothing() {
    let (dir, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let add = ["user", "add", "--email", "ada@example.org", "--name", "Ada", "--json"];
    let added: Value = serde_json::from_slice(&run(&add, dir.path()).stdout).unwrap();
    assert!(added["password"].as_str().is_some_and(|password| password.len() > 10));
    let file = kept.path().join("backup");
    assert!(call("backup", &file, &[], dir.path()).status.success());
    let bytes = fs::read(&file).unwrap();

    let wrong = kept.path().join("wrong");
    let mut holed = bytes.clone();
    holed[4096..40_960].fill(0xA5);
    for broken in
        [&b"no database at all, but long enough to be one"[..], b"", &bytes[..20_000], &holed]
    {
        fs::write(&wrong, broken).unwrap();
        let target = kept.path().join("target");
        refused(&call("restore", &wrong, &[], &target), 3, "is not a valid backup");
        assert!(names(&target).is_empty(), "{:?}", names(&target));
        let before = fs::read(dir.path().join("concord.sqlite3")).unwrap();
        refused(&call("restore", &wrong, &["--force"], dir.path()), 3, "is not a valid backup");
        assert_eq!(fs::read(dir.path().join("concord.sqlite3")).unwrap(), before);
    }
    refused(&call("restore", &kept.path().join("none"), &[], &kept.path().join("x")), 3, "opened");
    refused(&call("backup", &file, &[], &kept.path().join("none")), 1, "no database at");

    // A broken database is what backups are for.
    fs::write(dir.path().join("concord.sqlite3"), "broken").unwrap();
    assert!(call("restore", &file, &["--force"], dir.path()).status.success());
    assert!(run(&["verify"], dir.path()).status.success());
}

#[test]
fn what_was_open_when_it_was_backed_up_is_closed_when_it_comes_back() {
    let (dir, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Running::start(&["--demo"], dir.path());
    let session = format!("cookie: {}", server.sign_in());
    let email = "manager@demo.example";
    let create = ["token", "create", "--email", email, "--name", "notebook"];
    let token = text(&run(&create, dir.path()).stdout).trim().to_owned();
    let token = format!("authorization: Bearer {token}");
    let link = text(&run(&["user", "reset-link", "--email", email], dir.path()).stdout);
    let link = link.trim().rsplit_once("/reset/").unwrap().1.to_owned();
    let file = kept.path().join("backup");
    assert!(call("backup", &file, &[], dir.path()).status.success());
    assert_eq!(server.stop(), "");

    let status = |server: &Running, header: &str| server.status_of("/api/v1/projects", header);
    for (options, said, of_token) in [
        (&["--force"][..], "1 token revoked", 401),
        (&["--force", "--revoke-tokens"], "1 token revoked", 401),
        (&["--force", "--keep-tokens"], "tokens kept", 200),
    ] {
        let back = call("restore", &file, options, dir.path());
        assert!(back.status.success(), "{}", text(&back.stderr));
        let told = text(&back.stdout);
        assert!(told.contains("1 session ended, 1 open link revoked") && told.contains(said));
        assert!(told.contains("Passwords, members and roles are those of the backup."), "{told}");
        // A demo again: on any other server its people's tokens would end anyway.
        let server = Running::start(&["--demo"], dir.path());
        assert_eq!(status(&server, &session), 401);
        assert_eq!(status(&server, &token), of_token, "{options:?}");
        assert!(server.get(&format!("/reset/{link}")).contains("This link no longer works"));
        assert_eq!(server.stop(), "");
    }
    let both = call("restore", &file, &["--keep-tokens", "--revoke-tokens"], dir.path());
    assert_eq!(both.status.code(), Some(2));
}

#[tokio::test]
async fn a_backup_with_what_concord_did_not_make_is_not_restored() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Running::start(&["--demo"], dir.path()).stop(), "");
    let made = dir.path().join("good.sqlite3");
    assert!(call("backup", &made, &[], dir.path()).status.success());
    for (sql, told) in [
        (
            "CREATE TRIGGER more AFTER DELETE ON session
             BEGIN UPDATE user_account SET is_administrator = TRUE; END",
            "it holds the trigger \"more\", which Concord did not make",
        ),
        ("CREATE TABLE more (id integer)", "it holds the table \"more\""),
        ("CREATE VIEW more AS SELECT 1", "it holds the view \"more\""),
    ] {
        let file = dir.path().join("changed.sqlite3");
        fs::copy(&made, &file).unwrap();
        store::testing::tamper_at(&format!("sqlite://{}", file.display()), sql).await;
        let target = dir.path().join("target");
        refused(&call("restore", &file, &[], &target), 3, told);
        assert_eq!(names(&target), Vec::<String>::new(), "nothing is left");
        // Who makes such a backup hears of it.
        let database = format!("sqlite://{}?mode=rwc", file.display());
        let again = dir.path().join("again.sqlite3");
        let warned = concord(&["backup", "--force", "--database-url", &database])
            .arg(&again)
            .output()
            .unwrap();
        assert!(warned.status.success() && text(&warned.stderr).contains(told));
        fs::remove_dir_all(&target).unwrap();
    }
}

#[test]
fn a_single_file_is_made_of_sqlite_only() {
    let output = concord(&["backup", "file", "--database-url", "postgres://a@127.0.0.1:1/b"])
        .output()
        .unwrap();
    refused(&output, 2, "use --backup-to of concord serve, or pg_dump");
}

#[test]
fn results_of_verifying_are_there_for_programs() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Running::start(&["--demo"], dir.path()).stop(), "");
    let verified = run(&["verify", "--json"], dir.path());
    let reports: Value = serde_json::from_slice(&verified.stdout).unwrap();
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), 4, "two projects, and an audit trail of each");
    assert!(reports.iter().all(|report| report["problems"] == serde_json::json!([])));
}

#[test]
fn shells_and_readers_are_told_of_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = concord(&["completions", shell]).output().unwrap();
        assert!(script.status.success());
        let script = text(&script.stdout);
        assert!(script.contains("restore") && script.contains("database-url"), "{shell}");
    }
    let script = concord(&["completions", "bash"]).output().unwrap().stdout;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("concord.bash");
    fs::write(&path, script).unwrap();
    assert!(Command::new("bash").arg("-n").arg(&path).status().unwrap().success());

    let page = text(&concord(&["man"]).output().unwrap().stdout);
    assert!(page.contains(".TH concord 1") && page.contains("backup"), "{page}");
    let written = concord(&["man", "--dir"]).arg(dir.path()).output().unwrap();
    assert!(written.status.success());
    assert!(names(dir.path()).contains(&"concord-backup.1".to_owned()));
}
