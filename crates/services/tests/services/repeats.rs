//! Silent repeats: they look new to whoever does them, and count for nothing but consistency.

use crate::world::{World, worlds};
use domain::{
    Confidence, Documents, Error as Refusal, ExportFormat, ExportWhat, LabelSet, Measure, Measured,
    OwnRepeats, PolicyChoice, Range, RepeatAsk, RepeatBatch, RepeatsView, Role, SaveOutcome,
    SelfPart, Sorting, Span, StateCounts, Switches, Verdict, WorkState,
};
use services::{
    Error,
    agreement::{self, breakdowns, disagreements},
    document,
    outside::verification,
    project, review,
    work::{self, annotation, repeats},
};

const NOW: u32 = 0;

async fn view(world: &World, documents: u32, days: u32) -> RepeatsView {
    let ask = RepeatAsk { documents, days };
    repeats::load(&world.services, &world.manager.actor, world.project, ask).await.unwrap()
}

/// Gives each labeler so many of their documents back.
async fn give(world: &World, documents: u32) -> RepeatBatch {
    let plan = view(world, documents, NOW).await.plan;
    let actor = &world.manager.actor;
    let total = u64::try_from(plan.total()).unwrap();
    let given = repeats::give(&world.services, actor, world.project, plan.ask, &plan.seen).await;
    assert_eq!(given.unwrap(), total);
    view(world, 1, NOW).await.batches.remove(0)
}

/// PER, TITLE and PER in every document, submitted.
async fn everything_submitted(world: &World) {
    for labeler in 0..world.labelers.len() {
        for document in 0..world.documents.len() {
            world.mark(labeler, document, &usual(world)).await;
            world.submit(labeler, document).await;
        }
    }
}

fn usual(world: &World) -> [Span; 3] {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    [Span::new(0, 3, per), Span::new(4, 11, title), Span::new(15, 21, per)]
}

async fn content(world: &World, labeler: usize, document: usize) -> domain::AssignmentContent {
    let actor = &world.labelers[labeler].actor;
    let id = world.assignment(labeler, document).await;
    annotation::load(&world.services, actor, id).await.unwrap().content
}

