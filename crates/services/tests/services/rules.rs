//! Accepting by rule: what was previewed, in one act, with one undo.

use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};
use domain::{
    AcceptPreview, AcceptRule, ActId, Error as Refusal, GoldQuery, LabelSet, Pool, Range, Span,
    Standing, Verdict,
};
use services::{
    outside::verification,
    review::{self, gold, walk},
    workload,
};

const THE: Range = Range::new(0, 3);
const TRAGEDY: Range = Range::new(4, 11);
const HAMLET: Range = Range::new(15, 21);

/// Three labelers: THE unanimous, TRAGEDY two against one, HAMLET one alone; in every document.
async fn worked_on(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let span = |range, label| Span { range, label };
    for document in 0..world.documents.len() {
        for labeler in 0..3 {
            let tragedy = if labeler == 2 { per } else { title };
            let mut spans = vec![span(THE, per), span(TRAGEDY, tragedy)];
            if labeler == 0 {
                spans.push(span(HAMLET, per));
            }
            world.mark(labeler, document, &spans).await;
            world.submit(labeler, document).await;
        }
    }
}

async fn preview(world: &World, rule: AcceptRule) -> AcceptPreview {
    let (services, actor) = (&world.services, &world.reviewer.actor);
    review::preview_rule(services, actor, world.project, rule, 0, None).await.unwrap()
}

async fn accept(world: &World, rule: AcceptRule, seen: &str) -> services::Result<Option<ActId>> {
    let (services, actor) = (&world.services, &world.reviewer.actor);
    review::accept(services, actor, world.project, rule, seen.to_owned()).await
}

async fn decided(world: &World, document: usize) -> Vec<(Range, LabelSet, Verdict, String)> {
    let (services, actor) = (&world.services, &world.reviewer.actor);
    let view = review::load(services, actor, world.documents[document]).await.unwrap();
    let decisions = view.content.positions.into_iter().filter_map(|position| position.decision);
    decisions.map(|one| (one.range, one.labels, one.verdict, one.note)).collect()
}

const UNANIMOUS: AcceptRule = AcceptRule { at_least: None, label: None };
const TWO: AcceptRule = AcceptRule { at_least: Some(2), label: None };

#[tokio::test]
async fn what_is_accepted_is_what_was_previewed_and_one_undo_takes_it_back() {
    for world in worlds(3, 4).await {
        worked_on(&world).await;
        let (per, title) = (LabelSet::one(world.labels[0]), LabelSet::one(world.labels[1]));
        let shown = preview(&world, UNANIMOUS).await;
        assert_eq!((shown.positions, shown.found, shown.documents.total), (4, 4, 4));
        assert_eq!(shown.sets, [(per.clone(), 4)]);
        let shown = preview(&world, TWO).await;
        assert_eq!((shown.positions, shown.sets.len()), (8, 2));
        let only = AcceptRule { label: Some(world.labels[1]), ..TWO };
        assert_eq!(preview(&world, only).await.sets, [(title.clone(), 4)]);

        let start = world.store.statements();
        let act = accept(&world, TWO, &shown.seen).await.unwrap().unwrap();
        let of_four = world.store.statements() - start;
        for document in 0..4 {
            let note = TWO.reason();
            let expected = [
                (THE, per.clone(), Verdict::Accept, note.clone()),
                (TRAGEDY, title.clone(), Verdict::Accept, note),
            ];
            assert_eq!(decided(&world, document).await, expected);
        }
        // What is decided is not found again.
        let again = preview(&world, TWO).await;
        assert_eq!(again.positions, 0);
        assert_eq!(accept(&world, TWO, &again.seen).await.unwrap(), None);
        let (services, actor) = (&world.services, &world.reviewer.actor);
        let told = review::preview_rule(services, actor, world.project, TWO, 0, Some(act)).await;
        assert_eq!(told.unwrap().act.unwrap().positions, 8);

        walk::undo(services, actor, world.project, act).await.unwrap();
        for document in 0..4 {
            assert!(decided(&world, document).await.is_empty());
        }
        let problems = verification::all(&world.store).await.unwrap().remove(0).problems;
        assert_eq!(problems, Vec::<String>::new());

        // One document takes as many statements as four.
        for document in 1..4 {
            let document = world.documents[document];
            let view = review::load(services, actor, document).await.unwrap();
            let base = view.content.revision;
            review::submit(services, actor, document, base).await.unwrap();
        }
        let one = preview(&world, TWO).await;
        assert_eq!((one.positions, one.ended), (2, 3));
        let start = world.store.statements();
        accept(&world, TWO, &one.seen).await.unwrap();
        assert_eq!(world.store.statements() - start, of_four);
    }
}

