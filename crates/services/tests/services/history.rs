//! The versions of an assignment: every one that was saved can be rebuilt, and made current again.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    house::refused,
    world::{World, worlds},
};
use domain::{
    Actor, AssignmentId, Error as Refusal, HistoryView, RepeatAsk, Revision, SaveOutcome, Span,
    VersionKind, WorkState,
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use services::{
    Error, Result,
    outside::verification,
    project,
    work::{annotation, history, repeats},
};

/// Something that happens to an assignment.
#[derive(Clone, Debug)]
enum Act {
    Save {
        added: Vec<(u32, usize)>,
        removed: Vec<usize>,
    },
    Submit,
    Reopen,
    /// The labeler, or the manager, makes an earlier version current again.
    Restore {
        version: usize,
        by_manager: bool,
    },
    GiveBack,
    TakeBack,
}

fn act() -> impl Strategy<Value = Act> {
    let added = prop::collection::vec((0u32..8, 0usize..3), 0..5);
    let removed = prop::collection::vec(0usize..6, 0..3);
    prop_oneof![
        8 => (added, removed).prop_map(|(added, removed)| Act::Save { added, removed }),
        1 => Just(Act::Submit),
        2 => Just(Act::Reopen),
        3 => (0usize..20, any::<bool>())
            .prop_map(|(version, by_manager)| Act::Restore { version, by_manager }),
        1 => Just(Act::GiveBack),
        1 => Just(Act::TakeBack),
    ]
}

/// A refusal is an answer like any other; what breaks is not.
fn no_breakage<T>(result: Result<T>) {
    if let Err(Error::Broken(error)) = result {
        panic!("{error}");
    }
}

async fn history_of(world: &World, actor: &Actor, assignment: AssignmentId) -> HistoryView {
    history::load(&world.services, actor, assignment, None).await.unwrap()
}

/// The spans of a version as its page shows them.
async fn version(
    world: &World,
    actor: &Actor,
    assignment: AssignmentId,
    revision: Revision,
) -> BTreeSet<Span> {
    let view = history::load(&world.services, actor, assignment, Some(revision)).await.unwrap();
    let opened = view.opened.unwrap();
    opened.kept.into_iter().chain(opened.only_then).collect()
}

async fn carry_out(world: &World, assignment: AssignmentId, act: &Act) {
    let (services, labeler) = (&world.services, &world.labelers[0].actor);
    let view = annotation::load(services, labeler, assignment).await.unwrap().content;
    match act {
        Act::Save { added, removed } => {
            let span = |(place, label): &(u32, usize)| {
                Span::new(place * 3, place * 3 + 4, world.labels[*label])
            };
            let added: Vec<_> = added.iter().map(span).collect();
            let mut command = world.adding(0, 0, &added).await;
            command.removed = removed
                .iter()
                .filter_map(|place| view.spans.get(*place).copied().map(domain::Fact::from))
                .collect();
            no_breakage(annotation::save(services, labeler, command).await);
        }
        Act::Submit => {
            no_breakage(annotation::submit(services, labeler, assignment, view.revision).await);
        }
        Act::Reopen => {
            no_breakage(annotation::reopen(services, labeler, assignment, view.revision).await);
        }
        Act::Restore { version, by_manager } => {
            let actor = if *by_manager { &world.manager.actor } else { labeler };
            let seen = history_of(world, actor, assignment).await;
            let versions: Vec<_> = seen.sittings.iter().flatten().collect();
            let wanted = versions.get(*version).map_or(seen.base.revision, |one| one.revision);
            no_breakage(history::restore(services, actor, assignment, wanted, seen.revision).await);
        }
        Act::GiveBack => {
            let (actor, ask) = (&world.manager.actor, RepeatAsk { documents: 1, days: 0 });
            let plan = repeats::load(services, actor, world.project, ask).await.unwrap().plan;
            no_breakage(repeats::give(services, actor, world.project, ask, &plan.seen).await);
        }
        Act::TakeBack => {
            let (actor, ask) = (&world.manager.actor, RepeatAsk::default());
            let view = repeats::load(services, actor, world.project, ask).await.unwrap();
            if let Some(batch) = view.batches.first() {
                no_breakage(repeats::take_back(services, actor, world.project, batch.id).await);
            }
        }
    }
}

#[tokio::test]
async fn walking_back_from_now_to_any_version_gives_what_was_saved_then() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut restored = 0;
    for _ in 0..6 {
        let acts = prop::collection::vec(act(), 20..40).new_tree(&mut runner).unwrap().current();
        for world in worlds(1, 1).await {
            let assignment = world.assignment(0, 0).await;
            let labeler = &world.labelers[0].actor;
            // What each pass had, by revision; a repeat begins anew.
            let mut saved: BTreeMap<(bool, Revision), BTreeSet<Span>> = BTreeMap::new();
            let mut is_repeat = false;
            for act in &acts {
                carry_out(&world, assignment, act).await;
                let found = store::work::assignments::find(&*world.store, assignment)
                    .await
                    .unwrap()
                    .unwrap();
                is_repeat = found.repeat.is_some();
                let now =
                    annotation::load(&world.services, labeler, assignment).await.unwrap().content;
                saved.insert((is_repeat, now.revision), now.spans.into_iter().collect());
            }
            let mut checked = 0;
            for (actor, repeat) in [(labeler, is_repeat), (&world.manager.actor, false)] {
                let view = history_of(&world, actor, assignment).await;
                for kept in view.sittings.iter().flatten() {
                    let then = version(&world, actor, assignment, kept.revision).await;
                    assert_eq!(saved.get(&(repeat, kept.revision)), Some(&then), "{acts:?}");
                    assert_eq!(kept.spans, u64::try_from(then.len()).unwrap());
                    checked += 1;
                    restored += usize::from(kept.kind == VersionKind::Restore);
                }
                assert_eq!(
                    version(&world, actor, assignment, view.base.revision).await,
                    BTreeSet::new()
                );
                assert!(!view.base.has_past);
            }
            assert!(checked > 4, "{acts:?}");
            for report in verification::all(&world.store).await.unwrap() {
                assert_eq!(report.problems, Vec::<String>::new());
            }
        }
    }
    assert!(restored > 4, "the histories restore something");
}

