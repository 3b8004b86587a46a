//! The disagreement walk: steps, decisions on it and their undo.

mod answers;
mod labels;
mod same_text;

use crate::{
    house::refused,
    world::{World, worlds},
};
use domain::{
    ActSummary, AlikeView, Choice, Decision, DisagreementQuery, Documents, Error as Refusal,
    Judgement, LabelId, LabelSet, Measured, Position, PositionQuery, Range, SeenPosition, Span,
    Switches, TimeSubject, TimeSwitches, Verdict, WalkDecision, WalkList, WalkQuery, WalkView,
    Walked, Whose,
};
use services::{
    Result,
    agreement::{self, disagreements, over_time},
    document::export,
    outside::verification,
    review::{self, walk},
};

/// "Tragedy".
const TRAGEDY: Range = Range::new(4, 11);
/// "The".
const THE: Range = Range::new(0, 3);

/// Three documents: on "Tragedy" two labelers differ in all of them, the other way round in the
/// second; in the third, "The" is marked by one alone.
async fn differing(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let span = |range: Range, label| Span { range, label };
    for document in 0..3 {
        let (one, other) = if document == 1 { (title, per) } else { (per, title) };
        let mut ones = vec![span(TRAGEDY, one)];
        if document == 2 {
            ones.push(span(THE, per));
        }
        world.mark(0, document, &ones).await;
        world.mark(1, document, &[span(TRAGEDY, other)]).await;
    }
}

fn list() -> WalkList {
    WalkList::Disagreements(DisagreementQuery::default())
}

fn at(world: &World, document: usize, range: Range) -> Position {
    Position { document: world.documents[document], range }
}

async fn step(world: &World, at: Option<Position>) -> WalkView {
    let query = WalkQuery { list: list(), at, act: None };
    walk::load(&world.services, &world.reviewer.actor, world.project, query).await.unwrap()
}

/// A position as the reviewer sees it now.
async fn seen(world: &World, position: Position) -> SeenPosition {
    let step = step(world, Some(position)).await.step.unwrap();
    SeenPosition { position, base: step.deciding.unwrap().base }
}

async fn decide(
    world: &World,
    from: Position,
    seen: Vec<SeenPosition>,
    choice: Choice,
    note: &str,
) -> Result<Walked> {
    let command = WalkDecision { list: list(), from, seen, choice, note: note.to_owned() };
    walk::decide(&world.services, &world.reviewer.actor, world.project, command).await
}

async fn decide_one(world: &World, position: Position, choice: Choice, note: &str) -> Walked {
    let seen = vec![seen(world, position).await];
    decide(world, position, seen, choice, note).await.unwrap()
}

async fn undo(world: &World, walked: Walked) -> Result<Walked> {
    walk::undo(&world.services, &world.reviewer.actor, world.project, walked.act).await
}

async fn alike(world: &World, like: Position) -> AlikeView {
    let alike = walk::load_same_text(
        &world.services,
        &world.reviewer.actor,
        world.project,
        None,
        Some(like),
    )
    .await;
    alike.unwrap().unwrap()
}

async fn summary(world: &World, walked: Walked) -> Option<ActSummary> {
    let query = WalkQuery { list: list(), at: None, act: Some(walked.act) };
    let view = walk::load(&world.services, &world.reviewer.actor, world.project, query).await;
    view.unwrap().act
}

/// All decisions of the reviewer, from the rows.
async fn decisions(world: &World) -> Vec<(Position, Decision)> {
    let mut decisions = Vec::new();
    for document in &world.documents {
        let ratings =
            store::agreement::ratings::load_document(&*world.store, *document).await.unwrap();
        for review in ratings.unwrap().reviews {
            assert_eq!(review.member, world.reviewer.member);
            decisions.extend(review.decisions.into_iter().map(|decision| {
                (Position { document: *document, range: decision.range }, decision)
            }));
        }
    }
    decisions
}

/// The tallies in memory are those of the rows, and the rows are in order.
async fn is_sound(world: &World) {
    let live =
        verification::live(&world.services, &world.manager.actor, world.project).await.unwrap();
    assert_eq!(live.problems, Vec::<String>::new());
    for report in verification::all(&world.store).await.unwrap() {
        assert_eq!(report.problems, Vec::<String>::new());
    }
}

