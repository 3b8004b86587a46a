//! Mail that waits: one of a kind, begun by one process, without its link once it has ended.

use chrono::TimeDelta;
use domain::{MailKind, MailOutcome};
use store::{
    outside::mail::{self, NewMail, Recipient},
    testing::stores,
};

use crate::sample::at;

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
        mail::end(&tx, ids[0], MailOutcome::Sent, None, at(11)).await.unwrap();
        // Looked at once more, as nobody else does.
        mail::put_off(&tx, ids[0], at(11), "").await.unwrap();
        let again = mail::due(&tx, at(11), 10).await.unwrap();
        assert_eq!((again.len(), again[0].link.clone(), again[0].attempts), (1, None, 1));
        tx.commit().await.unwrap();
    }
}
