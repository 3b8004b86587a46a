//! Whatever people do in whatever order, on two servers of one database, on both engines: the tallies on
//! screen are those of the rows, and the rows are in order.

use std::sync::Arc;

use crate::world::{World, started, ticking, worlds};
use domain::{
    DecisionChange, Error as Refusal, LabelSet, Range, RepeatAsk, SaveDecisions, Span, Verdict,
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use services::{
    Error, agreement,
    outside::verification,
    review,
    work::{annotation, repeats},
};

/// Something that somebody does.
#[derive(Clone, Debug)]
enum Act {
    Save {
        labeler: usize,
        document: usize,
        added: Vec<(u32, usize)>,
        removed: usize,
    },
    Submit {
        labeler: usize,
        document: usize,
    },
    Reopen {
        labeler: usize,
        document: usize,
    },
    Decide {
        document: usize,
        positions: Vec<(usize, usize)>,
    },
    EndReview {
        document: usize,
    },
    ReopenReview {
        document: usize,
    },
    /// The manager gives submitted documents back.
    GiveBack {
        documents: u32,
    },
    /// What was given back last is taken away again, as far as nobody has begun it.
    TakeBack,
    /// Somebody opens the matrix.
    Look,
    /// The tallies are dropped, as by a change of members.
    Forget,
}

fn act() -> impl Strategy<Value = Act> {
    let (labeler, document) = (0usize..3, 0usize..2);
    prop_oneof![
        6 => (
            labeler.clone(),
            document.clone(),
            prop::collection::vec((0u32..8, 0usize..3), 0..5),
            0usize..3,
        )
            .prop_map(|(labeler, document, added, removed)| Act::Save {
                labeler, document, added, removed,
            }),
        2 => (labeler.clone(), document.clone())
            .prop_map(|(labeler, document)| Act::Submit { labeler, document }),
        1 => (labeler, document.clone())
            .prop_map(|(labeler, document)| Act::Reopen { labeler, document }),
        4 => (document.clone(), prop::collection::vec((0usize..8, 0usize..5), 1..4))
            .prop_map(|(document, positions)| Act::Decide { document, positions }),
        1 => document.clone().prop_map(|document| Act::EndReview { document }),
        1 => document.prop_map(|document| Act::ReopenReview { document }),
        2 => (1u32..3).prop_map(|documents| Act::GiveBack { documents }),
        1 => Just(Act::TakeBack),
        2 => Just(Act::Look),
        1 => Just(Act::Forget),
    ]
}

/// A refusal is an answer like any other; what breaks is not.
fn no_breakage<T>(result: Result<T, Error>) {
    if let Err(Error::Broken(error)) = result {
        panic!("{error}");
    }
}

async fn carry_out(world: &World, act: Act) {
    match act {
        Act::Save { labeler, document, added, removed } => {
            let actor = &world.labelers[labeler].actor;
            let span = |(place, label): (u32, usize)| {
                Span::new(place * 3, place * 3 + 4, world.labels[label])
            };
            let added: Vec<_> = added.into_iter().map(span).collect();
            let mut command = world.adding(labeler, document, &added).await;
            let view = annotation::load(&world.services, actor, command.assignment).await.unwrap();
            command.removed = view.content.facts().into_iter().take(removed).collect();
            no_breakage(annotation::save(&world.services, actor, command).await);
        }
        Act::Submit { labeler, document } | Act::Reopen { labeler, document } => {
            let actor = &world.labelers[labeler].actor;
            let id = world.assignment(labeler, document).await;
            let view = annotation::load(&world.services, actor, id).await.unwrap();
            let base = view.content.revision;
            no_breakage(if matches!(act, Act::Submit { .. }) {
                annotation::submit(&world.services, actor, id, base).await
            } else {
                annotation::reopen(&world.services, actor, id, base).await
            });
        }
        Act::Decide { document, positions } => decide(world, document, &positions).await,
        Act::EndReview { document } | Act::ReopenReview { document } => {
            let (actor, id) = (&world.reviewer.actor, world.documents[document]);
            let base = review::load(&world.services, actor, id).await.unwrap().content.revision;
            no_breakage(if matches!(act, Act::EndReview { .. }) {
                review::submit(&world.services, actor, id, base).await
            } else {
                review::reopen(&world.services, actor, id, base).await
            });
        }
        Act::GiveBack { documents } => {
            let (actor, ask) = (&world.manager.actor, RepeatAsk { documents, days: 0 });
            let plan =
                repeats::load(&world.services, actor, world.project, ask).await.unwrap().plan;
            let given = repeats::give(&world.services, actor, world.project, ask, &plan.seen).await;
            no_breakage(given);
        }
        Act::TakeBack => {
            let (actor, ask) = (&world.manager.actor, RepeatAsk::default());
            let view = repeats::load(&world.services, actor, world.project, ask).await.unwrap();
            if let Some(batch) = view.batches.first() {
                let taken =
                    repeats::take_back(&world.services, actor, world.project, batch.id).await;
                no_breakage(taken);
            }
        }
        Act::Look => {
            let switches = domain::Switches::default();
            let actor = &world.manager.actor;
            agreement::snapshot(&world.services, actor, world.project, switches).await.unwrap();
        }
        Act::Forget => {
            let settings =
                store::project::find(&*world.store, world.project).await.unwrap().unwrap().settings;
            let actor = &world.manager.actor;
            services::project::save_settings(&world.services, actor, world.project, settings)
                .await
                .unwrap();
        }
    }
}

/// Decides on some of the positions there are, in a way that fits them, or adds one.
async fn decide(world: &World, document: usize, positions: &[(usize, usize)]) {
    let (actor, document) = (&world.reviewer.actor, world.documents[document]);
    let view = review::load(&world.services, actor, document).await.unwrap();
    let mut changes: Vec<DecisionChange> = Vec::new();
    for (place, kind) in positions {
        let change = match view.content.positions.get(*place) {
            None => DecisionChange::new(
                Range::new(60 + u32::try_from(*place).unwrap(), 70),
                Some((Verdict::Add, LabelSet::one(world.labels[0]))),
            ),
            Some(position) => DecisionChange::new(
                position.range,
                match (kind, position.marked.first()) {
                    (0, Some((_, labels))) => Some((Verdict::Accept, labels.clone())),
                    (1, Some(_)) => Some((Verdict::Reject, LabelSet::EMPTY)),
                    (2, Some(_)) => {
                        Some((Verdict::Relabel, world.labels.iter().copied().collect()))
                    }
                    _ => None,
                },
            ),
        };
        if changes.iter().all(|other| other.range != change.range) {
            changes.push(change);
        }
    }
    let (base, key) = (view.content.revision, world.key());
    let command = SaveDecisions { document, base, key, changes };
    match review::save(&world.services, actor, command).await {
        Err(Error::Refused(Refusal::Invalid { field, .. })) if field == "verdict" => {}
        other => no_breakage(other),
    }
}

#[tokio::test]
async fn tallies_follow_every_history_on_two_servers() {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    for _ in 0..8 {
        let acts = prop::collection::vec((act(), 0usize..2), 30..50);
        let history = acts.new_tree(&mut runner).unwrap().current();
        for mut world in worlds(3, 2).await {
            let servers = [Arc::clone(&world.services), started(&world.store, ticking())];
            for (step, (act, server)) in history.iter().enumerate() {
                world.services = Arc::clone(&servers[*server]);
                carry_out(&world, act.clone()).await;
                for server in &servers {
                    let report = verification::live(server, &world.manager.actor, world.project);
                    assert_eq!(
                        report.await.unwrap().problems,
                        Vec::<String>::new(),
                        "after {:?}",
                        &history[..=step]
                    );
                }
            }
            for report in verification::all(&world.store).await.unwrap() {
                assert_eq!(report.problems, Vec::<String>::new(), "{history:?}");
            }
        }
    }
}