fn label(id: LabelId) -> Choice {
    Choice::Give(LabelSet::one(id))
}

#[tokio::test]
async fn the_walk_goes_through_the_list_and_keeps_the_position_that_has_left_it() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let first = step(&world, None).await;
        assert_eq!((first.total, first.undecided, first.place), (4, Some(4), Some(1)));
        let here = first.step.unwrap();
        assert_eq!(here.position, at(&world, 0, TRAGEDY));
        assert_eq!((here.quote.as_str(), here.left.as_str()), ("Tragedy", "The "));
        assert!(!here.cut_left && !here.cut_right);
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        assert_eq!(
            here.judgements,
            [
                Judgement::Labels(LabelSet::one(per)),
                Judgement::Labels(LabelSet::one(title)),
                Judgement::NotJudged
            ]
        );
        let ways = [(first.previous, None), (first.next, Some(at(&world, 1, TRAGEDY)))];
        assert!(ways.iter().all(|(found, wanted)| found == wanted), "{ways:?}");

        // The labelers come to agree: the position leaves the list, the walk stays on it.
        let mut command = world.adding(0, 1, &[Span { range: TRAGEDY, label: per }]).await;
        command.removed = vec![Span { range: TRAGEDY, label: title }.into()];
        let actor = &world.labelers[0].actor;
        services::work::annotation::save(&world.services, actor, command).await.unwrap();
        let stays = step(&world, Some(at(&world, 1, TRAGEDY))).await;
        assert_eq!((stays.total, stays.place), (3, None));
        assert_eq!(stays.step.unwrap().position, at(&world, 1, TRAGEDY));
        assert_eq!(stays.previous, Some(at(&world, 0, TRAGEDY)));
        assert_eq!(stays.next, Some(at(&world, 2, THE)));
    }
}

#[tokio::test]
async fn marks_beside_a_position_are_shown_with_where_they_are() {
    for world in worlds(2, 1).await {
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        world.mark(0, 0, &[Span::new(15, 21, per)]).await;
        world.mark(1, 0, &[Span::new(15, 32, title), Span::new(4, 11, per)]).await;
        let step = step(&world, Some(at(&world, 0, Range::new(15, 21)))).await.step.unwrap();
        let beside: Vec<_> = step
            .overlapping
            .iter()
            .map(|mark| (mark.rater, mark.range, mark.quote.as_str(), mark.labels.clone()))
            .collect();
        let other = world.labelers[1].member;
        let range = Range::new(15, 32);
        assert_eq!(beside, [(other, range, "Hamlet, Prince of", LabelSet::one(title))]);
    }
}

#[tokio::test]
async fn a_walk_through_a_count_has_each_of_its_positions_once() {
    for world in worlds(3, 3).await {
        differing(&world).await;
        let [one, other, _] = &world.labelers[..] else { panic!("three labelers") };
        let pair = Whose::Pair(one.member, other.member);
        let pooled = Whose::Pooled(one.member, domain::Role::Labeler);
        for (whose, count) in [(pair, 3), (pooled, 3), (Whose::Labelers, 3)] {
            let query = PositionQuery::of(whose, Switches::default());
            let query = WalkQuery { list: WalkList::Positions(query), at: None, act: None };
            let view =
                walk::load(&world.services, &world.manager.actor, world.project, query).await;
            let view = view.unwrap();
            assert_eq!((view.total, view.undecided), (count, None), "{whose:?}");
            assert_eq!(view.step.unwrap().deciding, None, "a manager decides nothing");
        }
    }
}

