//! Positions that differ in their boundaries: one row, one step, one decision, one undo; and the numbers
//! of the positions stay what they are.

use crate::{
    house::refused,
    world::{World, worlds},
};
use domain::{
    AuditQuery, Choice, DisagreementQuery, Error as Refusal, GoldQuery, GroupAnswer, GroupChoice,
    LabelSet, Position, PositionOutcome, PositionQuery, Range, SeenPosition, Span, Switches,
    Verdict, WalkDecision, WalkList, WalkQuery, WalkView, Walked, Whose,
};
use services::{
    Result,
    agreement::{self, disagreements},
    outside::{audit, verification},
    overview,
    review::{self, counted, disputes, gold, walk},
};

/// "Hamlet", and two ends further.
const SHORT: Range = Range::new(15, 21);
const LONG: Range = Range::new(15, 40);
const LATE: Range = Range::new(23, 40);
/// "Tragedy", and with its article.
const TRAGEDY: Range = Range::new(4, 11);
const THE_TRAGEDY: Range = Range::new(0, 11);

/// In the first document four labelers see a name with three boundaries, one of two of them; on a
/// second name two see two boundaries, and the others nothing. All of it is handed in but by the last.
async fn worked_on(world: &World) {
    let [per, title, year] = world.labels[..] else { panic!("three labels") };
    let span = |range, label| Span { range, label };
    let all = Span::new(50, 60, year);
    world.mark(0, 0, &[all, span(SHORT, per), span(TRAGEDY, title)]).await;
    world.mark(1, 0, &[all, span(SHORT, per), span(THE_TRAGEDY, title)]).await;
    world.mark(2, 0, &[all, span(LONG, per)]).await;
    world.mark(3, 0, &[all, span(LATE, title)]).await;
    for labeler in 0..3 {
        world.submit(labeler, 0).await;
    }
}

fn list() -> WalkList {
    WalkList::Disagreements(DisagreementQuery::default())
}

fn at(world: &World, range: Range) -> Position {
    Position { document: world.documents[0], range }
}

async fn step(world: &World, at: Option<Position>) -> WalkView {
    let query = WalkQuery { list: list(), at, act: None };
    walk::load(&world.services, &world.reviewer.actor, world.project, query).await.unwrap()
}

/// The group of a position as the reviewer sees it now.
async fn seen(world: &World, range: Range) -> Vec<SeenPosition> {
    let step = step(world, Some(at(world, range))).await.step.unwrap();
    let base = step.deciding.unwrap().base;
    let seen = |range| SeenPosition { position: at(world, range), base };
    step.group.unwrap().positions.iter().map(|position| seen(position.range)).collect()
}

async fn decide(
    world: &World,
    from: Range,
    seen: Vec<SeenPosition>,
    choice: Choice,
) -> Result<Walked> {
    let from = at(world, from);
    let command = WalkDecision { list: list(), from, seen, choice, note: "the name".to_owned() };
    walk::decide(&world.services, &world.reviewer.actor, world.project, command).await
}

const fn only(answer: GroupAnswer) -> Choice {
    Choice::Choose(GroupChoice { answer, reject_others: true })
}

async fn decisions(world: &World) -> Vec<(Range, Verdict, LabelSet)> {
    let (services, actor) = (&world.services, &world.reviewer.actor);
    let view = review::load(services, actor, world.documents[0]).await.unwrap();
    let decided = view.content.positions.into_iter().filter_map(|position| position.decision);
    decided.map(|decision| (decision.range, decision.verdict, decision.labels)).collect()
}

async fn audit_rows(world: &World) -> usize {
    let (services, actor) = (&world.services, &world.manager.actor);
    audit::load(services, actor, world.project, AuditQuery::default()).await.unwrap().rows.len()
}