#[tokio::test]
async fn what_was_saved_before_versions_were_kept_is_where_history_begins() {
    for world in worlds(1, 1).await {
        let assignment = world.assignment(0, 0).await;
        let old = Span::new(0, 3, world.labels[0]);
        let tx = world.store.begin().await.unwrap();
        let (base, now) = (Revision(0), chrono::DateTime::UNIX_EPOCH);
        assert!(
            store::work::assignments::save(&tx, &[(assignment, base)], WorkState::Saved, now)
                .await
                .unwrap()
        );
        store::work::spans::insert_many(&tx, &[(assignment, old)]).await.unwrap();
        tx.commit().await.unwrap();

        let labeler = &world.labelers[0].actor;
        let view = history_of(&world, labeler, assignment).await;
        assert!(view.sittings.is_empty() && view.base.has_past);
        world.mark(0, 0, &[Span::new(4, 11, world.labels[1])]).await;
        let view = history_of(&world, labeler, assignment).await;
        assert_eq!((view.base.revision, view.base.spans), (Revision(1), 1));
        assert!(view.base.has_past);
        assert_eq!(version(&world, labeler, assignment, Revision(1)).await, BTreeSet::from([old]));
        let gone = history::load(&world.services, labeler, assignment, Some(Revision(0))).await;
        assert_eq!(refused(gone), Refusal::NotFound);
    }
}