#[tokio::test]
async fn a_decision_on_the_walk_is_the_decision_of_the_review_screen() {
    let walking = worlds(2, 3).await;
    let reviewing = worlds(2, 3).await;
    for (walking, reviewing) in walking.into_iter().zip(reviewing) {
        let mut numbers = Vec::new();
        let mut rows = Vec::new();
        for (world, on_the_walk) in [(&walking, true), (&reviewing, false)] {
            differing(world).await;
            let [per, title, year] = world.labels[..] else { panic!("three labels") };
            for (document, verdict, labels) in [
                (0, Verdict::Accept, LabelSet::one(per)),
                (1, Verdict::Relabel, LabelSet::one(year)),
                (2, Verdict::Reject, LabelSet::EMPTY),
                // Once more.
                (0, Verdict::Accept, LabelSet::one(title)),
            ] {
                if on_the_walk {
                    let position = at(world, document, TRAGEDY);
                    decide_one(world, position, Choice::Give(labels), "").await;
                } else {
                    world.decide(document, TRAGEDY, verdict, labels).await;
                }
            }
            is_sound(world).await;
            let snapshot = agreement::snapshot(
                &world.services,
                &world.manager.actor,
                world.project,
                Switches::default(),
            )
            .await
            .unwrap();
            numbers.push((snapshot.cells.clone(), snapshot.pooled.clone()));
            let told = decisions(world).await.into_iter().map(|(position, decision)| {
                let document = world.documents.iter().position(|id| *id == position.document);
                (document, decision.range, decision.verdict, decision.labels.len())
            });
            let mut reviews = Vec::new();
            for document in &world.documents {
                let review =
                    store::review::find(&*world.store, *document, world.reviewer.member).await;
                let review = review.unwrap().unwrap();
                reviews.push((review.revision, review.state));
            }
            rows.push((told.collect::<Vec<_>>(), reviews));
        }
        assert_eq!(rows[0], rows[1]);
        assert_eq!(numbers[0], numbers[1]);
    }
}

#[tokio::test]
async fn after_a_decision_the_walk_goes_on_to_what_is_undecided() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let per = world.labels[0];
        let walked = decide_one(&world, at(&world, 0, TRAGEDY), label(per), "").await;
        assert_eq!(walked.to, at(&world, 1, TRAGEDY));
        let walked = decide_one(&world, at(&world, 2, TRAGEDY), label(per), "").await;
        assert_eq!(walked.to, at(&world, 1, TRAGEDY), "round to the beginning");
        let walked = decide_one(&world, at(&world, 1, TRAGEDY), label(per), "").await;
        assert_eq!(walked.to, at(&world, 2, THE));
        let walked = decide_one(&world, at(&world, 2, THE), label(per), "").await;
        assert_eq!(walked.to, at(&world, 2, THE), "nothing is left");
        assert_eq!(step(&world, None).await.undecided, Some(0));
    }
}

#[tokio::test]
async fn a_reason_is_shown_on_the_walk_in_the_list_and_in_its_files() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let position = at(&world, 0, TRAGEDY);
        decide_one(&world, position, label(world.labels[0]), " a “title”,\nnot a name ").await;
        let told = "a “title”,\nnot a name";
        let step = step(&world, Some(position)).await.step.unwrap();
        assert_eq!(step.decision.unwrap().note, told);
        assert_eq!(step.deciding.unwrap().note, told);
        let (services, actor) = (&world.services, &world.manager.actor);
        let query = DisagreementQuery::default();
        let rows = disagreements::list(services, actor, world.project, query).await.unwrap();
        let notes: Vec<_> =
            rows.page.rows.into_iter().filter_map(|row| Some(row.decision?.note)).collect();
        assert_eq!(notes, [told]);
        let format = export::ListFormat::JsonLines;
        let file =
            export::disagreements(services, actor, world.project, query, format).await.unwrap();
        let line = String::from_utf8(file.body).unwrap();
        let line: serde_json::Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
        assert_eq!(line["decided_because"], told);

        // A decision of the review screen has no reason, and the old one goes with its decision.
        world.decide(0, TRAGEDY, Verdict::Reject, LabelSet::EMPTY).await;
        assert_eq!(decisions(&world).await[0].1.note, "");
    }
}

#[tokio::test]
async fn undo_puts_back_exactly_what_stood_there() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        let position = at(&world, 0, TRAGEDY);
        let nothing = decisions(&world).await;
        let first = decide_one(&world, position, label(per), "first").await;
        let after_first = decisions(&world).await;
        let second = decide_one(&world, position, label(title), "second").await;
        let after_second = decisions(&world).await;
        let back = decide_one(&world, position, Choice::TakeBack, "").await;
        assert_eq!(decisions(&world).await, nothing);
        for (act, expected) in [(back, &after_second), (second, &after_first), (first, &nothing)] {
            assert_eq!(undo(&world, act).await.unwrap().to, position);
            assert_eq!(decisions(&world).await, *expected);
            is_sound(&world).await;
            let told = summary(&world, act).await.unwrap();
            assert!(told.undone && told.left_alone.is_empty());
            assert!(matches!(refused(undo(&world, act).await), Refusal::Conflict(_)), "once only");
        }
    }
}

