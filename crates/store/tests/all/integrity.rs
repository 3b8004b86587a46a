//! A sound project passes the check of its rows; each planted fault is named.

use std::collections::BTreeSet;

use domain::{Decision, LabelSet, NewLabel, Range, RepeatAsk, Revision, Span, Verdict, WorkState};
use sea_orm::{ConnectionTrait, Database};
use store::{
    Store,
    outside::integrity,
    project::{self, labels},
    review::{
        self,
        decisions::{self, Replacement},
    },
    testing::{TestStore, on, stores},
    work::{assignments, repeats, spans},
};

use crate::sample::{Sample, at, sample};

/// A saved assignment with a span, and a saved review with a decision, in a project of two.
async fn sound(store: &Store) -> Sample {
    let sample = sample(store).await;
    let (document, label) = (sample.documents[0], sample.labels[0]);
    let tx = store.begin().await.unwrap();
    let other = project::create(&tx, "other", at(0)).await.unwrap();
    labels::create(&tx, other, &NewLabel::numbered("FOREIGN", 0)).await.unwrap();
    assignments::insert_many(&tx, &[(document, sample.ann)]).await.unwrap();
    let assignment = assignments::list_of_member(&tx, sample.ann).await.unwrap()[0].id;
    assert!(
        assignments::save(&tx, &[(assignment, Revision(0))], WorkState::Saved, at(1))
            .await
            .unwrap()
    );
    spans::insert_many(&tx, &on(assignment, &[Span::new(0, 2, label)])).await.unwrap();
    let review = review::find_or_create(&tx, document, sample.ray).await.unwrap();
    let range = Range::new(0, 2);
    let decision = Decision {
        range,
        verdict: Verdict::Accept,
        labels: LabelSet::one(label),
        decided_at: at(1),
        note: String::new(),
        answers: BTreeSet::new(),
    };
    let change = Replacement { review: review.id, range, decision: Some(decision) };
    decisions::replace(&tx, &[change]).await.unwrap();
    tx.commit().await.unwrap();
    sample
}

async fn plant(store: &TestStore, fault: &str) {
    let connection = Database::connect(store.url()).await.unwrap();
    connection.execute_unprepared(fault).await.unwrap();
    connection.close().await.unwrap();
}

async fn problems(store: &Store, sample: &Sample) -> Vec<String> {
    let snapshot = store.begin_read().await.unwrap();
    integrity::problems(&snapshot, sample.project).await.unwrap()
}

#[tokio::test]
async fn each_planted_fault_is_named() {
    let faults = [
        ("UPDATE span SET end_at = 20", "1 spans that are empty or leave their text"),
        (
            "UPDATE span SET label_id = (SELECT id FROM label WHERE name = 'FOREIGN')",
            "1 spans with a label of another project",
        ),
        ("UPDATE assignment SET state = 'open'", "1 spans in assignments that were never saved"),
        ("UPDATE assignment SET saved_at = NULL", "1 assignments that were saved at no time"),
        (
            "UPDATE document SET round_id = (SELECT round.id FROM round
             JOIN project ON project.id = round.project_id WHERE project.name = 'other')",
            "3 documents without a round of their project",
        ),
        ("UPDATE document SET round_id = NULL", "3 documents without a round of their project"),
        (
            "UPDATE project SET guidelines = 'Mark names.' WHERE name = 'Hamlet'",
            "1 guidelines that are not their latest version",
        ),
        ("UPDATE decision SET end_at = 20", "1 decisions that are empty or leave their text"),
        ("UPDATE decision SET verdict = 'reject'", "1 rejects with a label"),
        (
            "INSERT INTO audit (chain, place, at, event, subject, detail, revision)
             SELECT id, 1, created_at, 'save spans', '', '{}', revision + 1 FROM project
             WHERE name = 'Hamlet'",
            "1 audited changes beyond the project's revision",
        ),
        ("DELETE FROM decision_label", "1 decisions other than rejects without a label"),
    ];
    for (fault, named) in faults {
        for store in stores().await {
            let sample = sound(&store).await;
            assert_eq!(problems(&store, &sample).await, Vec::<String>::new());
            plant(&store, fault).await;
            assert_eq!(problems(&store, &sample).await, [named], "{fault}");
        }
    }
}

/// A submitted assignment that was given back, and its repeat submitted, too.
async fn repeated(store: &Store) -> Sample {
    let sample = sample(store).await;
    let (document, span) = (sample.documents[0], Span::new(0, 2, sample.labels[0]));
    let tx = store.begin().await.unwrap();
    let other = project::create(&tx, "other", at(0)).await.unwrap();
    labels::create(&tx, other, &NewLabel::numbered("FOREIGN", 0)).await.unwrap();
    assignments::insert_many(&tx, &[(document, sample.ann)]).await.unwrap();
    let assignment = assignments::list_of_member(&tx, sample.ann).await.unwrap()[0].id;
    assert!(
        assignments::save(&tx, &[(assignment, Revision(0))], WorkState::Submitted, at(1))
            .await
            .unwrap()
    );
    spans::insert_many(&tx, &on(assignment, &[span])).await.unwrap();
    let ask = RepeatAsk { documents: 1, days: 0 };
    let new = repeats::NewBatch { ask, seed: "s", by: sample.users[0], at: at(2) };
    let (_, given) = repeats::insert_batch(&tx, sample.project, new, &[assignment]).await.unwrap();
    assert_eq!(given, 1);
    let repeat = assignments::find(&tx, assignment).await.unwrap().unwrap();
    let (id, base) = (repeat.repeat.unwrap(), repeat.revision);
    assert!(repeats::save(&tx, id, base, WorkState::Submitted, at(3)).await.unwrap());
    repeats::insert_spans(&tx, id, &[span]).await.unwrap();
    tx.commit().await.unwrap();
    sample
}

#[tokio::test]
async fn each_planted_fault_of_a_repeat_is_named() {
    let faults = [
        (
            "UPDATE repeat_span SET end_at = 20",
            "1 spans of repeats that are empty or leave their text",
        ),
        (
            "UPDATE repeat_span SET label_id = (SELECT id FROM label WHERE name = 'FOREIGN')",
            "1 spans of repeats with a label of another project",
        ),
        (
            "UPDATE repeat SET state = 'open'",
            "1 repeats that were saved at no time, or begun without being saved",
        ),
        (
            "UPDATE repeat SET saved_at = NULL",
            "1 repeats that were saved at no time, or begun without being saved",
        ),
        (
            "UPDATE assignment SET state = 'saved'",
            "1 repeats of assignments that are not submitted",
        ),
    ];
    for (fault, named) in faults {
        for store in stores().await {
            let sample = repeated(&store).await;
            assert_eq!(problems(&store, &sample).await, Vec::<String>::new());
            plant(&store, fault).await;
            assert_eq!(problems(&store, &sample).await, [named], "{fault}");
        }
    }
}