#[tokio::test]
async fn own_decisions_stay_and_what_has_moved_on_is_not_accepted() {
    for world in worlds(3, 2).await {
        worked_on(&world).await;
        let seen = preview(&world, UNANIMOUS).await.seen;
        world.decide(0, THE, Verdict::Reject, LabelSet::EMPTY).await;
        assert_eq!(invalid_field(accept(&world, UNANIMOUS, &seen).await), "seen");
        assert!(decided(&world, 1).await.is_empty());
        let shown = preview(&world, UNANIMOUS).await;
        assert_eq!(shown.positions, 1);
        accept(&world, UNANIMOUS, &shown.seen).await.unwrap();
        assert_eq!(decided(&world, 0).await[0].2, Verdict::Reject);
        assert_eq!(decided(&world, 1).await.len(), 1);
    }
}

#[tokio::test]
async fn nothing_is_unanimous_before_everybody_has_finished_who_is_to() {
    for world in worlds(2, 1).await {
        let span = [Span { range: THE, label: world.labels[0] }];
        let seen = async || {
            let (services, actor) = (&world.services, &world.reviewer.actor);
            let view = review::load(services, actor, world.documents[0]).await.unwrap();
            let rule = preview(&world, UNANIMOUS).await;
            let gold = gold::list(services, actor, world.project, GoldQuery::default());
            let sums = gold.await.unwrap().sums;
            let standing = view.content.positions[0].standing;
            assert_eq!((sums.unanimous, sums.waiting), (rule.positions, rule.waiting));
            (standing, view.quorum, view.assignments.len(), rule.positions)
        };
        world.mark(0, 0, &span).await;
        world.submit(0, 0).await;
        assert_eq!(seen().await, (Standing::Waiting, 2, 2, 0), "the other has not begun");
        world.mark(1, 0, &span).await;
        assert_eq!(seen().await, (Standing::Waiting, 2, 2, 0), "the other is at work");
        world.submit(1, 0).await;
        assert_eq!(seen().await, (Standing::Unanimous, 2, 2, 1));

        let drawn = Pool { overlap: 3, cap: 1, days: 0 };
        let manager = &world.manager.actor;
        workload::open_pool(&world.services, manager, world.project, drawn).await.unwrap();
        assert_eq!(seen().await, (Standing::Waiting, 3, 2, 0), "a third is to draw it");
    }
}

#[tokio::test]
async fn only_reviewers_accept_by_rule() {
    for world in worlds(3, 1).await {
        worked_on(&world).await;
        let seen = preview(&world, UNANIMOUS).await.seen;
        let (services, project) = (&world.services, world.project);
        for actor in [&world.manager.actor, &world.labelers[0].actor] {
            let shown = review::preview_rule(services, actor, project, UNANIMOUS, 0, None).await;
            assert!(matches!(refused(shown), Refusal::Denied(_)));
            let done = review::accept(services, actor, project, UNANIMOUS, seen.clone()).await;
            assert!(matches!(refused(done), Refusal::Denied(_)));
        }
        let one = AcceptRule { at_least: Some(1), label: None };
        assert_eq!(invalid_field(accept(&world, one, &seen).await), "at_least");
    }
}
