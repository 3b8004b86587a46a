//! Assignments, spans, reviews, decisions, and the ratings that come of them.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, Decision, LabelSet, Position, Range, ReviewId, Revision, Role, Span, Stand,
    StateCounts, Verdict, WorkState,
};
use store::{
    Error, Neighbours, Store, Tx,
    agreement::ratings,
    project::{self, labels, members},
    review::{
        self, decision_batches,
        decisions::{self, Replacement},
    },
    testing::{on, stores},
    work::{assignments, spans},
    workload,
};

use crate::sample::{Sample, at, sample};

/// An assignment for each labeler, in the order of the documents.
async fn assignments(tx: &Tx, sample: &Sample) -> (Vec<AssignmentId>, Vec<AssignmentId>) {
    let (ann, ben) = (sample.ann, sample.ben);
    let pairs: Vec<_> =
        sample.documents.iter().flat_map(|document| [(*document, ann), (*document, ben)]).collect();
    assignments::insert_many(tx, &pairs).await.unwrap();
    let of_ann = assignments::list_of_member(tx, ann).await.unwrap();
    let of_ben = assignments::list_of_member(tx, ben).await.unwrap();
    let ids = |cards: Vec<domain::AssignmentCard>| cards.iter().map(|card| card.id).collect();
    (ids(of_ann), ids(of_ben))
}

async fn save(tx: &Tx, assignment: AssignmentId, base: i64, state: WorkState) -> bool {
    assignments::save(tx, &[(assignment, Revision(base))], state, at(base + 1)).await.unwrap()
}

#[tokio::test]
async fn of_two_saves_on_the_same_base_the_second_is_refused() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let (of_ann, _) = assignments(&tx, &sample).await;
        assert!(save(&tx, of_ann[0], 0, WorkState::Saved).await);
        tx.commit().await.unwrap();
        let tx = store.begin().await.unwrap();
        assert!(!save(&tx, of_ann[0], 0, WorkState::Submitted).await);
        let assignment = assignments::find(&tx, of_ann[0]).await.unwrap().unwrap();
        assert_eq!((assignment.revision, assignment.state), (Revision(1), WorkState::Saved));
        assert!(save(&tx, of_ann[0], 1, WorkState::Submitted).await);
        let assignment = assignments::find(&tx, of_ann[0]).await.unwrap().unwrap();
        assert_eq!((assignment.revision, assignment.state), (Revision(2), WorkState::Submitted));
        assert_eq!(assignment.saved_at, Some(at(2)));
    }
}

#[tokio::test]
async fn an_assignment_says_whose_it_is_and_where() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let (of_ann, of_ben) = assignments(&tx, &sample).await;
        let assignment = assignments::find(&tx, of_ann[1]).await.unwrap().unwrap();
        assert_eq!(
            (assignment.document, assignment.document_name.as_str()),
            (sample.documents[1], "two")
        );
        assert_eq!((assignment.project, assignment.characters), (sample.project, 19));
        assert_eq!((assignment.member, assignment.user), (sample.ann, sample.users[0]));
        assert_eq!((assignment.state, assignment.saved_at), (WorkState::Open, None));
        assert!(!assignment.member_removed);
        members::remove(&tx, sample.project, sample.ann, at(1)).await.unwrap();
        assert!(assignments::find(&tx, of_ann[1]).await.unwrap().unwrap().member_removed);

        let middle = assignments::neighbours(&tx, of_ben[1], sample.ben).await.unwrap();
        let (previous, next) = (Some(of_ben[0]), Some(of_ben[2]));
        assert_eq!(middle, Some(Neighbours { previous, next, place: 2, places: 3 }));
        assert_eq!(assignments::neighbours(&tx, of_ben[1], sample.ann).await.unwrap(), None);
    }
}

#[tokio::test]
async fn assigning_again_changes_nothing() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let (of_ann, _) = assignments(&tx, &sample).await;
        assert!(save(&tx, of_ann[0], 0, WorkState::Saved).await);
        let (again, _) = assignments(&tx, &sample).await;
        assert_eq!(again, of_ann);
        let assignment = assignments::find(&tx, of_ann[0]).await.unwrap().unwrap();
        assert_eq!(assignment.state, WorkState::Saved);
        assignments::insert_many(&tx, &[]).await.unwrap();
        let loads = assignments::loads(&tx, sample.project).await.unwrap();
        assert_eq!(loads, [(sample.ann, 3), (sample.ben, 3)]);
    }
}