/// Everything between raters that a manager or a reviewer is shown, as text, once all intervals are
/// there.
async fn between_raters(world: &World) -> Vec<String> {
    loop {
        let shown = between_raters_now(world).await;
        if !shown.iter().any(|text| text.contains("Pending")) {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn between_raters_now(world: &World) -> Vec<String> {
    let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
    let mut shown = Vec::new();
    for &measure in Measure::ALL {
        for policy in [PolicyChoice::Cleaned, PolicyChoice::EmptyLabel] {
            let documents = Documents::Submitted;
            let switches = Switches { measure, policy, documents, ..Switches::default() };
            let told = agreement::snapshot(services, manager, project, switches).await.unwrap();
            shown.push(format!("{told:?}"));
            let study = agreement::study(services, manager, project, switches, None).await.unwrap();
            shown.push(String::from_utf8(study.body).unwrap());
        }
    }
    let units = agreement::units(services, manager, project, Switches::default()).await.unwrap();
    shown.push(String::from_utf8(units.body).unwrap());
    let query = domain::DisagreementQuery::default();
    let list = disagreements::list(services, manager, project, query).await.unwrap();
    shown.push(format!("{list:?}"));
    for what in [ExportWhat::Gold, ExportWhat::Labelers] {
        let file = world.export_bytes(what, ExportFormat::JsonLines).await;
        shown.push(String::from_utf8(file).unwrap());
    }
    let progress = document::progress(services, manager, project).await.unwrap();
    shown.push(format!("{progress:?}"));
    shown.push(format!("{:?}", document::list(services, manager, project, 0).await.unwrap()));
    let reviewer = &world.reviewer.actor;
    shown.push(format!("{:?}", review::list(services, reviewer, project, 0).await.unwrap()));
    for document in &world.documents {
        let review = review::load(services, reviewer, *document).await.unwrap();
        shown.push(format!("{review:?}"));
    }
    shown.push(format!("{:?}", project::list(services, manager).await.unwrap()));
    let verified = verification::live(services, manager, project).await.unwrap();
    assert_eq!(verified.problems, Vec::<String>::new());
    shown.push(format!("{verified:?}"));
    shown
}

#[tokio::test]
async fn a_repeat_moves_no_number_between_raters_and_no_review() {
    for world in worlds(2, 4).await {
        everything_submitted(&world).await;
        let range = Range::new(0, 3);
        world.decide(0, range, Verdict::Accept, LabelSet::one(world.labels[0])).await;
        let before = between_raters(&world).await;
        give(&world, 2).await;
        assert_eq!(between_raters(&world).await, before, "given");
        for labeler in 0..2 {
            for document in 0..4 {
                if content(&world, labeler, document).await.state == WorkState::Open {
                    world.mark(labeler, document, &[Span::new(30, 34, world.labels[2])]).await;
                    assert_eq!(between_raters(&world).await, before, "saved");
                    world.submit(labeler, document).await;
                    assert_eq!(between_raters(&world).await, before, "submitted");
                }
            }
        }
        for report in verification::all(&world.store).await.unwrap() {
            assert_eq!(report.problems, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn to_its_labeler_a_repeat_looks_like_a_document_that_was_never_done() {
    for world in worlds(1, 3).await {
        let actor = &world.labelers[0].actor;
        let fresh = work::load(&world.services, actor, world.project).await.unwrap();
        let id = world.assignment(0, 0).await;
        let opened = annotation::load(&world.services, actor, id).await.unwrap();
        everything_submitted(&world).await;
        give(&world, 3).await;
        let again = work::load(&world.services, actor, world.project).await.unwrap();
        assert_eq!(again, fresh, "the same list in the same order, nothing begun");
        let mut repeat = annotation::load(&world.services, actor, id).await.unwrap();
        assert!(repeat.content.revision > opened.content.revision);
        repeat.content.revision = opened.content.revision;
        assert_eq!(repeat, opened, "but for the number of its revision");
        let cards = project::list(&world.services, actor).await.unwrap();
        assert_eq!((cards[0].submitted, cards[0].assigned), (0, 3));
    }
}

#[tokio::test]
async fn the_first_pass_stays_out_of_reach_and_as_it_was() {
    for world in worlds(1, 1).await {
        everything_submitted(&world).await;
        let actor = &world.labelers[0].actor;
        let id = world.assignment(0, 0).await;
        let old = content(&world, 0, 0).await.revision;
        give(&world, 1).await;
        // A page that was open since before.
        let reopened = annotation::reopen(&world.services, actor, id, old).await.unwrap();
        let SaveOutcome::Conflict(there) = reopened else { panic!("the copy has moved on") };
        assert_eq!((there.state, there.spans), (WorkState::Open, Vec::new()));

        let other = Span::new(30, 34, world.labels[2]);
        world.mark(0, 0, &[other]).await;
        world.submit(0, 0).await;
        assert_eq!(content(&world, 0, 0).await.spans, [other]);
        let base = content(&world, 0, 0).await.revision;
        annotation::reopen(&world.services, actor, id, base).await.unwrap();
        assert_eq!(content(&world, 0, 0).await.spans, [other]);
        let ratings =
            store::agreement::ratings::load_document(&*world.store, world.documents[0]).await;
        let assignment = &ratings.unwrap().unwrap().assignments[0];
        assert_eq!(
            (assignment.state, &assignment.spans[..]),
            (WorkState::Submitted, &usual(&world)[..])
        );
    }
}

#[tokio::test]
async fn nobody_takes_their_first_pass_away_while_they_repeat_it() {
    for world in worlds(1, 2).await {
        everything_submitted(&world).await;
        let actor = &world.labelers[0].actor;
        let own = async |what| {
            let file = world.exported(actor, what, ExportFormat::JsonLines).await;
            let mut bytes = Vec::new();
            file.unwrap().write_to(&mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        let member = world.labelers[0].member;
        assert_eq!(own(ExportWhat::Own).await.matches("TITLE").count(), 2);
        give(&world, 2).await;
        // What is not begun looks as it did at first: nothing is saved in it.
        assert_eq!(own(ExportWhat::Own).await, "");
        assert_eq!(own(ExportWhat::Rater(member)).await, "");
        world.mark(0, 0, &[Span::new(30, 34, world.labels[2])]).await;
        let second = own(ExportWhat::Own).await;
        assert_eq!((second.lines().count(), second.matches("TITLE").count()), (1, 0));
        assert_eq!(second.matches("YEAR").count(), 1);
        // Everybody else gets the first pass, which is what counts.
        let all = world.export_bytes(ExportWhat::Labelers, ExportFormat::JsonLines).await;
        let all = String::from_utf8(all).unwrap();
        assert_eq!((all.matches("TITLE").count(), all.matches("YEAR").count()), (2, 0));
    }
}

#[tokio::test]
async fn what_nobody_has_begun_can_be_taken_back_and_the_first_pass_is_there_again() {
    for world in worlds(1, 2).await {
        everything_submitted(&world).await;
        let batch = give(&world, 2).await;
        assert_eq!(batch.counts, StateCounts { open: 2, ..StateCounts::default() });
        let kept = Span::new(30, 34, world.labels[2]);
        world.mark(0, 1, &[kept]).await;
        // A page in which the repeat was opened, and nothing done yet.
        let late = world.adding(0, 0, &[kept]).await;
        let manager = &world.manager.actor;
        let taken = repeats::take_back(&world.services, manager, world.project, batch.id).await;
        assert_eq!(taken.unwrap(), 1);
        let first = content(&world, 0, 0).await;
        assert_eq!((first.state, &first.spans[..]), (WorkState::Submitted, &usual(&world)[..]));
        assert_eq!(content(&world, 0, 1).await.spans, [kept]);
        let saved = annotation::save(&world.services, &world.labelers[0].actor, late).await;
        assert!(matches!(saved.unwrap(), SaveOutcome::Conflict(there) if there == first));
        let batches = view(&world, 1, NOW).await.batches;
        assert_eq!(batches[0].counts, StateCounts { saved: 1, ..StateCounts::default() });
        for report in verification::all(&world.store).await.unwrap() {
            assert_eq!(report.problems, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn nobody_gets_a_document_back_twice_and_only_what_was_previewed_is_given() {
    for world in worlds(2, 3).await {
        everything_submitted(&world).await;
        let old = view(&world, 2, NOW).await.plan;
        assert_eq!(old, view(&world, 2, NOW).await.plan, "a preview draws the same again");
        give(&world, 2).await;
        let next = view(&world, 2, NOW).await.plan;
        for (before, after) in old.shares.iter().zip(&next.shares) {
            assert_eq!((before.eligible, before.chosen.len()), (3, 2));
            assert_eq!((after.eligible, after.chosen.len()), (1, 1));
            assert!(!before.chosen.contains(&after.chosen[0]));
        }
        let manager = &world.manager.actor;
        let stale =
            repeats::give(&world.services, manager, world.project, old.ask, &old.seen).await;
        assert!(matches!(
            stale,
            Err(Error::Refused(Refusal::Invalid { field, .. })) if field == "seen"
        ));
        give(&world, 2).await;
        let none = view(&world, 2, NOW).await.plan;
        let refused =
            repeats::give(&world.services, manager, world.project, none.ask, &none.seen).await;
        assert!(matches!(
            refused,
            Err(Error::Refused(Refusal::Invalid { field, .. })) if field == "documents"
        ));
    }
}

#[tokio::test]
async fn what_was_submitted_too_lately_is_not_given_back() {
    for world in worlds(1, 1).await {
        everything_submitted(&world).await;
        assert_eq!(view(&world, 1, 1).await.plan.total(), 0, "the clock ticks seconds, not days");
        assert_eq!(view(&world, 1, NOW).await.plan.total(), 1);
    }
}

/// Does the labeler's repeats, with another label on the third place of all but the first `alike`.
async fn repeat_all(world: &World, labeler: usize, alike: usize) {
    let [first, second, _] = usual(world);
    let other = Span::new(15, 21, world.labels[1]);
    let mut done = 0;
    for document in 0..world.documents.len() {
        if content(world, labeler, document).await.state != WorkState::Open {
            continue;
        }
        let third = if done < alike { usual(world)[2] } else { other };
        world.mark(labeler, document, &[first, second, third]).await;
        world.submit(labeler, document).await;
        done += 1;
    }
}

async fn own(world: &World, labeler: usize) -> Option<OwnRepeats> {
    let actor = &world.labelers[labeler].actor;
    work::load(&world.services, actor, world.project).await.unwrap().consistency
}

#[tokio::test]
async fn own_consistency_is_that_of_the_two_passes() {
    for world in worlds(2, 4).await {
        everything_submitted(&world).await;
        give(&world, 4).await;
        repeat_all(&world, 0, 3).await;
        let Some(shown) = own(&world, 0).await else { panic!("all is done") };
        // 12 places, 11 alike; the first pass says PER 8 times and TITLE 4 times, the second 7 and 5.
        let chance = (8.0 * 7.0 + 4.0 * 5.0) / 144.0;
        let kappa = (11.0 / 12.0 - chance) / (1.0 - chance);
        let SelfPart { documents, measured, confidence, comparisons, agreements, coverage } =
            shown.kappa;
        assert_eq!((documents, comparisons, agreements), (4, 12, 11));
        assert_eq!((coverage.both, coverage.only_first, coverage.only_second), (12, 0, 0));
        let Measured::Value { value, .. } = measured else { panic!("{measured:?}") };
        assert!((value - kappa).abs() < 1e-12, "{value} is not {kappa}");
        assert!(matches!(confidence, Confidence::Interval { lower, upper }
            if lower < kappa && kappa < upper));
        // Of 24 values, 15 PER and 9 TITLE.
        let expected: f64 = 2.0 * 15.0 * 9.0 / (24.0 * 23.0);
        let alpha = 1.0 - (1.0 / 12.0) / expected;
        assert!((shown.alpha.measured.value().unwrap() - alpha).abs() < 1e-12);
        assert!(matches!(shown.alpha.confidence, Confidence::Interval { .. }));
        assert!((shown.f1.measured.value().unwrap() - 11.0 / 12.0).abs() < 1e-12);
        assert_eq!(own(&world, 1).await, None, "others have not begun");

        // The manager sees the same.
        let people = breakdowns::people(
            &world.services,
            &world.manager.actor,
            world.project,
            Switches { documents: Documents::Submitted, ..Switches::default() },
            Sorting::default(),
        );
        let people = people.await.unwrap().rows;
        let of = |labeler: usize| {
            let member = world.labelers[labeler].member;
            people.iter().find(|row| row.rater.id == member).unwrap().own
        };
        assert_eq!((of(0), of(1)), (Some(shown.kappa), None));
        let reviewer = &world.reviewer.actor;
        let seen = breakdowns::people(
            &world.services,
            reviewer,
            world.project,
            Switches::default(),
            Sorting::default(),
        );
        assert!(seen.await.unwrap().rows.iter().all(|row| row.own.is_none()));
    }
}

#[tokio::test]
async fn nothing_is_shown_while_a_repeat_is_open_or_of_fewer_than_three() {
    for world in worlds(1, 5).await {
        everything_submitted(&world).await;
        give(&world, 2).await;
        repeat_all(&world, 0, 2).await;
        assert_eq!(own(&world, 0).await, None, "two documents are too few");
        give(&world, 2).await;
        let [first, ..] = usual(&world);
        let open: Vec<_> = {
            let mut open = Vec::new();
            for document in 0..5 {
                if content(&world, 0, document).await.state == WorkState::Open {
                    open.push(document);
                }
            }
            open
        };
        world.mark(0, open[0], &[first]).await;
        world.submit(0, open[0]).await;
        assert_eq!(own(&world, 0).await, None, "another is still to be done");
        world.submit(0, open[1]).await;
        let Some(shown) = own(&world, 0).await else { panic!("all is done") };
        assert_eq!(shown.kappa.documents, 4);
        // Two places of the one repeat and three of the other are those of the first pass alone.
        assert_eq!(shown.kappa.coverage.only_first, 5);

        // What is given next moves nothing until it is all done.
        give(&world, 1).await;
        assert_eq!(own(&world, 0).await, Some(shown));
    }
}

#[tokio::test]
async fn giving_and_taking_back_are_for_managers_alone() {
    for world in worlds(1, 1).await {
        everything_submitted(&world).await;
        let plan = view(&world, 1, NOW).await.plan;
        let batch = give(&world, 1).await;
        let labeler = &world.labelers[0].actor;
        for (actor, role) in [
            (labeler, Some(Role::Labeler)),
            (&world.reviewer.actor, Some(Role::Reviewer)),
            (&world.outsider, None),
        ] {
            let (services, project) = (&world.services, world.project);
            let refused = [
                repeats::load(services, actor, project, plan.ask).await.err(),
                repeats::give(services, actor, project, plan.ask, &plan.seen).await.err(),
                repeats::take_back(services, actor, project, batch.id).await.err(),
            ];
            for error in refused {
                let expected = match error {
                    Some(Error::Refused(Refusal::Denied(_))) => role.is_some(),
                    Some(Error::Refused(Refusal::NotFound)) => role.is_none(),
                    _ => false,
                };
                assert!(expected, "{role:?}: {error:?}");
            }
        }
        let elsewhere = worlds(0, 0).await.remove(0);
        let other = repeats::take_back(
            &elsewhere.services,
            &elsewhere.manager.actor,
            elsewhere.project,
            batch.id,
        );
        assert!(matches!(other.await, Err(Error::Refused(Refusal::NotFound))));
    }
}

#[tokio::test]
async fn a_save_of_a_repeat_costs_the_same_statements_whatever_the_size_of_the_project() {
    let mut costs = Vec::new();
    for (labelers, documents) in [(2, 2), (5, 12)] {
        for world in worlds(labelers, documents).await {
            everything_submitted(&world).await;
            verification::live(&world.services, &world.manager.actor, world.project).await.unwrap();
            give(&world, u32::try_from(documents).unwrap()).await;
            world.mark(0, 0, &[usual(&world)[0]]).await;
            let mut command = world.adding(0, 0, &usual(&world)[1..]).await;
            command.removed = vec![usual(&world)[0].into()];
            let before = world.services.statements();
            annotation::save(&world.services, &world.labelers[0].actor, command).await.unwrap();
            costs.push(world.services.statements() - before);
        }
    }
    costs.dedup();
    assert_eq!(costs.len(), 1, "statements of a save: {costs:?}");
    assert!(costs[0] <= 14, "statements of a save: {costs:?}");
}

#[tokio::test]
async fn the_pages_of_repeats_cost_the_same_statements_whatever_there_is() {
    let mut costs = Vec::new();
    for documents in [3, 8] {
        for world in worlds(3, documents).await {
            everything_submitted(&world).await;
            give(&world, u32::try_from(documents).unwrap()).await;
            for labeler in 0..3 {
                repeat_all(&world, labeler, 1).await;
            }
            let before = world.services.statements();
            own(&world, 0).await;
            let own_page = world.services.statements() - before;
            view(&world, 5, NOW).await;
            costs.push((own_page, world.services.statements() - before - own_page));
        }
    }
    costs.dedup();
    assert_eq!(costs.len(), 1, "{costs:?}");
}

#[tokio::test]
async fn what_managers_take_away_has_the_counts_of_both_passes_and_what_reviewers_do_has_none() {
    for world in worlds(2, 4).await {
        everything_submitted(&world).await;
        give(&world, 4).await;
        repeat_all(&world, 0, 3).await;
        let (services, project) = (&world.services, world.project);
        let taken = async |actor| {
            let switches = Switches::default();
            let form = agreement::MatrixFormat::Json;
            let json = agreement::export(services, actor, project, switches, form).await.unwrap();
            let report =
                agreement::report(services, actor, project, switches, false).await.unwrap();
            let json: serde_json::Value = serde_json::from_slice(&json.body).unwrap();
            (json["repeats"].clone(), String::from_utf8(report.body).unwrap())
        };
        let (repeats, report) = taken(&world.manager.actor).await;
        assert!(report.contains("Labelers with themselves"));
        let [own] = &repeats.as_array().unwrap()[..] else { panic!("{repeats}") };
        let per_and_title = serde_json::json!([[0, 0, 7], [0, 1, 1], [1, 1, 4]]);
        assert_eq!((&own["n"], &own["documents"]), (&12.into(), &4.into()));
        assert_eq!(own["categories"], serde_json::json!(["PER", "TITLE"]));
        assert_eq!(own["counts"], per_and_title);
        assert_eq!(own["by_document"].as_array().unwrap().len(), 4);

        let (repeats, report) = taken(&world.reviewer.actor).await;
        assert_eq!(repeats, serde_json::json!([]));
        assert!(!report.contains("Labelers with themselves"));
    }
}
