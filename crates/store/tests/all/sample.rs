//! What most tests need: a time, people, a project with documents.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{DocumentId, LabelId, MemberId, NewLabel, ProjectId, Role, UserId};
use store::{
    Store, Tx,
    account::users,
    document::{self, NewDocument},
    project::{self, labels, members},
};

/// A moment, `seconds` after a fixed one.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(1_800_000_000 + seconds)
}

pub(crate) async fn person(tx: &Tx, name: &str) -> UserId {
    users::create(tx, &format!("{name}@example.org"), name, "hash", false, at(0)).await.unwrap()
}

pub(crate) fn document(name: &str) -> NewDocument {
    NewDocument {
        external_id: None,
        name: name.to_owned(),
        text: "To be, or not to be".to_owned(),
        characters: 19,
        sha256: "0".repeat(64),
        overlap: None,
    }
}

/// A project with two labelers, a reviewer, two labels and three documents.
pub(crate) struct Sample {
    pub(crate) project: ProjectId,
    pub(crate) ann: MemberId,
    pub(crate) ben: MemberId,
    pub(crate) ray: MemberId,
    pub(crate) users: [UserId; 3],
    pub(crate) labels: [LabelId; 2],
    pub(crate) documents: Vec<DocumentId>,
}

pub(crate) async fn sample(store: &Store) -> Sample {
    let tx = store.begin().await.unwrap();
    let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
    let users = [person(&tx, "ann").await, person(&tx, "ben").await, person(&tx, "ray").await];
    let ann = members::add(&tx, project, users[0], Role::Labeler, at(0)).await.unwrap();
    let ben = members::add(&tx, project, users[1], Role::Labeler, at(0)).await.unwrap();
    let ray = members::add(&tx, project, users[2], Role::Reviewer, at(0)).await.unwrap();
    let labels = [
        labels::create(&tx, project, &NewLabel::numbered("EVE", 0)).await.unwrap(),
        labels::create(&tx, project, &NewLabel::numbered("PER", 1)).await.unwrap(),
    ];
    let new = vec![document("one"), document("two"), document("three")];
    let documents = document::insert_many(&tx, project, new, at(0)).await.unwrap();
    tx.commit().await.unwrap();
    Sample { project, ann, ben, ray, users, labels, documents }
}
