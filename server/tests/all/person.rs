//! Requests about personal data: files that people take away, and accounts that whoever runs the server erases.

use std::{fs, os::unix::fs::PermissionsExt};

use http::StatusCode;
use serde_json::Value;
use services::Store;
use store::testing::count_rows;

use super::{
    cli::{run, text},
    world::{ANSWER, Facts, PEER_EMAIL, PEER_NAME, PEER_WORDS, Person, World},
};

#[tokio::test]
async fn a_labelers_file_has_all_of_theirs_and_nothing_of_anybody_else() {
    let world = World::new().await;
    let answer = world.get(Person::Labeler, "/account/data").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.header("content-disposition").starts_with("attachment; filename=\"person-"));
    assert_eq!(answer.header("content-type"), "application/json");
    let all = answer.json();
    assert_eq!(all["tables"]["user_account"][0]["email"], Facts::email(Person::Labeler));
    for (table, least) in [("span", 4), ("comment", 1), ("assignment_flag", 1), ("identity", 1)] {
        let rows = all["tables"][table].as_array().unwrap();
        assert!(rows.len() >= least, "{table}: {rows:?}");
    }
    for words in [PEER_NAME, PEER_EMAIL, PEER_WORDS, ANSWER] {
        assert!(!answer.text().contains(words), "{words}");
    }
    let path = format!("/admin/accounts/{}/data", world.facts.account);
    let theirs = world.get(Person::Administrator, &path).await.json();
    assert_eq!(theirs["tables"]["user_account"][0]["email"], Facts::email(Person::Bystander));
    assert_eq!(theirs["tables"]["mail"][0]["kind"], "new-work");
}

#[tokio::test]
async fn whoever_runs_the_server_exports_and_erases_people_by_their_address() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["ada", "ben"] {
        let email = format!("{name}@example.org");
        let added = run(&["user", "add", "--email", &email, "--name", name], dir.path());
        assert!(added.status.success(), "{}", text(&added.stderr));
    }
    let file = dir.path().join("ben.json");
    let export = ["user", "export", "--email", "ben@example.org", file.to_str().unwrap()];
    let exported = run(&export, dir.path());
    assert!(exported.status.success(), "{}", text(&exported.stderr));
    let all: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(all["tables"]["user_account"][0]["name"], "ben");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let noted = async || {
        let url = format!("sqlite://{}/concord.sqlite3?mode=rw", dir.path().display());
        let store = Store::open(&url).await.unwrap();
        let noted = count_rows(&store, &["audit"]).await;
        store.close().await.unwrap();
        noted
    };
    let before = noted().await;
    let again = run(&export, dir.path());
    assert!(text(&again.stderr).contains("cannot be written"), "{again:?}");
    assert_eq!(noted().await, before, "nobody has taken anything away");

    let erase = |email: &str, confirm: &[&str]| {
        let erased = run(&[&["user", "erase", "--email", email], confirm].concat(), dir.path());
        (erased.status.code(), text(&erased.stdout) + &text(&erased.stderr))
    };
    for unsure in [&[][..], &["--confirm", "ada@example.org"]] {
        let (code, said) = erase("ben@example.org", unsure);
        assert!(code == Some(1) && said.contains("not erased"), "{said}");
    }
    let (code, said) = erase("ada@example.org", &["--confirm", "ada@example.org"]);
    assert!(code == Some(1) && said.contains("only administrator"), "{said}");
    let (code, said) = erase("ben@example.org", &["--confirm", "Ben@example.org"]);
    assert!(code == Some(0) && said.starts_with("Account erased."), "{said}");
    let (code, said) = erase("ben@example.org", &["--confirm", "ben@example.org"]);
    assert!(code == Some(1) && said.contains("no account has this"), "{said}");
}