#[tokio::test]
async fn a_decision_on_what_has_moved_on_changes_nothing() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let per = world.labels[0];
        let (late, position) = (seen(&world, at(&world, 2, THE)).await, at(&world, 2, THE));
        decide_one(&world, at(&world, 2, TRAGEDY), label(per), "").await;
        let before = decisions(&world).await;
        let result = decide(&world, position, vec![late], label(per), "").await;
        assert!(matches!(refused(result), Refusal::Invalid { field, .. } if field == "seen"));
        let first = at(&world, 0, TRAGEDY);
        let outside = Position { range: Range::new(90, 900), ..first };
        let outside_seen = vec![SeenPosition { position: outside, base: domain::Revision(0) }];
        refused(decide(&world, outside, outside_seen, label(per), "").await);
        let foreign = label(LabelId(per.0 + 1_000));
        let now = vec![seen(&world, first).await];
        refused(decide(&world, first, now.clone(), foreign, "").await);
        refused(decide(&world, first, now.clone(), Choice::TakeBack, "").await);
        refused(decide(&world, first, now, label(per), &"x".repeat(501)).await);
        assert_eq!(decisions(&world).await, before);
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn only_reviewers_of_the_project_decide_and_only_their_own_acts_are_theirs() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let position = at(&world, 0, TRAGEDY);
        let base = domain::Revision(0);
        let command = WalkDecision {
            list: list(),
            from: position,
            seen: vec![SeenPosition { position, base }],
            choice: label(world.labels[0]),
            note: String::new(),
        };
        let walked = decide_one(&world, at(&world, 1, TRAGEDY), label(world.labels[0]), "").await;
        let (services, project) = (&world.services, world.project);
        let denied = |refusal: Refusal| matches!(refusal, Refusal::Denied(_));
        for (actor, is_denied) in [
            (&world.manager.actor, true),
            (&world.labelers[0].actor, true),
            (&world.outsider, false),
            (&domain::Actor::Anonymous, false),
        ] {
            let decided = refused(walk::decide(services, actor, project, command.clone()).await);
            let undone = refused(walk::undo(services, actor, project, walked.act).await);
            let seen =
                refused(walk::load_same_text(services, actor, project, None, Some(position)).await);
            for refusal in [decided, undone, seen] {
                assert_eq!(denied(refusal), is_denied, "{actor:?}");
            }
        }
        // Labelers are not shown the walk at all.
        let query = WalkQuery { list: list(), at: Some(position), act: None };
        assert!(denied(refused(
            walk::load(services, &world.labelers[0].actor, project, query.clone()).await
        )));
        // A manager sees it, but not what a reviewer did last.
        let query = WalkQuery { act: Some(walked.act), ..query };
        let seen = walk::load(services, &world.manager.actor, project, query).await.unwrap();
        assert_eq!(seen.act, None);
        assert_eq!(seen.step.unwrap().deciding, None);
        // A position of no document of the project is not found.
        let elsewhere = Position { document: domain::DocumentId(9_999), range: THE };
        let query = WalkQuery { list: list(), at: Some(elsewhere), act: None };
        let actor = &world.manager.actor;
        assert_eq!(refused(walk::load(services, actor, project, query).await), Refusal::NotFound);
    }
}

#[tokio::test]
async fn the_numbers_beside_the_walk_are_those_over_time_and_move_with_a_decision() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let before = step(&world, None).await.agreement;
        decide_one(&world, at(&world, 0, TRAGEDY), label(world.labels[0]), "").await;
        let now = step(&world, None).await.agreement;
        assert_ne!(before, now);
        for beside in now {
            for (measure, measured) in beside.values {
                let (subject, documents) = (beside.subject, Documents::Saved);
                let switches =
                    TimeSwitches { subject, measure, documents, ..TimeSwitches::default() };
                let over_time =
                    over_time::load(&world.services, &world.manager.actor, world.project, switches)
                        .await
                        .unwrap();
                let last = over_time.days.last().unwrap().up_to;
                assert_eq!((measured, beside.n), (last.measured, last.n), "{subject} {measure}");
                let has_value = matches!(measured, Measured::Value { .. });
                assert!(has_value || subject == TimeSubject::Reviewers);
            }
        }
    }
}
