//! By token and by overlap: golden values of texts, and what is refused rather than counted otherwise.

use domain::{
    Error as Refusal, Measure, Measured, PolicyChoice, PositionQuery, SeveralMeasure, Sorting,
    Span, Switches, TimeSubject, TimeSwitches, UndefinedReason, WalkList, WalkQuery, Whose,
};
use services::{
    Error,
    agreement::{self, breakdowns, over_time},
    review::walk,
};

use crate::{
    comparing::{compared, file, hamlet, under, value},
    world::worlds,
};

/// The worked example has 38 tokens. What each labeler gave each of them was written down by a script of a few
/// lines in another language, with its own cutting into words, and κ follows by Cohen's formula.
#[test]
fn the_worked_example_by_token_has_the_values_that_another_program_finds() {
    let by_token = compared(hamlet(), under(Measure::Kappa, PolicyChoice::Token));
    let of = |value: &str| (value.to_owned(), 38);
    assert_eq!(value(&by_token, 0, 1), of("0.5818"));
    assert_eq!(value(&by_token, 0, 2), of("0.5385"));
    assert_eq!(value(&by_token, 1, 2), of("0.8262"));
    let several = by_token.matrix.several.unwrap();
    assert_eq!((several.n, several.documents), (38, 1));
    assert!(several.rows.iter().all(|row| row.measured.value().is_some()));
    assert!(several.unitizing.is_some(), "of spans, whatever is compared");
}

/// Worked by hand. Of "Gil went to Ur" one marked "Gil went" and "Ur", the other "Gil" and "to Ur": two pairs of
/// spans with the same labels, and of four tokens two with the same.
#[test]
fn near_misses_agree_by_overlap_in_part_by_token_and_not_as_exact_spans() {
    let text = "Gil went to Ur";
    let rater = |name: &str, spans: [(u32, u32, &str); 2]| {
        let span =
            |(start, end, label)| serde_json::json!({ "start": start, "end": end, "label": label });
        let line = serde_json::json!({ "id": 1, "text": text, "spans": spans.map(span) });
        file(name, line.to_string())
    };
    let files = || {
        vec![
            rater("a.jsonl", [(0, 8, "PER"), (12, 14, "LOC")]),
            rater("b.jsonl", [(0, 3, "PER"), (9, 14, "LOC")]),
        ]
    };
    let under = |measure, policy| value(&compared(files(), under(measure, policy)), 0, 1);
    let of = |value: &str, n| (value.to_owned(), n);
    assert_eq!(under(Measure::Percent, PolicyChoice::Overlap), of("1.0000", 2));
    assert_eq!(under(Measure::F1, PolicyChoice::Overlap), of("1.0000", 2));
    assert_eq!(under(Measure::Percent, PolicyChoice::Token), of("0.5000", 4));
    // Of three and three tokens with a label, two have the same.
    assert_eq!(under(Measure::F1, PolicyChoice::Token), of("0.6667", 4));
    assert_eq!(under(Measure::Percent, PolicyChoice::EmptyLabel), of("0.0000", 4));
    assert_eq!(under(Measure::F1, PolicyChoice::EmptyLabel), of("0.0000", 4));
}

/// More than can be paired: each of 500 spans overlaps all of the other's. A few are no matter.
#[test]
fn where_too_many_spans_overlap_in_one_place_there_is_no_value_by_overlap_and_a_reason() {
    let files = |count: u32| {
        let text = "a".repeat(3_000);
        let rater = |name: &str, by| {
            let span = |place| serde_json::json!({ "start": place + by, "end": 3_000 - place, "label": "X" });
            let spans: Vec<_> = (0..count).map(span).collect();
            file(name, serde_json::json!({ "id": 1, "text": text, "spans": spans }).to_string())
        };
        vec![rater("a.jsonl", 0), rater("b.jsonl", 600)]
    };
    let measured = |count, policy| {
        let found = compared(files(count), under(Measure::Percent, policy));
        found.matrix.cells[0].measured
    };
    let none = Measured::Undefined(UndefinedReason::TooManyOverlaps);
    assert_eq!(measured(500, PolicyChoice::Overlap), none);
    for (count, policy) in
        [(40, PolicyChoice::Overlap), (500, PolicyChoice::Token), (500, PolicyChoice::EmptyLabel)]
    {
        assert!(measured(count, policy).value().is_some(), "{policy}");
    }
}