#[tokio::test]
async fn a_restored_version_is_one_new_save_that_moves_agreement_and_can_be_taken_back() {
    for world in worlds(2, 1).await {
        let (first, second) = (Span::new(0, 3, world.labels[0]), Span::new(4, 11, world.labels[1]));
        let one = world.mark(0, 0, &[first]).await;
        let two = world.mark(0, 0, &[second]).await;
        let assignment = world.assignment(0, 0).await;
        let labeler = &world.labelers[0].actor;
        verification::live(&world.services, &world.manager.actor, world.project).await.unwrap();
        let before = store::project::find(&*world.store, world.project).await.unwrap().unwrap();

        // An editor that is open elsewhere, at the present revision.
        let elsewhere = world.adding(0, 0, &[Span::new(12, 14, world.labels[1])]).await;
        history::restore(&world.services, labeler, assignment, one, two).await.unwrap();
        let now = annotation::load(&world.services, labeler, assignment).await.unwrap().content;
        assert_eq!((now.spans.as_slice(), now.revision), ([first].as_slice(), two.next()));
        let after = store::project::find(&*world.store, world.project).await.unwrap().unwrap();
        assert_eq!(after.revision, before.revision.next());
        let report = verification::live(&world.services, &world.manager.actor, world.project).await;
        assert_eq!(report.unwrap().problems, Vec::<String>::new());
        let audit = store::outside::audit::list(
            &*world.store,
            Some(world.project),
            &store::outside::audit::Filter::default(),
            1,
        )
        .await
        .unwrap();
        assert_eq!(audit[0].event, "restore version");
        let detail: serde_json::Value = serde_json::from_str(&audit[0].detail).unwrap();
        assert_eq!(detail["version"], one.0);

        let outcome = annotation::save(&world.services, labeler, elsewhere).await.unwrap();
        assert!(matches!(outcome, SaveOutcome::Conflict(content) if content.spans == [first]));
        // The page that the version was chosen on is of before.
        let again = history::restore(&world.services, labeler, assignment, two, two).await;
        assert!(matches!(refused(again), Refusal::Invalid { field, .. } if field == "base"));

        // The manager takes it back.
        let manager = &world.manager.actor;
        history::restore(&world.services, manager, assignment, two, two.next()).await.unwrap();
        let now = annotation::load(&world.services, labeler, assignment).await.unwrap().content;
        assert_eq!(now.spans, [first, second]);
        let told = |view: HistoryView| {
            let versions = view.sittings.into_iter().flatten();
            versions.map(|one| (one.by.unwrap(), one.kind, one.restored)).collect::<Vec<_>>()
        };
        let of_labeler = told(history_of(&world, labeler, assignment).await);
        assert_eq!(
            of_labeler[0],
            ("a reviewer or manager".to_owned(), VersionKind::Restore, Some(two))
        );
        assert_eq!(of_labeler[1], ("you".to_owned(), VersionKind::Restore, Some(one)));
        let of_reviewer = told(history_of(&world, &world.reviewer.actor, assignment).await);
        assert_eq!(of_reviewer[1].0, "Labeler 1", "names are hidden from reviewers");
    }
}

#[tokio::test]
async fn a_submitted_assignment_is_restored_only_after_it_was_reopened() {
    for world in worlds(1, 1).await {
        let one = world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        world.mark(0, 0, &[Span::new(4, 11, world.labels[1])]).await;
        world.submit(0, 0).await;
        let (assignment, labeler) = (world.assignment(0, 0).await, &world.labelers[0].actor);
        let base = history_of(&world, labeler, assignment).await.revision;
        for actor in [labeler, &world.manager.actor] {
            let closed =
                refused(history::restore(&world.services, actor, assignment, one, base).await);
            assert!(matches!(closed, Refusal::Conflict(why) if why.contains("reopen")));
        }
        annotation::reopen(&world.services, labeler, assignment, base).await.unwrap();
        history::restore(&world.services, labeler, assignment, one, base.next()).await.unwrap();
        let now = base.next().next();
        history::restore(&world.services, labeler, assignment, one, now).await.unwrap();
        let view = history_of(&world, labeler, assignment).await;
        assert_eq!(view.revision, now, "what is current already is not saved again");
    }
}

