//! Mail that waits: one of a kind, begun by one process, without its link once it has ended.

use chrono::TimeDelta;
use domain::{MailKind, MailOutcome};
use sea_orm::{ConnectionTrait, Database, QueryResult, Statement};
use store::{
    outside::mail::{self, Ending, NewMail, Recipient},
    testing::{TestStore, stores},
};

use crate::sample::{at, person};

fn invitation(key: &str) -> NewMail {
    NewMail {
        kind: MailKind::Invitation,
        to: Recipient::Address("nina@example.org".to_owned()),
        project: None,
        key: key.to_owned(),
        link: Some("sealed".to_owned()),
        due_at: at(10),
    }
}

#[tokio::test]
async fn a_mail_is_queued_once_begun_once_and_keeps_no_link() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        assert!(mail::enqueue_one(&tx, invitation("one"), at(0)).await.unwrap());
        assert!(!mail::enqueue_one(&tx, invitation("one"), at(1)).await.unwrap());
        mail::enqueue(&tx, vec![invitation("one"), invitation("two")], at(1)).await.unwrap();
        tx.commit().await.unwrap();
        assert!(mail::due(&*store, at(9), 10).await.unwrap().is_empty());
        assert_eq!(mail::backlog(&*store, at(12)).await.unwrap(), (2, Some(at(10))));
        let due = mail::due(&*store, at(10), 10).await.unwrap();
        let ids: Vec<_> = due.iter().map(|due| due.id).collect();
        assert_eq!(ids.len(), 2);
        assert_eq!(due[0].link.as_deref(), Some("sealed"));

        let tx = store.begin().await.unwrap();
        let until = at(10) + TimeDelta::minutes(2);
        assert_eq!(mail::claim(&tx, &ids, at(10), until).await.unwrap().len(), 2);
        assert!(mail::claim(&tx, &ids, at(11), until).await.unwrap().is_empty());
        let sent = Ending { outcome: MailOutcome::Sent, address: None, problem: None, at: at(11) };
        assert!(mail::end(&tx, &due[0], sent).await.unwrap());
        tx.commit().await.unwrap();
        let row = mail::list(&*store, None, 10).await.unwrap().pop().unwrap();
        assert_eq!((row.id, row.outcome, row.attempts), (ids[0], Some(MailOutcome::Sent), 1));
        assert_eq!(linked(&store).await, [(ids[1].0, "sealed".to_owned())]);
    }
}

/// The mails that still have a link.
async fn linked(store: &TestStore) -> Vec<(i64, String)> {
    let connection = Database::connect(store.url()).await.unwrap();
    let sql = "SELECT id, link FROM mail WHERE link IS NOT NULL ORDER BY id";
    let sql = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(sql).await.unwrap();
    let read =
        |row: &QueryResult| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
    let linked = rows.iter().map(read).collect();
    connection.close().await.unwrap();
    linked
}

#[tokio::test]
async fn a_try_that_comes_too_late_changes_nothing() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        mail::enqueue_one(&tx, invitation("one"), at(0)).await.unwrap();
        let first = mail::due(&tx, at(10), 1).await.unwrap().remove(0);
        mail::claim(&tx, &[first.id], at(10), at(20)).await.unwrap();
        // The first server hangs, and a second begins.
        let second = mail::due(&tx, at(20), 1).await.unwrap().remove(0);
        mail::claim(&tx, &[second.id], at(20), at(30)).await.unwrap();
        let refused =
            Ending { outcome: MailOutcome::Refused, address: None, problem: None, at: at(21) };
        assert!(!mail::put_off(&tx, &first, at(21), "late").await.unwrap());
        assert!(!mail::end(&tx, &first, refused).await.unwrap());
        assert!(mail::due(&tx, at(29), 1).await.unwrap().is_empty());
        let sent = Ending { outcome: MailOutcome::Sent, address: Some("nina@a"), ..refused };
        assert!(mail::end(&tx, &second, sent).await.unwrap());
        assert!(!mail::put_off(&tx, &second, at(22), "later").await.unwrap());
        assert!(mail::due(&tx, at(99), 1).await.unwrap().is_empty(), "what was sent stays sent");
        tx.commit().await.unwrap();
        let row = mail::list(&*store, None, 10).await.unwrap().remove(0);
        assert_eq!((row.outcome, row.problem), (Some(MailOutcome::Sent), None));
        assert_eq!(row.address.as_deref(), Some("nina@a"), "the address that was used");
    }
}

#[tokio::test]
async fn of_two_who_refuse_kinds_at_once_neither_is_lost() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let ann = person(&tx, "ann").await;
        tx.commit().await.unwrap();
        let refuse = async |kind| {
            let tx = store.begin().await.unwrap();
            let is_new = mail::refuse(&tx, ann, kind).await.unwrap();
            tokio::task::yield_now().await;
            tx.commit().await.unwrap();
            is_new
        };
        let both = tokio::join!(refuse(MailKind::Alert), refuse(MailKind::NewWork));
        assert_eq!(both, (true, true));
        assert!(!refuse(MailKind::Alert).await);
        let refused = mail::refused_by(&*store, ann).await.unwrap();
        assert_eq!(refused, [MailKind::Alert, MailKind::NewWork].into());
    }
}