/// Where something is of exact spans all the same, or not there at all, it is said once for page, text and report.
#[test]
fn a_comparison_notes_by_what_it_compares() {
    let notes = |policy| compared(hamlet(), under(Measure::Kappa, policy)).notes.join(" ");
    assert!(!notes(PolicyChoice::EmptyLabel).contains("exact spans"));
    let by_token = notes(PolicyChoice::Token);
    assert!(by_token.contains("UAX #29, Unicode") && by_token.contains("Differences are of exact"));
    let by_overlap = notes(PolicyChoice::Overlap);
    assert!(by_overlap.contains("no values by label") && by_overlap.contains("Differences are of"));
}

#[tokio::test]
async fn a_study_of_spans_with_partners_names_the_places_of_both() {
    for world in worlds(2, 1).await {
        let label = world.labels[0];
        world.mark(0, 0, &[Span::new(0, 6, label), Span::new(8, 10, label)]).await;
        world.mark(1, 0, &[Span::new(0, 4, label), Span::new(8, 10, label)]).await;
        let of = [0, 1].map(|labeler: usize| world.labelers[labeler].member);
        for labeler in 0..2 {
            world.submit(labeler, 0).await;
        }
        let switches = Switches { policy: PolicyChoice::Overlap, ..Switches::default() };
        let (actor, project) = (&world.manager.actor, world.project);
        let pair = Some((of[0], of[1]));
        let study = agreement::study(&world.services, actor, project, switches, pair).await;
        let text = String::from_utf8(study.unwrap().body).unwrap();
        let document = world.documents[0];
        assert!(text.contains(&format!("{document}:0-6/0-4,")), "{text}");
        assert!(text.contains(&format!("{document}:8-10,")), "{text}");
    }
}

fn is_refused<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Refused(Refusal::Invalid { field, .. })) if field == "policy")
}

#[tokio::test]
async fn what_there_is_not_of_other_positions_is_refused_and_nothing_else_is_counted() {
    for world in worlds(2, 1).await {
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let spans = |end| [Span::new(0, end, world.labels[0])];
        world.mark(0, 0, &spans(6)).await;
        world.mark(1, 0, &spans(4)).await;
        let by = |policy| Switches { policy, ..Switches::default() };
        let overlap = by(PolicyChoice::Overlap);
        let labels = breakdowns::labels(services, actor, project, overlap, Sorting::default());
        assert!(is_refused(labels.await));
        let documents =
            breakdowns::documents(services, actor, project, overlap, Sorting::default());
        assert!(is_refused(documents.await));
        let people = breakdowns::people(services, actor, project, overlap, Sorting::default());
        assert_eq!(people.await.unwrap().rows.len(), 2);
        assert!(is_refused(agreement::study(services, actor, project, overlap, None).await));
        let snapshot = agreement::snapshot(services, actor, project, overlap).await.unwrap();
        let several = snapshot.several.as_ref().unwrap();
        let reason = Measured::Undefined(UndefinedReason::NoCommonPositions);
        assert!(several.rows.iter().all(|row| row.measured == reason));

        let trend = |subject| TimeSwitches {
            subject,
            policy: PolicyChoice::Overlap,
            measure: SeveralMeasure::Alpha,
            ..TimeSwitches::default()
        };
        let of_labelers = over_time::load(services, actor, project, trend(TimeSubject::Labelers));
        assert!(is_refused(of_labelers.await));
        let of_reviewers = over_time::load(services, actor, project, trend(TimeSubject::Reviewers));
        assert!(is_refused(of_reviewers.await));

        for policy in [PolicyChoice::Token, PolicyChoice::Overlap] {
            let switches = by(policy);
            assert!(is_refused(agreement::what_if(services, actor, project, switches).await));
            let list = WalkList::Positions(PositionQuery::of(Whose::Labelers, switches));
            let walk = WalkQuery { list, at: None, act: None };
            assert!(is_refused(walk::load(services, actor, project, walk).await));
            assert!(agreement::report(services, actor, project, switches, true).await.is_ok());
        }
        for &policy in PolicyChoice::ALL {
            let numbers = agreement::headlines(services, actor, project, by(policy)).await;
            let policies: Vec<_> = numbers.unwrap().numbers.iter().map(|it| it.policy).collect();
            assert_eq!(policies, PolicyChoice::HEADLINES);
        }
    }
}