#[tokio::test]
async fn a_label_that_is_gone_is_named_and_what_it_marked_stays_away() {
    for world in worlds(1, 1).await {
        let (kept, gone) = (Span::new(0, 3, world.labels[0]), Span::new(4, 11, world.labels[2]));
        let both = world.mark(0, 0, &[kept, gone]).await;
        let mut command = world.adding(0, 0, &[]).await;
        command.removed = vec![kept.into(), gone.into()];
        let (labeler, assignment) = (&world.labelers[0].actor, command.assignment);
        annotation::save(&world.services, labeler, command).await.unwrap();
        let manager = &world.manager.actor;
        project::delete_label(&world.services, manager, world.project, world.labels[2])
            .await
            .unwrap();
        let view = history::load(&world.services, labeler, assignment, Some(both)).await.unwrap();
        let opened = view.opened.unwrap();
        let label = opened.label(world.labels[2]).unwrap();
        assert_eq!((label.name.as_str(), label.is_gone), ("YEAR", true));
        assert_eq!((opened.only_then.len(), opened.lost()), (2, 1));
        history::restore(&world.services, labeler, assignment, both, view.revision).await.unwrap();
        let now = annotation::load(&world.services, labeler, assignment).await.unwrap().content;
        assert_eq!(now.spans, [kept]);
    }
}

#[tokio::test]
async fn a_labeler_whose_document_is_repeated_meets_nothing_of_the_first_pass() {
    for world in worlds(1, 1).await {
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        world.submit(0, 0).await;
        let (assignment, labeler) = (world.assignment(0, 0).await, &world.labelers[0].actor);
        let first = history_of(&world, labeler, assignment).await.sittings[0][0].revision;
        carry_out(&world, assignment, &Act::GiveBack).await;
        let view = history_of(&world, labeler, assignment).await;
        assert!(view.sittings.is_empty() && !view.base.has_past);
        let opened = history::load(&world.services, labeler, assignment, Some(first)).await;
        assert_eq!(refused(opened), Refusal::NotFound);
        let stolen =
            history::restore(&world.services, labeler, assignment, first, view.revision).await;
        assert_eq!(refused(stolen), Refusal::NotFound);
        // A manager sees what counts, and cannot change it.
        let seen = history_of(&world, &world.manager.actor, assignment).await;
        assert!(seen.is_repeated && seen.sittings.len() == 2);
        let manager = &world.manager.actor;
        let over =
            history::restore(&world.services, manager, assignment, first, seen.revision).await;
        assert!(matches!(refused(over), Refusal::Conflict(_)));
    }
}

#[tokio::test]
async fn others_see_and_restore_a_history_as_the_policy_table_says() {
    for world in worlds(2, 1).await {
        let one = world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let base = world.mark(0, 0, &[Span::new(4, 11, world.labels[1])]).await;
        let assignment = world.assignment(0, 0).await;
        let services = &world.services;
        let look =
            async |actor: &Actor| history::load(services, actor, assignment, Some(one)).await;
        let restore =
            async |actor: &Actor| history::restore(services, actor, assignment, one, base).await;
        for hidden in [&world.labelers[1].actor, &world.outsider] {
            assert_eq!(refused(look(hidden).await), Refusal::NotFound);
            assert_eq!(refused(restore(hidden).await), Refusal::NotFound);
        }
        assert_eq!(refused(look(&Actor::Anonymous).await), Refusal::SignInRequired);
        assert_eq!(refused(restore(&Actor::Anonymous).await), Refusal::SignInRequired);
        let reviewer = &world.reviewer.actor;
        assert!(!look(reviewer).await.unwrap().may_restore);
        assert!(matches!(refused(restore(reviewer).await), Refusal::Denied(_)));
        assert!(look(&world.manager.actor).await.unwrap().may_restore);
        assert!(look(&world.labelers[0].actor).await.unwrap().labeler.is_none());
    }
}