#[tokio::test]
async fn progress_counts_assignments_for_labelers_and_documents_for_reviewers() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let (of_ann, _) = assignments(&tx, &sample).await;
        assert!(save(&tx, of_ann[0], 0, WorkState::Saved).await);
        assert!(save(&tx, of_ann[1], 0, WorkState::Submitted).await);
        let review = review::find_or_create(&tx, sample.documents[0], sample.ray).await.unwrap();
        assert!(
            review::save(&tx, &[(review.id, Revision(0))], WorkState::Submitted, at(1))
                .await
                .unwrap()
        );
        review::find_or_create(&tx, sample.documents[1], sample.ray).await.unwrap();

        let progress = workload::progress(&tx, sample.project).await.unwrap();
        let counted: Vec<_> =
            progress.iter().map(|person| (person.member, person.role, person.counts)).collect();
        let counts = |open, saved, submitted| StateCounts { open, saved, submitted, skipped: 0 };
        assert_eq!(
            counted,
            [
                (sample.ann, Role::Labeler, counts(1, 1, 1)),
                (sample.ben, Role::Labeler, counts(3, 0, 0)),
                (sample.ray, Role::Reviewer, counts(2, 0, 1)),
            ]
        );
        assert_eq!(progress[2].name, "ray");
    }
}

#[tokio::test]
async fn spans_are_a_set_in_order_of_position_and_label() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [eve, per] = sample.labels;
        let tx = store.begin().await.unwrap();
        let (of_ann, of_ben) = assignments(&tx, &sample).await;
        let (assignment, other) = (of_ann[0], of_ben[0]);
        let [a, b, c, d] = [
            Span::new(0, 2, eve),
            Span::new(0, 2, per),
            Span::new(0, 5, eve),
            Span::new(3, 5, eve),
        ];
        spans::insert_many(&tx, &on(assignment, &[d, b, c, a])).await.unwrap();
        spans::insert_many(&tx, &on(other, &[a, d])).await.unwrap();
        assert_eq!(spans::list(&tx, assignment).await.unwrap(), [a, b, c, d]);
        let cards = assignments::list_of_member(&tx, sample.ann).await.unwrap();
        assert_eq!(cards.iter().map(|card| card.spans).collect::<Vec<_>>(), [4, 0, 0]);

        let absent = Span::new(1, 2, eve);
        assert_eq!(spans::delete_many(&tx, &on(assignment, &[a, d, absent])).await.unwrap(), 2);
        assert_eq!(spans::list(&tx, assignment).await.unwrap(), [b, c]);
        assert_eq!(spans::list(&tx, other).await.unwrap(), [a, d], "the other copy stays");
        spans::insert_many(&tx, &on(assignment, &[])).await.unwrap();
        assert_eq!(spans::delete_many(&tx, &on(assignment, &[])).await.unwrap(), 0);

        let twice = spans::insert_many(&tx, &on(assignment, &[a, b])).await;
        assert!(matches!(twice, Err(Error::Duplicate("span"))), "{twice:?}");
    }
}

#[tokio::test]
async fn a_span_never_runs_backwards_even_if_nobody_checked() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let (of_ann, _) = assignments(&tx, &sample).await;
        let backwards = Span::new(5, 3, sample.labels[0]);
        let refused = spans::insert_many(&tx, &on(of_ann[0], &[backwards])).await;
        assert!(matches!(refused, Err(Error::Database(_))), "{refused:?}");
    }
}

#[tokio::test]
async fn fifty_thousand_spans_take_a_few_statements_each_way() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let (of_ann, _) = assignments(&tx, &sample).await;
        let many: Vec<_> =
            (0..50_000).map(|start| Span::new(start, start + 1, sample.labels[0])).collect();
        let before = store.statements();
        spans::insert_many(&tx, &on(of_ann[0], &many)).await.unwrap();
        let inserted = store.statements();
        assert!((1..=8).contains(&(inserted - before)), "{} statements", inserted - before);
        assert_eq!(spans::list(&tx, of_ann[0]).await.unwrap(), many);
        let before = store.statements();
        assert_eq!(spans::delete_many(&tx, &on(of_ann[0], &many[1..])).await.unwrap(), 49_999);
        let deleted = store.statements();
        assert!((1..=7).contains(&(deleted - before)), "{} statements", deleted - before);
        assert_eq!(spans::list(&tx, of_ann[0]).await.unwrap(), many[..1]);
    }
}

fn decided(
    review: ReviewId,
    (start, end): (u32, u32),
    verdict: Verdict,
    labels: LabelSet,
    decided_at: DateTime<Utc>,
) -> Replacement {
    let range = Range::new(start, end);
    let note = format!("because of {start}");
    Replacement {
        review,
        range,
        decision: Some(Decision {
            range,
            verdict,
            labels,
            decided_at,
            note,
            answers: BTreeSet::new(),
        }),
    }
}

