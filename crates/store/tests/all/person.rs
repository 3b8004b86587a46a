//! What is somebody's: each column is in a class, everything of theirs is told, and nothing of others.

use std::collections::{BTreeMap, BTreeSet};

use domain::{MailKind, Role, UserId};
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::Value;
use store::{
    Store,
    account::{
        administration::{self, Nobody},
        invitations::{self, NewInvitation},
    },
    outside::{
        mail::{self, NewMail, Recipient},
        person::{CLASSES, Classes, Fate, write},
    },
    testing::{columns, columns_to, columns_with, fill_every_table, sqlite, stores, tamper},
};

use crate::sample::{at, sample};

/// The columns of a list, as `table.column`.
fn of(classes: &Classes, list: &'static str) -> BTreeSet<String> {
    Classes::columns(list).map(|column| format!("{}.{column}", classes.table)).collect()
}

#[tokio::test]
async fn every_column_is_in_one_class() {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut whose = BTreeSet::new();
    for classes in CLASSES {
        for list in [classes.told, classes.numbered, classes.kept_back, classes.plain] {
            for column in of(classes, list) {
                *known.entry(column).or_default() += 1;
            }
        }
        whose.extend(of(classes, classes.whose));
    }
    let twice: Vec<_> = known.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let classified: BTreeSet<_> = known.into_keys().chain(whose.iter().cloned()).collect();
    for store in stores().await {
        let columns = columns(&store).await;
        let new: Vec<_> = columns.difference(&classified).collect();
        assert!(new.is_empty(), "not in crates/store/src/outside/person/classes.rs: {new:?}");
        let gone: Vec<_> = classified.difference(&columns).collect();
        assert!(gone.is_empty(), "not in the schema: {gone:?}");
    }
    let tables: Vec<_> = CLASSES.iter().map(|classes| classes.table).collect();
    assert!(tables.is_sorted(), "{tables:?}");
}

#[tokio::test]
async fn a_column_that_names_a_person_says_whose_a_row_is_or_is_kept_back() {
    for store in stores().await {
        for table in ["user_account", "member"] {
            for column in columns_to(&store, table).await {
                let name = column.split_once('.').unwrap().0;
                let classes = CLASSES.iter().find(|classes| classes.table == name).unwrap();
                let is_known = of(classes, classes.whose).contains(&column)
                    || of(classes, classes.kept_back).contains(&column);
                assert!(is_known, "{column} names somebody");
            }
        }
    }
}

#[test]
fn what_goes_with_a_person_is_theirs_alone() {
    for classes in CLASSES.iter().filter(|classes| classes.fate == Fate::Deleted) {
        assert_eq!(classes.whose.trim(), "user_id", "{}", classes.table);
    }
}

