//! The matrix, its stream and its refusals.

use std::{sync::Arc, time::Duration};

use crate::world::{World, worlds};
use domain::{
    Choices, Code, Documents, Error as Refusal, Filter, LabelSet, Measure, Measured, PolicyChoice,
    Range, ScaleChoice, Span, Steps, Switches, UndefinedReason, Verdict,
};
use futures::{Stream, StreamExt, future::join_all};
use services::{
    Clock, Error, ServerKey, Services,
    agreement::{self, SharedSnapshot},
    project::members,
};

const CLEANED: Switches = Switches {
    measure: Measure::Kappa,
    policy: PolicyChoice::Cleaned,
    documents: Documents::Saved,
    scale: ScaleChoice::LandisKoch,
    filter: Filter::NONE,
};

async fn cell(world: &World, a: usize, b: usize, switches: Switches) -> domain::PairCell {
    let actor = &world.manager.actor;
    let snapshot =
        agreement::snapshot(&world.services, actor, world.project, switches).await.unwrap();
    snapshot.cell(world.labelers[a].member, world.labelers[b].member).unwrap().clone()
}

#[tokio::test]
async fn never_compared_and_nothing_in_common_are_told_apart() {
    for world in worlds(2, 1).await {
        let reason = |cell: domain::PairCell| match cell.measured {
            Measured::Undefined(reason) => reason,
            Measured::Value { .. } => panic!("there is nothing to agree on"),
        };
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        assert_eq!(reason(cell(&world, 0, 1, CLEANED).await), UndefinedReason::NoSharedDocuments);
        world.mark(1, 0, &[Span::new(4, 11, world.labels[0])]).await;
        let apart = cell(&world, 0, 1, CLEANED).await;
        assert_eq!((apart.coverage.only_first, apart.coverage.only_second), (1, 1));
        assert_eq!(reason(apart), UndefinedReason::NoSharedPositions);
        world.mark(1, 0, &[Span::new(0, 3, world.labels[0])]).await;
        assert_eq!(reason(cell(&world, 0, 1, CLEANED).await), UndefinedReason::OneCategory);
    }
}

#[tokio::test]
async fn the_empty_label_counts_only_where_both_have_submitted() {
    for world in worlds(2, 1).await {
        let empty = Switches { policy: PolicyChoice::EmptyLabel, ..CLEANED };
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        world.mark(1, 0, &[Span::new(4, 11, world.labels[0])]).await;
        assert_eq!(cell(&world, 0, 1, empty).await.n, 0);
        world.submit(0, 0).await;
        assert_eq!(cell(&world, 0, 1, empty).await.n, 0);
        world.submit(1, 0).await;
        let both = cell(&world, 0, 1, empty).await;
        assert_eq!((both.n, both.documents), (2, 1));
        assert!(both.measured.value().unwrap() < 0.0);
    }
}

#[tokio::test]
async fn a_reject_is_a_judgement_and_lowers_agreement_with_the_reviewer() {
    for world in worlds(2, 1).await {
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        for labeler in 0..2 {
            world.mark(labeler, 0, &[Span::new(0, 3, per), Span::new(4, 11, title)]).await;
        }
        world.decide(0, Range::new(0, 3), Verdict::Accept, LabelSet::one(per)).await;
        world.decide(0, Range::new(4, 11), Verdict::Accept, LabelSet::one(title)).await;
        let with_reviewer = async || {
            let snapshot =
                agreement::snapshot(&world.services, &world.manager.actor, world.project, CLEANED);
            let snapshot = snapshot.await.unwrap();
            let cell = snapshot.cell(world.labelers[0].member, world.reviewer.member).unwrap();
            (cell.measured.value().unwrap(), cell.n)
        };
        assert_eq!(with_reviewer().await, (1.0, 2));
        for labeler in 0..2 {
            world.mark(labeler, 0, &[Span::new(90, 94, year)]).await;
        }
        world.decide(0, Range::new(90, 94), Verdict::Reject, LabelSet::EMPTY).await;
        let (value, n) = with_reviewer().await;
        assert!(value < 1.0);
        assert_eq!(n, 3);
        assert_eq!(cell(&world, 0, 1, CLEANED).await.measured.value(), Some(1.0));
    }
}