#[tokio::test]
async fn many_reviews_are_begun_and_saved_with_as_many_statements_as_two() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let begun = review::find_or_create(&tx, sample.documents[1], sample.ray).await.unwrap();
        let before = store.statements();
        let all = review::find_or_create_many(&tx, &sample.documents, sample.ray).await.unwrap();
        assert_eq!(store.statements() - before, 2, "begin, find");
        assert_eq!(all.keys().copied().collect::<Vec<_>>(), sample.documents);
        assert_eq!(all[&sample.documents[1]], begun);

        let bases: Vec<_> = all.values().map(|review| (review.id, review.revision)).collect();
        let saved = WorkState::Saved;
        let before = store.statements();
        assert!(review::save(&tx, &bases, saved, at(5)).await.unwrap());
        assert_eq!(store.statements() - before, 1);
        assert!(!review::save(&tx, &bases[..1], saved, at(6)).await.unwrap(), "moved on");
        let mixed = [(bases[0].0, Revision(1)), bases[1]];
        assert!(!review::save(&tx, &mixed, saved, at(6)).await.unwrap(), "one moved on");

        let changes: Vec<_> = bases
            .iter()
            .map(|(review, _)| decided(*review, (0, 2), Verdict::Reject, LabelSet::EMPTY, at(5)))
            .collect();
        let before = store.statements();
        decisions::replace(&tx, &changes).await.unwrap();
        assert_eq!(store.statements() - before, 2, "delete, decisions; a reject has no label");
        let ids: Vec<_> = bases.iter().map(|(review, _)| *review).collect();
        let listed = decisions::list(&tx, &ids).await.unwrap();
        assert_eq!(listed.len(), sample.documents.len());
        for change in changes {
            assert_eq!(listed[&change.review], [change.decision.unwrap()]);
        }
    }
}

#[tokio::test]
async fn an_act_is_kept_as_it_was_and_undone_once() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let decision = decided(ReviewId(1), (0, 2), Verdict::Reject, LabelSet::EMPTY, at(5));
        let part = |document: usize, before, after| decision_batches::DecidedPosition {
            position: Position { document: sample.documents[document], range: Range::new(0, 2) },
            before,
            after,
            left_alone: false,
        };
        let stand = decision.decision.map(Stand::Position);
        let parts = [part(0, None, stand.clone()), part(1, stand, None)];
        let id =
            decision_batches::insert(&tx, sample.project, sample.ray, &parts, at(6)).await.unwrap();
        let act = decision_batches::find(&tx, id).await.unwrap().unwrap();
        assert_eq!(act.positions, parts);
        assert_eq!((act.project, act.member), (sample.project, sample.ray));
        assert_eq!((act.made_at, act.undone_at), (at(6), None));

        let left = [parts[1].position];
        assert!(decision_batches::undo(&tx, id, &left, at(7)).await.unwrap());
        assert!(!decision_batches::undo(&tx, id, &[], at(8)).await.unwrap());
        let act = decision_batches::find(&tx, id).await.unwrap().unwrap();
        assert_eq!(act.undone_at, Some(at(7)));
        let left: Vec<_> = act.positions.iter().map(|part| part.left_alone).collect();
        assert_eq!(left, [false, true]);
        assert_eq!(decision_batches::find(&tx, domain::ActId(id.0 + 1)).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_review_is_begun_once_and_saved_on_its_base_only() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let document = sample.documents[1];
        assert_eq!(review::find(&tx, document, sample.ray).await.unwrap(), None);
        let review = review::find_or_create(&tx, document, sample.ray).await.unwrap();
        let again = review::find_or_create(&tx, document, sample.ray).await.unwrap();
        assert_eq!(again, review);
        assert_eq!((review.revision, review.state), (Revision(0), WorkState::Open));
        let (id, saved) = (review.id, WorkState::Saved);
        assert!(review::save(&tx, &[(id, Revision(0))], saved, at(5)).await.unwrap());
        assert!(!review::save(&tx, &[(id, Revision(0))], saved, at(6)).await.unwrap());
        let list = review::list_of_member(&tx, sample.project, sample.ray).await.unwrap();
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].0, document);
        assert_eq!((list[0].1.revision, list[0].1.saved_at), (Revision(1), Some(at(5))));
    }
}

