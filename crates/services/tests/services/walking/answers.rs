//! The walk under a question: answers are decided, and labels with them.

use std::collections::BTreeSet;

use domain::{
    AnswerKind, AttributeId, DecidedAnswer, DecisionChange, DisagreementFilter, Fact, Filter,
    GroupAnswer, GroupChoice, NewAttribute, SaveDecisions,
};
use services::project;

use super::*;

/// "Hamlet", and "Hamlet, Prince".
const HAMLET: Range = Range::new(15, 21);
const PRINCE: Range = Range::new(15, 29);

async fn ask(world: &World, label: LabelId, kind: AnswerKind, choices: &str) -> AttributeId {
    // Attributes of a label have names of their own.
    let name = choices.lines().last().unwrap_or("number");
    let new = NewAttribute::typed(name, (kind, choices), false, true).unwrap();
    let actor = &world.manager.actor;
    project::create_attribute(&world.services, actor, world.project, label, new).await.unwrap()
}

fn on(world: &World, range: Range) -> Span {
    Span { range, label: world.labels[0] }
}

/// Everything on which raters differ in their answers.
fn asking(question: AttributeId) -> WalkList {
    let filter = DisagreementFilter { question: Some(question), ..DisagreementFilter::default() };
    WalkList::Disagreements(DisagreementQuery { filter, ..DisagreementQuery::default() })
}

async fn view(world: &World, question: AttributeId, at: Option<Position>) -> WalkView {
    let query = WalkQuery { list: asking(question), at, act: None };
    walk::load(&world.services, &world.reviewer.actor, world.project, query).await.unwrap()
}

async fn act_of(world: &World, question: AttributeId, walked: Walked) -> ActSummary {
    let query = WalkQuery { list: asking(question), at: None, act: Some(walked.act) };
    let view = walk::load(&world.services, &world.reviewer.actor, world.project, query).await;
    view.unwrap().act.unwrap()
}

/// Decides on positions as they are now, of which the first is the one that it is about.
async fn decide_all(
    world: &World,
    question: AttributeId,
    positions: &[Position],
    choice: Choice,
    note: &str,
) -> Result<Walked> {
    let mut bases = Vec::new();
    for position in positions {
        bases.push(seen(world, *position).await.base);
    }
    let seen = positions.iter().zip(bases);
    let seen = seen.map(|(position, base)| SeenPosition { position: *position, base }).collect();
    let (list, from) = (asking(question), positions[0]);
    let command = WalkDecision { list, from, seen, choice, note: note.to_owned() };
    walk::decide(&world.services, &world.reviewer.actor, world.project, command).await
}

async fn decide_here(world: &World, question: AttributeId, at: Position, choice: Choice) -> Walked {
    decide_all(world, question, &[at], choice, "").await.unwrap()
}

/// The revision of the reviewer's pass, whatever the position is.
async fn seen(world: &World, position: Position) -> SeenPosition {
    let review = store::review::find(&*world.store, position.document, world.reviewer.member).await;
    let base = review.unwrap().map(|review| review.revision).unwrap_or_default();
    SeenPosition { position, base }
}

fn answer(number: u16) -> Choice {
    Choice::Give(domain::Answer::from(number).categories())
}

/// What the reviewer answered about a document, from its rows.
async fn of_document(world: &World, document: usize) -> Vec<DecidedAnswer> {
    let ratings =
        store::agreement::ratings::load_document(&*world.store, world.documents[document]).await;
    ratings.unwrap().unwrap().reviews.into_iter().flat_map(|review| review.answers).collect()
}

/// On "Tragedy", two labelers gave the same label and answered 0 and 1, in each of three documents; one has
/// another label beside it.
async fn answered(world: &World) -> AttributeId {
    let question = ask(world, world.labels[0], AnswerKind::One, "f\nm\nnone").await;
    let of = |number| Fact::chosen(on(world, TRAGEDY), question, number);
    let other = Span { range: TRAGEDY, label: world.labels[1] };
    for document in 0..3 {
        world.change(0, document, &[], &[of(0), other.into()]).await;
        world.change(1, document, &[], &[of(1), other.into()]).await;
    }
    question
}