#[tokio::test]
async fn f1_counts_what_one_alone_has_and_takes_a_reject_for_no_span() {
    for world in worlds(2, 1).await {
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        let first = [Span::new(0, 3, per), Span::new(4, 11, title), Span::new(90, 94, year)];
        world.mark(0, 0, &first).await;
        world.mark(1, 0, &[Span::new(0, 3, per)]).await;
        let f1 = Switches { measure: Measure::F1, ..CLEANED };
        let labelers = cell(&world, 0, 1, f1).await;
        assert_eq!((labelers.measured.value(), labelers.n), (Some(0.5), 3));

        world.decide(0, Range::new(0, 3), Verdict::Accept, LabelSet::one(per)).await;
        world.decide(0, Range::new(90, 94), Verdict::Reject, LabelSet::EMPTY).await;
        let actor = &world.manager.actor;
        let (second, reviewer) = (world.labelers[1].member, world.reviewer.member);
        let pair =
            agreement::pair(&world.services, actor, world.project, second, reviewer, f1).await;
        let pair = pair.unwrap();
        assert_eq!((pair.cell.measured.value(), pair.cell.n), (Some(1.0), 1));
        assert_eq!(pair.steps, Some(Steps::F1 { agreed: 1, first: 1, second: 1, f1: 1.0 }));
        // Nothing was submitted: finished work is empty for both.
        let submitted = Switches { documents: Documents::Submitted, ..f1 };
        let nothing = cell(&world, 0, 1, submitted).await.measured;
        assert_eq!(nothing, Measured::Undefined(UndefinedReason::NoSharedDocuments));
        world.mark(1, 0, &[Span::new(90, 94, year)]).await;
        let labelers = cell(&world, 0, 1, f1).await;
        assert_eq!((labelers.measured.value(), labelers.n), (Some(0.8), 3));
    }
}

#[tokio::test]
async fn s_and_ac1_choose_among_declared_and_occurring_categories() {
    for world in worlds(2, 1).await {
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        let both = [Span::new(0, 3, per), Span::new(0, 3, title), Span::new(4, 11, year)];
        for labeler in 0..2 {
            world.mark(labeler, 0, &both).await;
            world.submit(labeler, 0).await;
        }
        let choices = async |policy| {
            let switches = Switches { measure: Measure::S, policy, ..CLEANED };
            let (first, second) = (world.labelers[0].member, world.labelers[1].member);
            let (actor, project) = (&world.manager.actor, world.project);
            let pair =
                agreement::pair(&world.services, actor, project, first, second, switches).await;
            match pair.unwrap().steps {
                Some(Steps::S { choices, .. }) => choices,
                other => panic!("{other:?}"),
            }
        };
        let cleaned = choices(PolicyChoice::Cleaned).await;
        assert_eq!(cleaned, Choices { all: 4, declared: 3, occurring: 1, empty: 0 });
        let empty = choices(PolicyChoice::EmptyLabel).await;
        assert_eq!(empty, Choices { all: 5, declared: 3, occurring: 1, empty: 1 });
    }
}

#[tokio::test]
async fn all_labelers_at_once_leave_out_what_one_alone_judged() {
    for world in worlds(3, 1).await {
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        let (all, two, one) = (Range::new(0, 3), Range::new(4, 11), Range::new(90, 94));
        let span = |range, label| Span { range, label };
        world.mark(0, 0, &[span(all, per), span(two, per), span(one, year)]).await;
        world.mark(1, 0, &[span(all, per), span(two, title)]).await;
        world.mark(2, 0, &[span(all, per)]).await;
        let several = async |policy| {
            let switches = Switches { policy, ..CLEANED };
            let actor = &world.manager.actor;
            let snapshot = agreement::snapshot(&world.services, actor, world.project, switches);
            snapshot.await.unwrap().several.clone().unwrap()
        };
        let cleaned = several(PolicyChoice::Cleaned).await;
        assert_eq!((cleaned.labelers, cleaned.n, cleaned.documents), (3, 2, 1));
        let values: Vec<_> = cleaned.rows.iter().map(|row| row.measured.value()).collect();
        // p_o = 1/2, p_e = (3/4)² + (1/4)²; D_o = D_e = 2/5.
        assert_eq!(values, [Some(-1.0 / 3.0), Some(0.0), Some(0.5)]);
        let nothing = several(PolicyChoice::EmptyLabel).await.rows[0].measured;
        assert_eq!(nothing, Measured::Undefined(UndefinedReason::NoSharedDocuments));
        for labeler in 0..3 {
            world.submit(labeler, 0).await;
        }
        let empty = several(PolicyChoice::EmptyLabel).await;
        // 1, 0 and, for one year and two ∅, 1/3.
        assert_eq!((empty.n, empty.rows[2].measured.value()), (3, Some(4.0 / 9.0)));
    }
}