#[tokio::test]
async fn a_new_decision_takes_the_place_of_the_one_before() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [eve, per] = sample.labels;
        let both: LabelSet = [eve, per].into_iter().collect();
        let tx = store.begin().await.unwrap();
        let review = review::find_or_create(&tx, sample.documents[0], sample.ray).await.unwrap();
        let first = [
            decided(review.id, (3, 5), Verdict::Accept, both.clone(), at(1)),
            decided(review.id, (0, 2), Verdict::Reject, LabelSet::EMPTY, at(1)),
            decided(review.id, (6, 9), Verdict::Add, LabelSet::one(per), at(1)),
        ];
        let before = store.statements();
        decisions::replace(&tx, &first).await.unwrap();
        assert_eq!(store.statements() - before, 3, "delete, decisions, labels");
        let listed = decisions::list(&tx, &[review.id]).await.unwrap().remove(&review.id).unwrap();
        let told: Vec<_> =
            listed.iter().map(|one| (one.range.start, one.verdict, one.labels.clone())).collect();
        assert_eq!(
            told,
            [
                (0, Verdict::Reject, LabelSet::EMPTY),
                (3, Verdict::Accept, both),
                (6, Verdict::Add, LabelSet::one(per)),
            ]
        );

        assert_eq!(listed[0].note, "because of 0");
        let back = Replacement { review: review.id, range: Range::new(6, 9), decision: None };
        let relabel = decided(review.id, (0, 2), Verdict::Relabel, LabelSet::one(eve), at(2));
        decisions::replace(&tx, &[relabel, back]).await.unwrap();
        let listed = decisions::list(&tx, &[review.id]).await.unwrap().remove(&review.id).unwrap();
        let told: Vec<_> =
            listed.iter().map(|one| (one.range.start, one.verdict, one.decided_at)).collect();
        assert_eq!(told, [(0, Verdict::Relabel, at(2)), (3, Verdict::Accept, at(1))]);
        tx.commit().await.unwrap();

        let tx = store.begin().await.unwrap();
        let refused = labels::delete(&tx, sample.project, eve).await;
        assert!(matches!(refused, Err(Error::InUse)), "{refused:?}");
    }
}

async fn rated(store: &Store, sample: &Sample) {
    let [eve, per] = sample.labels;
    let tx = store.begin().await.unwrap();
    let (of_ann, of_ben) = assignments(&tx, sample).await;
    spans::insert_many(&tx, &on(of_ann[0], &[Span::new(3, 5, per), Span::new(0, 2, eve)]))
        .await
        .unwrap();
    assert!(save(&tx, of_ann[0], 0, WorkState::Submitted).await);
    assert!(save(&tx, of_ben[0], 0, WorkState::Saved).await);
    let review = review::find_or_create(&tx, sample.documents[0], sample.ray).await.unwrap();
    let reject = [decided(review.id, (0, 2), Verdict::Reject, LabelSet::EMPTY, at(1))];
    decisions::replace(&tx, &reject).await.unwrap();
    assert!(review::save(&tx, &[(review.id, Revision(0))], WorkState::Saved, at(1)).await.unwrap());
    review::find_or_create(&tx, sample.documents[1], sample.ray).await.unwrap();
    project::advance(&tx, sample.project).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn ratings_are_what_was_saved_and_the_revision_they_belong_to() {
    for store in stores().await {
        let sample = sample(&store).await;
        rated(&store, &sample).await;
        let snapshot = store.begin_read().await.unwrap();
        let before = store.statements();
        let loaded = ratings::load_project(&snapshot, sample.project).await.unwrap();
        assert_eq!(store.statements() - before, 6);
        let (revision, documents) = loaded.unwrap();
        assert_eq!(revision, Revision(1));
        let ids: Vec<_> = documents.iter().map(|ratings| ratings.document).collect();
        assert_eq!(ids, sample.documents, "documents without ratings are there, too");

        let [eve, per] = sample.labels;
        let one = &documents[0];
        assert_eq!(one.assignments.len(), 2);
        assert_eq!(
            (one.assignments[0].member, one.assignments[0].state),
            (sample.ann, WorkState::Submitted)
        );
        assert!(one.assignments.iter().all(|assignment| assignment.saved_at > at(0)));
        assert_eq!(one.assignments[0].spans, [Span::new(0, 2, eve), Span::new(3, 5, per)]);
        assert_eq!(
            (one.assignments[1].member, one.assignments[1].state),
            (sample.ben, WorkState::Saved)
        );
        assert_eq!(one.assignments[1].spans, []);
        assert_eq!((one.reviews[0].member, one.reviews[0].state), (sample.ray, WorkState::Saved));
        assert_eq!(one.reviews[0].decisions[0].verdict, Verdict::Reject);
        assert!(documents[1].assignments.is_empty(), "open copies are no ratings");
        assert!(documents[1].reviews.is_empty(), "open reviews are no ratings");
        drop(snapshot);

        for whole in &documents {
            let alone = ratings::load_document(&*store, whole.document).await.unwrap().unwrap();
            assert_eq!(&alone, whole);
        }
        let snapshot = store.begin_read().await.unwrap();
        let none = ratings::load_project(&snapshot, domain::ProjectId(0)).await.unwrap();
        assert_eq!(none, None);
    }
}
