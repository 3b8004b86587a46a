//! Answered saves, released agreement, the audit trail.

use domain::{AuditEvent, Revision, UserId};
use store::{
    Error, Tx,
    agreement::own_releases,
    outside::audit::{self, Audit, Filter},
    testing::stores,
    work::save_keys::{self, NewSave},
};

use crate::sample::{at, person, sample};

const fn answered(user: UserId, response: String) -> NewSave<'static> {
    NewSave { user, key: "key", fingerprint: "print", response }
}

#[tokio::test]
async fn an_answer_is_kept_for_its_person_and_key() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        save_keys::insert(&tx, vec![answered(ann, "answer".to_owned())], at(0)).await.unwrap();
        save_keys::insert(&tx, vec![answered(ben, "other".to_owned())], at(10)).await.unwrap();
        tx.commit().await.unwrap();

        let found = save_keys::find(&*store, ann, "key").await.unwrap().unwrap();
        assert_eq!((found.fingerprint.as_str(), found.response.as_str()), ("print", "answer"));
        assert_eq!(save_keys::find(&*store, ann, "KEY").await.unwrap(), None);

        let tx = store.begin().await.unwrap();
        assert_eq!(save_keys::delete_older_than(&tx, at(10)).await.unwrap(), 1);
        assert_eq!(save_keys::find(&tx, ann, "key").await.unwrap(), None);
        let twice = save_keys::insert(&tx, vec![answered(ben, "again".to_owned())], at(11)).await;
        assert!(matches!(twice, Err(Error::Duplicate("key"))), "{twice:?}");
    }
}

#[tokio::test]
async fn a_release_takes_the_place_of_the_one_before() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let first = [(sample.ann, "{\"n\":1}".to_owned()), (sample.ben, "{}".to_owned())];
        own_releases::replace_all(&tx, sample.project, &first, at(1)).await.unwrap();
        let second = [(sample.ann, "{\"n\":2}".to_owned())];
        own_releases::replace_all(&tx, sample.project, &second, at(2)).await.unwrap();
        let shown = own_releases::find(&tx, sample.ann).await.unwrap();
        assert_eq!(shown, Some(("{\"n\":2}".to_owned(), at(2))));
        assert_eq!(own_releases::find(&tx, sample.ben).await.unwrap(), None);
    }
}

async fn note(tx: &Tx, audit: Audit) {
    audit::append(tx, audit).await.unwrap();
}

#[tokio::test]
async fn the_audit_trail_says_who_did_what_and_who_moved_the_numbers() {
    for store in stores().await {
        let sample = sample(&store).await;
        let of = |event: AuditEvent, seconds, revision| Audit {
            project: Some(sample.project),
            user: Some(sample.users[0]),
            at: at(seconds),
            event,
            subject: format!("{event} it"),
            detail: serde_json::json!({ "added": 2 }),
            revision,
        };
        let tx = store.begin().await.unwrap();
        assert_eq!(audit::last_move(&tx, sample.project).await.unwrap(), None);
        note(&tx, of(AuditEvent::SaveSpans, 1, Some(Revision(1)))).await;
        note(&tx, of(AuditEvent::SaveSettings, 2, None)).await;
        note(&tx, Audit { user: None, ..of(AuditEvent::ImportDocuments, 3, None) }).await;
        note(&tx, Audit { project: None, ..of(AuditEvent::SignIn, 4, None) }).await;

        let listed = audit::list(&tx, Some(sample.project), &Filter::default(), 2).await.unwrap();
        let told: Vec<_> = listed.iter().map(|one| (one.event.as_str(), one.user)).collect();
        assert_eq!(told, [("import documents", None), ("save settings", Some(sample.users[0]))]);
        assert_eq!(listed[1].by.as_deref(), Some("ann"));
        assert_eq!(listed[1].detail, r#"{"added":2}"#);
        assert_eq!((listed[1].at, listed[1].subject.as_str()), (at(2), "save settings it"));
        let last = audit::last_move(&tx, sample.project).await.unwrap();
        assert_eq!(last, Some((sample.ann, at(1))));
    }
}