/// The next snapshot of a stream; a stream that has stopped moving fails the test.
async fn next(
    stream: &mut (impl Stream<Item = Arc<SharedSnapshot>> + Unpin),
) -> Arc<SharedSnapshot> {
    tokio::time::timeout(Duration::from_secs(20), stream.next()).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_stream_starts_with_what_is_there_and_follows_every_save() {
    for world in worlds(2, 1).await {
        let actor = &world.manager.actor;
        let stream =
            agreement::follow(&world.services, actor, world.project, CLEANED).await.unwrap();
        let mut stream = Box::pin(stream);
        let first = next(&mut stream).await;
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let moved = next(&mut stream).await;
        assert!(moved.revision > first.revision);
        assert_eq!(moved.last_change.as_ref().unwrap().by, "labeler-2");
        assert_eq!(moved.revision, first.revision.next());
    }
}

#[tokio::test]
async fn all_who_follow_the_same_are_told_one_snapshot_and_others_another() {
    for world in worlds(2, 1).await {
        let follow = async |actor, switches| {
            let stream = agreement::follow(&world.services, actor, world.project, switches).await;
            Box::pin(stream.unwrap())
        };
        let (manager, reviewer) = (&world.manager.actor, &world.reviewer.actor);
        let alpha = Switches { measure: Measure::Alpha, ..CLEANED };
        let mut first = follow(manager, CLEANED).await;
        let mut second = follow(manager, CLEANED).await;
        let mut of_reviewer = follow(reviewer, CLEANED).await;
        let mut of_alpha = follow(manager, alpha).await;
        let (told, told_too) = futures::join!(next(&mut first), next(&mut second));
        assert!(Arc::ptr_eq(&told, &told_too), "made and written once");
        let json = told.json().await.unwrap();
        assert_eq!(*json, serde_json::to_string(&**told).unwrap());
        assert!(Arc::ptr_eq(&json, &told_too.json().await.unwrap()));
        assert!(!Arc::ptr_eq(&told, &next(&mut of_reviewer).await), "may not know all names");
        assert_eq!(next(&mut of_alpha).await.switches, alpha);
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let moved = next(&mut first).await;
        assert!(moved.revision > told.revision);
        assert_eq!(next(&mut second).await.revision, moved.revision);
    }
}

#[tokio::test]
async fn who_has_many_streams_asks_the_database_no_more_than_who_has_one() {
    for world in worlds(2, 1).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let mut costs = Vec::new();
        for number in [1, 40] {
            let streams = (0..number).map(async |_| {
                let stream = agreement::follow(services, actor, world.project, CLEANED).await;
                Box::pin(stream.unwrap())
            });
            let mut streams = join_all(streams).await;
            join_all(streams.iter_mut().map(next)).await;
            let before = services.statements();
            world.mark(0, 0, &[Span::new(0, number, world.labels[0])]).await;
            join_all(streams.iter_mut().map(next)).await;
            costs.push(services.statements() - before);
        }
        assert!(costs[1] < costs[0] + 20, "{costs:?}");
    }
}

#[tokio::test]
async fn whoever_was_removed_is_told_no_later_change_on_any_stream() {
    for world in worlds(2, 1).await {
        let (services, reviewer) = (&world.services, &world.reviewer);
        let follow = async || {
            let actor = &reviewer.actor;
            let stream = agreement::follow(services, actor, world.project, CLEANED).await;
            Box::pin(stream.unwrap())
        };
        let (mut first, mut second) = (follow().await, follow().await);
        futures::join!(next(&mut first), next(&mut second));
        let manager = &world.manager.actor;
        members::remove(services, manager, world.project, reviewer.member).await.unwrap();
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        assert!(first.next().await.is_none());
        assert!(second.next().await.is_none());
    }
}

#[tokio::test]
async fn who_moved_the_numbers_last_is_known_after_a_restart() {
    for world in worlds(2, 1).await {
        let actor = &world.manager.actor;
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let restarted =
            Services::new(world.store.clone(), Clock::system(), None, ServerKey::from([7; 32]));
        let snapshot =
            agreement::snapshot(&restarted, actor, world.project, CLEANED).await.unwrap();
        assert_eq!(snapshot.last_change.as_ref().unwrap().by, "labeler-2");
    }
}

#[tokio::test]
async fn the_matrix_and_its_stream_are_for_managers_and_reviewers() {
    for world in worlds(2, 1).await {
        let services = &world.services;
        let labeler = &world.labelers[0].actor;
        let answers = [
            (labeler, Code::RoleRequired.because("your role in this project does not allow this")),
            (&world.outsider, Refusal::NotFound),
            (&domain::Actor::Anonymous, Refusal::SignInRequired),
        ];
        for (actor, refusal) in answers {
            let snapshot = agreement::snapshot(services, actor, world.project, CLEANED).await;
            assert!(matches!(snapshot, Err(Error::Refused(said)) if said == refusal));
            let stream = agreement::follow(services, actor, world.project, CLEANED).await;
            assert!(matches!(stream, Err(Error::Refused(said)) if said == refusal));
        }
        let actor = &world.reviewer.actor;
        let seen = agreement::snapshot(services, actor, world.project, CLEANED).await.unwrap();
        let names: Vec<_> = seen.raters.iter().map(|rater| rater.name.as_str()).collect();
        assert_eq!(names, ["Labeler 1", "Labeler 2", "reviewer-1"]);
    }
}