async fn is_sound(world: &World) {
    let live =
        verification::live(&world.services, &world.manager.actor, world.project).await.unwrap();
    assert_eq!(live.problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_group_is_one_card_one_step_and_one_row_and_its_positions_stay_positions() {
    for world in worlds(4, 1).await {
        worked_on(&world).await;
        let (services, actor) = (&world.services, &world.reviewer.actor);
        let view = review::load(services, actor, world.documents[0]).await.unwrap();
        let groups: Vec<_> = view
            .content
            .positions
            .iter()
            .map(|position| (position.range, position.group))
            .collect();
        let expected = [
            (THE_TRAGEDY, Some(THE_TRAGEDY)),
            (TRAGEDY, Some(THE_TRAGEDY)),
            (SHORT, Some(SHORT)),
            (LONG, Some(SHORT)),
            (LATE, Some(SHORT)),
            (Range::new(50, 60), None),
        ];
        assert_eq!(groups, expected);

        let first = step(&world, None).await;
        assert_eq!((first.total, first.undecided, first.place), (2, Some(2), Some(1)));
        assert_eq!(first.next, Some(at(&world, SHORT)));
        let name = step(&world, Some(at(&world, LATE))).await;
        assert_eq!((name.place, name.previous), (Some(2), Some(at(&world, THE_TRAGEDY))));
        let name = name.step.unwrap();
        assert_eq!(name.quote, "Hamlet, Prince of Denmark");
        let group = name.group.unwrap();
        let told: Vec<_> = group
            .alternatives
            .iter()
            .map(|one| (one.answer.0.keys().copied().collect::<Vec<_>>(), one.by.len()))
            .collect();
        assert_eq!(told, [(vec![SHORT], 2), (vec![LONG], 1), (vec![LATE], 1)]);
        assert!(group.without.is_empty());
        assert_eq!((name.finishing.finished, name.finishing.quorum), (3, 4));
        assert_eq!(name.finishing.missing.len(), 1);

        let query = DisagreementQuery::default();
        let manager = &world.manager.actor;
        let rows = disputes::list(services, manager, world.project, query).await.unwrap();
        assert_eq!((rows.page.total, rows.positions), (2, 5));
        assert_eq!(rows.page.rows[1].row.quote, "Hamlet, Prince of Denmark");
        assert_eq!(rows.page.rows[1].at(), at(&world, SHORT));
        let positions = disagreements::list(services, manager, world.project, query).await.unwrap();
        assert_eq!(positions.page.total, 5, "files and programs get positions");

        // The same positions behind a count of all labelers: as many rows as the walk has steps.
        let differ = PositionQuery {
            outcome: PositionOutcome::Differ,
            ..PositionQuery::of(Whose::Labelers, overview::SWITCHES)
        };
        let counted = counted::list(services, manager, world.project, differ.clone()).await;
        let counted = counted.unwrap();
        assert_eq!((counted.positions, counted.page.total), (4, 2), "all but the last labeler's");
        let name = &counted.page.rows[1];
        assert_eq!(name.quote, "Hamlet, Prince of Denmark");
        assert_eq!(name.at(), at(&world, SHORT));
        assert_eq!(name.group.as_ref().unwrap().alternatives.len(), 3);
        let query = WalkQuery { list: WalkList::Positions(differ), at: None, act: None };
        let walk = walk::load(services, actor, world.project, query).await.unwrap();
        assert_eq!(walk.total, counted.page.total);

        let card = review::list(services, actor, world.project, 0).await.unwrap().rows.remove(0);
        assert_eq!((card.one_sided, card.conflict, card.waiting), (5, 0, 1));
        let counts = card.decisions;
        assert_eq!((counts.boundaries, counts.one_sided, counts.waiting), (2, 0, 1));
        assert_eq!((counts.total(), counts.decided), (3, 0));
    }
}

#[tokio::test]
async fn choosing_accepts_one_and_rejects_the_others_in_one_act_and_undo_takes_all_back() {
    for world in worlds(4, 1).await {
        worked_on(&world).await;
        let per = LabelSet::one(world.labels[0]);
        let before = audit_rows(&world).await;
        let answer = GroupAnswer::one(LONG, per.clone());
        let walked = decide(&world, LATE, seen(&world, LATE).await, only(answer)).await.unwrap();
        assert_eq!(walked.to, at(&world, THE_TRAGEDY), "on to what is undecided");
        let reject = |range| (range, Verdict::Reject, LabelSet::EMPTY);
        let expected = [reject(SHORT), (LONG, Verdict::Accept, per.clone()), reject(LATE)];
        assert_eq!(decisions(&world).await, expected);
        assert_eq!(audit_rows(&world).await, before + 1);
        assert_eq!(step(&world, None).await.undecided, Some(1));
        is_sound(&world).await;

        let (services, actor) = (&world.services, &world.reviewer.actor);
        let told = async || {
            let query = WalkQuery { list: list(), at: None, act: Some(walked.act) };
            walk::load(services, actor, world.project, query).await.unwrap().act.unwrap()
        };
        let act = told().await;
        assert_eq!((act.decided, act.positions, act.rejected), (Some(per), 3, 2));
        assert_eq!(act.quote, "Hamlet, Prince of Denmark");
        walk::undo(services, actor, world.project, walked.act).await.unwrap();
        assert_eq!(decisions(&world).await, []);
        assert!(told().await.undone);
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn the_others_stay_open_unless_they_are_rejected_and_all_can_be_rejected_or_taken_back() {
    for world in worlds(4, 1).await {
        worked_on(&world).await;
        let year = LabelSet::one(world.labels[2]);
        let also =
            GroupChoice { answer: GroupAnswer::one(SHORT, year.clone()), reject_others: false };
        let choice = Choice::Choose(also);
        decide(&world, SHORT, seen(&world, SHORT).await, choice).await.unwrap();
        assert_eq!(decisions(&world).await, [(SHORT, Verdict::Relabel, year)]);
        assert_eq!(step(&world, None).await.undecided, Some(2), "not all of it is decided");
        let nothing = only(GroupAnswer::default());
        decide(&world, SHORT, seen(&world, SHORT).await, nothing).await.unwrap();
        let rejected = |range| (range, Verdict::Reject, LabelSet::EMPTY);
        assert_eq!(decisions(&world).await, [SHORT, LONG, LATE].map(rejected));
        decide(&world, SHORT, seen(&world, SHORT).await, Choice::TakeBack).await.unwrap();
        assert_eq!(decisions(&world).await, []);
        let again = decide(&world, SHORT, seen(&world, SHORT).await, Choice::TakeBack).await;
        refused(again);
    }
}

#[tokio::test]
async fn boundaries_that_a_labeler_changes_meanwhile_are_not_decided_unseen() {
    for world in worlds(4, 1).await {
        worked_on(&world).await;
        let per = world.labels[0];
        let late = seen(&world, LATE).await;
        world.mark(3, 0, &[Span::new(15, 30, per)]).await;
        let answer = GroupAnswer::one(SHORT, LabelSet::one(per));
        let result = decide(&world, LATE, late, only(answer.clone())).await;
        assert!(matches!(refused(result), Refusal::Invalid { field, .. } if field == "seen"));
        assert_eq!(decisions(&world).await, []);
        let now = seen(&world, LATE).await;
        assert!(now.iter().any(|seen| seen.position.range == Range::new(15, 30)));
        decide(&world, LATE, now, only(answer)).await.unwrap();

        // What is not all of a group is none.
        let part = seen(&world, TRAGEDY).await[..1].to_vec();
        let part_of = only(GroupAnswer::one(THE_TRAGEDY, LabelSet::one(per)));
        refused(decide(&world, THE_TRAGEDY, part, part_of).await);
    }
}

#[tokio::test]
async fn matrix_and_gold_are_those_of_the_same_decisions_made_one_by_one() {
    let at_once = worlds(4, 1).await;
    let one_by_one = worlds(4, 1).await;
    for (at_once, one_by_one) in at_once.into_iter().zip(one_by_one) {
        let mut told = Vec::new();
        for (world, is_at_once) in [(&at_once, true), (&one_by_one, false)] {
            worked_on(world).await;
            let per = LabelSet::one(world.labels[0]);
            if is_at_once {
                let answer = only(GroupAnswer::one(SHORT, per));
                decide(world, LATE, seen(world, LATE).await, answer).await.unwrap();
            } else {
                world.decide(0, SHORT, Verdict::Accept, per).await;
                world.decide(0, LONG, Verdict::Reject, LabelSet::EMPTY).await;
                world.decide(0, LATE, Verdict::Reject, LabelSet::EMPTY).await;
            }
            is_sound(world).await;
            let (services, actor) = (&world.services, &world.manager.actor);
            let snapshot = agreement::snapshot(services, actor, world.project, Switches::default());
            let snapshot = snapshot.await.unwrap();
            let gold = gold::list(services, actor, world.project, GoldQuery::default());
            let sums = gold.await.unwrap().sums;
            assert_eq!((sums.decided, sums.rejected), (1, 2));
            told.push((snapshot.cells.clone(), snapshot.pooled.clone(), sums));
        }
        assert_eq!(told[0], told[1]);
    }
}