#[tokio::test]
async fn an_answer_is_decided_with_the_labels_that_labelers_gave() {
    for world in worlds(2, 3).await {
        let question = answered(&world).await;
        let first = view(&world, question, None).await;
        assert_eq!((first.total, first.undecided, first.place), (3, Some(3), Some(1)));
        let here = first.step.unwrap();
        assert_eq!((here.position, here.quote.as_str()), (at(&world, 0, TRAGEDY), "Tragedy"));
        let of = |number| Judgement::Labels(domain::Answer::from(number).categories());
        assert_eq!(here.judgements, [of(0), of(1), Judgement::NotJudged]);
        let deciding = here.deciding.unwrap();
        assert_eq!((deciding.own, deciding.alike), (None, 3));
        assert_eq!(deciding.given.len(), 2);

        let nothing = decisions(&world).await;
        let numbers = first.agreement;
        let both: LabelSet = world.labels[..2].iter().copied().collect();
        assert_eq!(deciding.comes_with.as_ref(), Some(&both));
        assert_eq!(here.labels[..2], [both.clone(), both.clone()].map(Judgement::Labels));
        let walked = decide_here(&world, question, here.position, answer(1)).await;
        assert_eq!(walked.to, at(&world, 1, TRAGEDY));
        let made = decisions(&world).await;
        let [(_, decision)] = &made[..] else { panic!("{made:?}") };
        assert_eq!((decision.verdict, &decision.labels), (Verdict::Accept, &both));
        let chosen = Fact::chosen(on(&world, TRAGEDY), question, 1);
        assert_eq!(decision.answers, BTreeSet::from([chosen]));
        is_sound(&world).await;

        let after = view(&world, question, Some(here.position)).await;
        assert_ne!(after.agreement, numbers);
        assert_eq!(after.undecided, Some(2));
        let step = after.step.unwrap();
        assert_eq!(step.decision.unwrap().labels, domain::Answer::from(1).categories());
        assert_eq!(step.label.unwrap().labels, both);
        let deciding = step.deciding.unwrap();
        assert_eq!(deciding.own, Some(domain::Answer::from(1).categories()));
        let act = act_of(&world, question, walked).await;
        assert_eq!(act.decided, Some(domain::Answer::from(1).categories()));
        assert_eq!((act.quote.as_str(), act.positions, act.is_group), ("Tragedy", 1, false));

        undo(&world, walked).await.unwrap();
        assert_eq!(decisions(&world).await, nothing);
        assert!(act_of(&world, question, walked).await.undone);
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn what_was_decided_on_the_label_stays_and_a_rejected_span_has_nothing_to_answer() {
    for world in worlds(2, 3).await {
        let question = answered(&world).await;
        let here = at(&world, 0, TRAGEDY);
        // Decided among labels, where the answers that differ are left open.
        decide_one(&world, here, label(world.labels[0]), "a name").await;
        let before = decisions(&world).await;
        let deciding = view(&world, question, Some(here)).await.step.unwrap().deciding.unwrap();
        assert_eq!((deciding.own, deciding.note.as_str()), (None, "a name"));
        decide_here(&world, question, here, answer(2)).await;
        let now = decisions(&world).await;
        let mut expected = before.clone();
        expected[0].1.answers = [Fact::chosen(on(&world, TRAGEDY), question, 2)].into();
        expected[0].1.decided_at = now[0].1.decided_at;
        assert_eq!(now, expected, "only the answer is new, and the time: not the label");
        let back = decide_here(&world, question, here, Choice::TakeBack).await;
        let now = decisions(&world).await;
        expected[0].1.answers = BTreeSet::new();
        expected[0].1.decided_at = now[0].1.decided_at;
        assert_eq!(now, expected, "the label's decision stays");
        assert_eq!(act_of(&world, question, back).await.decided, None);
        let nothing_to_undo = async || {
            let again = decide_all(&world, question, &[here], Choice::TakeBack, "").await;
            assert!(matches!(refused(again), Refusal::Invalid { field, .. } if field == "choice"));
        };
        nothing_to_undo().await;
        // A span is rejected where its labels are decided.
        let reject = Choice::Give(LabelSet::EMPTY);
        let rejected = decide_all(&world, question, &[here], reject.clone(), "").await;
        assert!(matches!(refused(rejected), Refusal::Invalid { field, .. } if field == "choice"));
        decide_one(&world, here, reject, "none").await;
        let rejected = decisions(&world).await;
        let seen = view(&world, question, Some(here)).await;
        assert_eq!((seen.total, seen.undecided), (3, Some(2)), "nothing is left to decide there");
        let deciding = seen.step.unwrap().deciding.unwrap();
        assert_eq!((deciding.own, deciding.comes_with), (Some(LabelSet::EMPTY), None));
        nothing_to_undo().await;
        let late = decide_all(&world, question, &[here], answer(1), "").await;
        assert!(matches!(refused(late), Refusal::Invalid { field, .. } if field == "choice"));
        assert_eq!(decisions(&world).await, rejected);
        decide_one(&world, here, Choice::TakeBack, "").await;
        assert_eq!(view(&world, question, None).await.undecided, Some(3));
        // Neither is one where another label was decided.
        decide_one(&world, here, label(world.labels[2]), "").await;
        assert_eq!(view(&world, question, None).await.undecided, Some(2));
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn several_choices_and_numbers_are_decided_and_what_is_no_answer_is_not() {
    for world in worlds(2, 1).await {
        let per = world.labels[0];
        let several = ask(&world, per, AnswerKind::Several, "a\nb\nc").await;
        let scale = domain::Scale::typed(["-1", "1", "0.5"], ["", ""]).unwrap();
        let number = ask(&world, per, AnswerKind::Number(scale), "").await;
        let span = on(&world, TRAGEDY);
        let set = |numbers: &[u16]| domain::Answer::several(numbers.iter().copied()).unwrap();
        for (labeler, choices, place) in [(0, &[0, 1][..], 0_u16), (1, &[1], 4)] {
            let facts =
                [Fact::chosen(span, several, set(choices)), Fact::chosen(span, number, place)];
            world.change(labeler, 0, &[], &facts).await;
        }
        let here = at(&world, 0, TRAGEDY);
        let refused_in = async |question, choice| {
            let refused = refused(decide_all(&world, question, &[here], choice, "").await);
            let Refusal::Invalid { field, .. } = refused else { panic!("{refused:?}") };
            field
        };
        assert_eq!(refused_in(number, Choice::Write("0.7".into())).await, "written");
        assert_eq!(refused_in(number, Choice::Write(" ".into())).await, "written");
        assert_eq!(refused_in(several, Choice::Write("a".into())).await, "written");
        assert_eq!(refused_in(number, answer(5)).await, "choice");
        assert_eq!(refused_in(several, answer(9)).await, "choice");
        let two: LabelSet = [LabelId(0), LabelId(1)].into_iter().collect();
        assert_eq!(refused_in(number, Choice::Give(two)).await, "choice");
        assert_eq!(decisions(&world).await, []);

        let chosen = set(&[0, 2]);
        decide_here(&world, several, here, Choice::Give(chosen.categories())).await;
        decide_here(&world, number, here, Choice::Write("-0.50".into())).await;
        let made = decisions(&world).await;
        let wanted = [Fact::chosen(span, several, chosen), Fact::chosen(span, number, 1)];
        assert_eq!(made[0].1.answers, wanted.into(), "the one leaves the other alone");
        // And so does the undo of what was decided first, once the label stood.
        let walked = decide_here(&world, several, here, Choice::Give(set(&[1]).categories())).await;
        decide_here(&world, number, here, Choice::Write("1".into())).await;
        undo(&world, walked).await.unwrap();
        let wanted = [Fact::chosen(span, several, chosen), Fact::chosen(span, number, 4)];
        assert_eq!(decisions(&world).await[0].1.answers, wanted.into());
        let walked = decide_here(&world, number, here, Choice::Write("0".into())).await;
        decide_here(&world, number, here, Choice::Write("0.5".into())).await;
        assert!(matches!(refused(undo(&world, walked).await), Refusal::Conflict(_)));
        assert_eq!(view(&world, several, None).await.undecided, Some(0));
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn the_same_answer_is_decided_where_the_same_words_got_the_same_answers() {
    for world in worlds(2, 4).await {
        let question = answered(&world).await;
        let of = |number| Fact::chosen(on(&world, TRAGEDY), question, number);
        world.change(0, 3, &[], &[of(0)]).await;
        world.change(1, 3, &[], &[of(2)]).await;
        let all: Vec<_> = (0..3).map(|document| at(&world, document, TRAGEDY)).collect();
        // The reason of labels that were decided before stays.
        let both: LabelSet = world.labels[..2].iter().copied().collect();
        decide_one(&world, all[1], Choice::Give(both.clone()), "a name").await;
        let before = decisions(&world).await;
        let (services, actor) = (&world.services, &world.reviewer.actor);
        let alike =
            walk::load_same_text(services, actor, world.project, Some(question), Some(all[0]));
        let alike = alike.await.unwrap().unwrap();
        let found: Vec<_> = alike.rows.iter().map(|row| row.seen.position).collect();
        assert_eq!((found, alike.total), (all.clone(), 3));
        assert_eq!(alike.comes_with, Some(both));
        let with_other = [all[0], at(&world, 3, TRAGEDY)];
        refused(decide_all(&world, question, &with_other, answer(0), "").await);

        let walked = decide_all(&world, question, &all, answer(0), "").await.unwrap();
        assert_eq!(walked.to, at(&world, 3, TRAGEDY));
        let made = decisions(&world).await;
        assert!(made.iter().all(|(_, decision)| decision.answers == BTreeSet::from([of(0)])));
        let notes: Vec<_> = made.iter().map(|(_, decision)| decision.note.as_str()).collect();
        assert_eq!(notes, ["", "a name", ""]);
        let act = act_of(&world, question, walked).await;
        assert_eq!((act.positions, act.quote.as_str()), (3, "Tragedy"));
        // One is decided anew, and is left alone by the undo.
        decide_here(&world, question, all[2], answer(1)).await;
        undo(&world, walked).await.unwrap();
        let left = decisions(&world).await;
        assert_eq!(left[..1], before[..]);
        assert_eq!(left[1].1.answers, [of(1)].into());
        assert_eq!(act_of(&world, question, walked).await.left_alone, [all[2]]);
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn where_labelers_differ_on_a_span_its_label_is_decided_first() {
    for world in worlds(3, 2).await {
        let question = ask(&world, world.labels[0], AnswerKind::One, "f\nm").await;
        let of = |range, number| Fact::chosen(on(&world, range), question, number);
        for (labeler, range, number) in [(0, HAMLET, 0), (1, PRINCE, 1), (2, PRINCE, 0)] {
            world.change(labeler, 0, &[], &[of(range, number)]).await;
        }
        // Two of three say that this is something else.
        let other = Span { range: TRAGEDY, label: world.labels[1] };
        for (labeler, fact) in [of(TRAGEDY, 0), other.into(), other.into()].into_iter().enumerate()
        {
            world.change(labeler, 1, &[], &[fact]).await;
        }
        let (long, short) = (at(&world, 0, PRINCE), at(&world, 0, HAMLET));
        let disputed = at(&world, 1, TRAGEDY);
        assert_eq!(view(&world, question, None).await.undecided, Some(0));
        for here in [long, short, disputed] {
            let step = view(&world, question, Some(here)).await.step.unwrap();
            let deciding = step.deciding.unwrap();
            assert_eq!((deciding.own, deciding.comes_with, deciding.alike), (None, None, 1));
            assert!(step.group.is_none());
            let early = decide_all(&world, question, &[here], answer(0), "").await;
            assert!(matches!(refused(early), Refusal::Invalid { field, .. } if field == "choice"));
        }
        let step = view(&world, question, Some(disputed)).await.step.unwrap();
        let theirs = Judgement::Labels(LabelSet::one(world.labels[1]));
        assert_eq!((&step.judgements[1], &step.labels[1]), (&Judgement::Nothing, &theirs));
        assert_eq!(decisions(&world).await, []);

        let stands = GroupAnswer::one(PRINCE, LabelSet::one(world.labels[0]));
        let choice = Choice::Choose(GroupChoice { answer: stands, reject_others: true });
        let both = vec![seen(&world, short).await, seen(&world, long).await];
        decide(&world, short, both, choice, "").await.unwrap();
        assert_eq!(view(&world, question, None).await.undecided, Some(1));
        decide_here(&world, question, long, answer(1)).await;
        let made = decisions(&world).await;
        assert_eq!(made[1].1.answers, [of(PRINCE, 1)].into());
        is_sound(&world).await;
    }
}

/// Labelers who answer otherwise about each of three documents, and the same about the first: its other
/// question is answered by the reviewer.
async fn about_documents(world: &World) -> (AttributeId, AttributeId) {
    let genre = ask(world, LabelId::DOCUMENT, AnswerKind::One, "prose\nverse").await;
    let other = ask(world, LabelId::DOCUMENT, AnswerKind::One, "yes\nno").await;
    for document in 0..3 {
        for (labeler, number) in [(0, 0), (1, 1)] {
            let fact = Fact::chosen(Span::DOCUMENT, genre, number);
            world.change(labeler, document, &[], &[fact]).await;
        }
    }
    (genre, other)
}

async fn answer_by_hand(world: &World, document: usize, facts: &[Fact]) {
    let change = DecisionChange::of_document(facts.iter().copied().collect());
    let command = SaveDecisions {
        document: world.documents[document],
        base: seen(world, at(world, document, THE)).await.base,
        key: world.key(),
        changes: vec![change],
    };
    review::save(&world.services, &world.reviewer.actor, command).await.unwrap();
}

#[tokio::test]
async fn an_answer_about_a_document_is_decided_and_undone_and_leaves_the_others_alone() {
    for world in worlds(2, 3).await {
        let (genre, other) = about_documents(&world).await;
        let fact = |question, number| Fact::chosen(Span::DOCUMENT, question, number);
        answer_by_hand(&world, 0, &[fact(other, 1)]).await;
        let [before] = of_document(&world, 0).await[..] else { panic!("one answer") };
        let first = view(&world, genre, None).await;
        let here = at(&world, 0, Span::DOCUMENT.range);
        assert_eq!((first.total, first.undecided, first.place), (3, Some(3), Some(1)));
        let step = first.step.unwrap();
        assert_eq!((step.position, step.quote.as_str()), (here, ""));
        assert_eq!(step.right, crate::world::TEXT);
        let deciding = step.deciding.unwrap();
        assert_eq!((deciding.alike, deciding.own), (1, None));

        let walked = decide_here(&world, genre, here, answer(1)).await;
        assert_eq!(walked.to, at(&world, 1, Span::DOCUMENT.range));
        let now = of_document(&world, 0).await;
        assert_eq!(now.len(), 2);
        assert!(now.contains(&before), "{now:?}");
        assert_eq!(decisions(&world).await, [], "no span is decided with it");
        let act = act_of(&world, genre, walked).await;
        assert_eq!(act.decided, Some(domain::Answer::from(1).categories()));
        let names = store::document::texts(&*world.store, &world.documents[..1]).await.unwrap();
        assert_eq!(act.quote, names[&world.documents[0]].0);
        let shown = view(&world, genre, Some(here)).await;
        assert_eq!(shown.undecided, Some(2));
        let step = shown.step.unwrap();
        assert_eq!(step.decision.unwrap().labels, domain::Answer::from(1).categories());
        assert_eq!(step.label, None);
        is_sound(&world).await;

        // Taken back, and that undone: the answer is the one that was given first.
        let back = decide_here(&world, genre, here, Choice::TakeBack).await;
        assert_eq!(of_document(&world, 0).await, [before]);
        refused(decide_all(&world, genre, &[here], Choice::TakeBack, "").await);
        undo(&world, back).await.unwrap();
        assert_eq!(of_document(&world, 0).await, now);
        // The other question is answered anew meanwhile.
        answer_by_hand(&world, 0, &[fact(genre, 1), fact(other, 0)]).await;
        undo(&world, walked).await.unwrap();
        let left: Vec<_> = of_document(&world, 0).await.iter().map(|it| it.answer).collect();
        assert_eq!(left, [fact(other, 0)]);
        assert_eq!(undo(&world, walked).await.map(|_| ()).map_err(|_| ()), Err(()), "once only");
        is_sound(&world).await;

        // What has changed since is left alone.
        let second = at(&world, 1, Span::DOCUMENT.range);
        let walked = decide_here(&world, genre, second, answer(0)).await;
        answer_by_hand(&world, 1, &[fact(genre, 1)]).await;
        let late = undo(&world, walked).await;
        assert!(matches!(refused(late), Refusal::Conflict(_)));
        let reject = Choice::Give(LabelSet::EMPTY);
        let rejected = decide_all(&world, genre, &[second], reject, "").await;
        assert!(matches!(refused(rejected), Refusal::Invalid { field, .. } if field == "choice"));
    }
}

#[tokio::test]
async fn a_finished_review_is_not_decided_and_a_document_is_no_span() {
    for world in worlds(2, 3).await {
        let (genre, _) = about_documents(&world).await;
        let question = answered(&world).await;
        let (document, span) = (at(&world, 0, Span::DOCUMENT.range), at(&world, 0, TRAGEDY));
        refused(decide_all(&world, genre, &[span], answer(0), "").await);
        refused(decide_all(&world, question, &[document], answer(0), "").await);
        let two = [document, at(&world, 1, Span::DOCUMENT.range)];
        assert_eq!(view(&world, genre, Some(two[1])).await.place, Some(2));
        let (services, actor) = (&world.services, &world.reviewer.actor);
        let base = seen(&world, document).await.base;
        review::submit(services, actor, world.documents[0], base).await.unwrap();
        for (question, here, left) in [(genre, document, 2), (question, span, 2)] {
            assert_eq!(view(&world, question, None).await.undecided, Some(left));
            refused(decide_all(&world, question, &[here], answer(0), "").await);
        }
        assert_eq!((of_document(&world, 0).await, decisions(&world).await), (vec![], vec![]));
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn only_reviewers_decide_answers_and_a_question_of_elsewhere_is_not_found() {
    for world in worlds(2, 3).await {
        let question = answered(&world).await;
        let (services, project) = (&world.services, world.project);
        let here = at(&world, 0, TRAGEDY);
        let command = |list| WalkDecision {
            list,
            from: here,
            seen: vec![SeenPosition { position: here, base: domain::Revision(0) }],
            choice: answer(0),
            note: String::new(),
        };
        for actor in [&world.manager.actor, &world.labelers[0].actor] {
            let decided = walk::decide(services, actor, project, command(asking(question))).await;
            assert!(matches!(refused(decided), Refusal::Denied(_)));
            let alike = walk::load_same_text(services, actor, project, Some(question), Some(here));
            assert!(matches!(refused(alike.await), Refusal::Denied(_)));
        }
        let query = |question| WalkQuery { list: asking(question), at: Some(here), act: None };
        let labeler = &world.labelers[0].actor;
        let seen = walk::load(services, labeler, project, query(question)).await;
        assert!(matches!(refused(seen), Refusal::Denied(_)));
        let manager = &world.manager.actor;
        let seen = walk::load(services, manager, project, query(question)).await.unwrap();
        assert_eq!((seen.undecided, seen.step.unwrap().deciding), (None, None));
        let elsewhere = AttributeId(question.0 + 1_000);
        let seen = walk::load(services, manager, project, query(elsewhere)).await;
        assert_eq!(refused(seen), Refusal::NotFound);
        let reviewer = &world.reviewer.actor;
        let decided = walk::decide(services, reviewer, project, command(asking(elsewhere))).await;
        assert_eq!(refused(decided), Refusal::NotFound);

        // Tokens are no positions that anybody decides on.
        let switches = Switches {
            policy: domain::PolicyChoice::Token,
            filter: Filter::of_question(Some(question)),
            ..Switches::default()
        };
        let list = WalkList::Positions(PositionQuery::of(Whose::Labelers, switches));
        let query = WalkQuery { list, at: None, act: None };
        let seen = walk::load(services, manager, project, query).await;
        assert!(matches!(refused(seen), Refusal::Invalid { field, .. } if field == "policy"));
    }
}