async fn exported(store: &Store, person: i64) -> String {
    let mut out = Vec::new();
    let db = store.begin_read().await.unwrap();
    write(&db, UserId(person), at(0), &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

#[tokio::test]
async fn everything_of_a_person_is_told_and_nothing_of_others_and_no_secret() {
    for store in stores().await {
        // In each table a row is that of the person with the same number.
        fill_every_table(&store).await;
        tamper(&store, "UPDATE project SET release_level = 'after-release'").await;
        let text = exported(&store, 1).await;
        let all: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (all["form"].as_str(), all["account"].as_i64()),
            (Some("concord person 1"), Some(1))
        );
        for classes in CLASSES {
            let table = classes.table;
            let rows = all["tables"][table].as_array().map(Vec::len);
            let is_told = !classes.told.is_empty();
            let expected = is_told.then_some(usize::from(!classes.whose.is_empty()));
            assert_eq!(rows, expected, "{table}");
            for column in Classes::columns(classes.told) {
                let cell = &all["tables"][table][0][column];
                assert!(!cell.is_null(), "{table}.{column}");
                if let Some(words) = cell.as_str().filter(|words| words.contains(": ")) {
                    assert!(table == "audit" || words.starts_with(&format!("{table}.{column} 1:")));
                }
            }
            if let Some(row) = all["tables"][table].get(0).and_then(Value::as_object) {
                let lists = [classes.told, classes.numbered];
                let told: BTreeSet<_> = lists.into_iter().flat_map(Classes::columns).collect();
                assert_eq!(row.keys().map(String::as_str).collect::<BTreeSet<_>>(), told);
            }
            for column in Classes::columns(classes.numbered) {
                assert_eq!(all["tables"][table][0][column], 1, "{table}.{column}");
            }
            for column in Classes::columns(classes.kept_back) {
                assert!(!text.contains(&format!("{table}.{column}")), "{table}.{column}");
            }
        }
        for table in ["document", "label", "project"] {
            let name = all["names"][table]["1"].as_str().unwrap();
            assert!(name.starts_with(&format!("{table}.name 1:")), "{name}");
        }
        // Ids of the second person's rows are numbered anew, so that none tells how many there are.
        let second: Value = serde_json::from_str(&exported(&store, 2).await).unwrap();
        assert_eq!(second["tables"]["comment_thread"][0]["id"], 1);
        assert_eq!(second["tables"]["comment"][0]["thread_id"], 1);
        assert!(exported(&store, 99).await.contains("\"user_account\":[]"));
    }
}

#[tokio::test]
async fn a_row_is_nobodys_by_a_column_that_does_not_say_whose_it_is() {
    for store in stores().await {
        fill_every_table(&store).await;
        let before = exported(&store, 3).await;
        for table in ["user_account", "member"] {
            for place in columns_to(&store, table).await {
                let (name, column) = place.split_once('.').unwrap();
                let classes = CLASSES.iter().find(|classes| classes.table == name).unwrap();
                if !of(classes, classes.whose).contains(&place) {
                    tamper(&store, &format!("UPDATE {name} SET {column} = 3")).await;
                }
            }
        }
        assert_eq!(exported(&store, 3).await, before);
        // By either, where two say it.
        tamper(&store, "UPDATE assignment_note SET written_by = 3").await;
        let all: Value = serde_json::from_str(&exported(&store, 3).await).unwrap();
        assert_eq!(all["tables"]["assignment_note"].as_array().unwrap().len(), 3);
    }
}

#[tokio::test]
async fn what_the_audit_trail_has_of_somebody_is_found_by_indexes() {
    let store = sqlite().await;
    let connection = Database::connect(store.url()).await.unwrap();
    let sql = "EXPLAIN QUERY PLAN SELECT * FROM audit WHERE user_id = 1 OR subject = 'user 1'";
    let explain = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(explain).await.unwrap();
    let plan: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
    let plan = plan.join("; ");
    for index in ["index_audit_user_id", "index_audit_subject"] {
        assert!(plan.contains(index), "{plan}");
    }
    connection.close().await.unwrap();
}

#[tokio::test]
async fn mail_to_an_address_of_before_is_told_and_goes_with_the_person() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [ann, ben, _] = sample.users;
        let tx = store.begin().await.unwrap();
        let new = NewInvitation {
            token_hash: "hash".to_owned(),
            project: Some(sample.project),
            role: Some(Role::Labeler),
            email: Some("ann@before.example".to_owned()),
            claims: None,
            created_by: Some(ben),
            created_at: at(0),
            expires_at: at(9),
        };
        let invitation = invitations::create(&tx, new).await.unwrap();
        assert!(invitations::accept(&tx, invitation, ann, at(1)).await.unwrap());
        for (address, key) in [("ann@before.example", "one"), ("eve@example.org", "two")] {
            let to = Recipient::Address(address.to_owned());
            let (kind, project) = (MailKind::Invitation, Some(sample.project));
            let key = key.to_owned();
            let mail = NewMail { kind, to, project, key, link: None, due_at: at(1) };
            assert!(mail::enqueue_one(&tx, mail, at(1)).await.unwrap());
        }
        tx.commit().await.unwrap();
        let all: Value = serde_json::from_str(&exported(&store, ann.0).await).unwrap();
        let mails = all["tables"]["mail"].as_array().unwrap();
        assert_eq!((mails.len(), &mails[0]["address"]), (1, &Value::from("ann@before.example")));

        let tx = store.begin().await.unwrap();
        let nobody = Nobody { name: "nobody", address: "nobody@deleted.invalid", hash: "" };
        administration::erase(&tx, ann, nobody, at(2)).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(columns_with(&store, "ann@").await, Vec::<String>::new());
        assert_eq!(columns_with(&store, "eve@").await, ["mail.address"]);
    }
}
