//! What reviewers answer: taken over with decisions, changed by hand, required at the end, and compared like
//! labelers' answers.

use std::collections::BTreeSet;

use domain::{
    AnswerKind, AttributeId, DecisionChange, DisagreementFilter, DisagreementQuery, Fact, Filter,
    LabelId, LabelSet, NewAttribute, PairView, Range, ReviewContent, ReviewOutcome, SaveDecisions,
    Span, Switches, Verdict,
};
use services::{agreement as matrix, project, review};

use crate::world::{World, worlds};

const GENRE: [&str; 2] = ["prose", "verse"];

async fn ask(world: &World, label: LabelId, is_required: bool) -> AttributeId {
    let name = if label == LabelId::DOCUMENT { "Genre" } else { "Gender" };
    let choices = if label == LabelId::DOCUMENT { GENRE.join("\n") } else { "f\nm".to_owned() };
    let new = NewAttribute::typed(name, (AnswerKind::One, &choices), is_required, true).unwrap();
    let actor = &world.manager.actor;
    project::create_attribute(&world.services, actor, world.project, label, new).await.unwrap()
}

fn span(world: &World, start: u32) -> Span {
    Span { range: Range::new(start, start + 3), label: world.labels[0] }
}

fn one(world: &World) -> LabelSet {
    LabelSet::one(world.labels[0])
}

async fn content(world: &World, document: usize) -> ReviewContent {
    let (actor, document) = (&world.reviewer.actor, world.documents[document]);
    review::load(&world.services, actor, document).await.unwrap().content
}

/// What the reviewer has answered, on positions and on the document.
async fn answers(world: &World, document: usize) -> Vec<Fact> {
    let content = content(world, document).await;
    let decisions = content.positions.iter().filter_map(|position| position.decision.as_ref());
    let on_spans = decisions.flat_map(|decision| decision.answers.iter().copied());
    on_spans.chain(content.answers.iter().copied()).collect()
}

async fn save(
    world: &World,
    document: usize,
    changes: Vec<DecisionChange>,
) -> services::Result<ReviewOutcome> {
    let command = SaveDecisions {
        document: world.documents[document],
        base: content(world, document).await.revision,
        key: world.key(),
        changes,
    };
    review::save(&world.services, &world.reviewer.actor, command).await
}

fn accepting(world: &World, range: Range) -> DecisionChange {
    DecisionChange::new(range, Some((Verdict::Accept, one(world))))
}

fn asking(question: AttributeId) -> Switches {
    Switches { filter: Filter::of_question(Some(question)), ..Switches::default() }
}

/// A labeler against the reviewer.
async fn pair(world: &World, labeler: usize, question: AttributeId) -> PairView {
    let (first, second) = (world.labelers[labeler].member, world.reviewer.member);
    let (services, actor) = (&world.services, &world.manager.actor);
    matrix::pair(services, actor, world.project, first, second, asking(question)).await.unwrap()
}

/// That what is in memory, and what is stored, is sound.
async fn check(world: &World) {
    let manager = &world.manager.actor;
    let found = services::outside::verification::live(&world.services, manager, world.project);
    assert_eq!(found.await.unwrap().problems, Vec::<String>::new());
    for of_project in services::outside::verification::all(&world.store).await.unwrap() {
        assert!(of_project.problems.is_empty(), "{of_project:?}");
    }
}

/// Two labelers' answers on spans: alike at 0, apart at 4, given by one alone at 8.
async fn answered(world: &World) -> AttributeId {
    let question = ask(world, world.labels[0], false).await;
    let of = |start, number| Fact::chosen(span(world, start), question, number);
    world.change(0, 0, &[], &[of(0, 1), of(4, 0), of(8, 0)]).await;
    world.change(1, 0, &[], &[of(0, 1), of(4, 1), span(world, 8).into()]).await;
    question
}

#[tokio::test]
async fn a_decision_takes_over_what_all_answered_alike_and_goes_with_its_answers() {
    for world in worlds(2, 1).await {
        let question = answered(&world).await;
        let all: Vec<_> =
            [0, 4, 8].map(|start| accepting(&world, span(&world, start).range)).into();
        save(&world, 0, all).await.unwrap();
        assert_eq!(answers(&world, 0).await, [Fact::chosen(span(&world, 0), question, 1)]);
        check(&world).await;

        // What was taken over is changed, and stays where the decision is only explained.
        let changed = Fact::chosen(span(&world, 0), question, 0);
        let change = DecisionChange {
            answers: Some(BTreeSet::from([changed])),
            ..accepting(&world, span(&world, 0).range)
        };
        save(&world, 0, vec![change]).await.unwrap();
        let explained = DecisionChange {
            note: "a name".to_owned(),
            ..accepting(&world, span(&world, 0).range)
        };
        save(&world, 0, vec![explained]).await.unwrap();
        assert_eq!(answers(&world, 0).await, [changed]);

        let taken_back = DecisionChange::new(span(&world, 0).range, None);
        save(&world, 0, vec![taken_back]).await.unwrap();
        assert_eq!(answers(&world, 0).await, []);
        let again = accepting(&world, span(&world, 0).range);
        save(&world, 0, vec![again]).await.unwrap();
        assert_eq!(answers(&world, 0).await, [Fact::chosen(span(&world, 0), question, 1)]);
        let rejected = (Verdict::Reject, LabelSet::EMPTY);
        let rejected = DecisionChange::new(span(&world, 0).range, Some(rejected));
        save(&world, 0, vec![rejected]).await.unwrap();
        assert_eq!(answers(&world, 0).await, []);
        check(&world).await;
    }
}

#[tokio::test]
async fn labelers_are_compared_with_what_reviewers_answered_and_labels_are_not_moved() {
    for world in worlds(2, 1).await {
        let question = answered(&world).await;
        let (first, reviewer) = (world.labelers[0].member, world.reviewer.member);
        let (services, manager) = (&world.services, &world.manager.actor);
        let all: Vec<_> =
            [0, 4, 8].map(|start| accepting(&world, span(&world, start).range)).into();
        save(&world, 0, all).await.unwrap();
        let of_labels = async || {
            let switches = Switches::default();
            let found = matrix::pair(services, manager, world.project, first, reviewer, switches);
            found.await.unwrap().cell
        };
        let labels = of_labels().await;
        // Read before the save that moves it.
        let coverage = pair(&world, 0, question).await.cell.coverage;
        assert_eq!((coverage.both, coverage.only_first), (1, 2));
        let chosen = Fact::chosen(span(&world, 4), question, 1);
        let change = DecisionChange {
            answers: Some(BTreeSet::from([chosen])),
            ..accepting(&world, chosen.span.range)
        };
        save(&world, 0, vec![change]).await.unwrap();
        assert_eq!(pair(&world, 0, question).await.cell.coverage.both, 2);
        assert_eq!(pair(&world, 1, question).await.cell.measured.value(), None, "all alike");
        assert_eq!(of_labels().await, labels);
        check(&world).await;

        let filter =
            DisagreementFilter { question: Some(question), ..DisagreementFilter::default() };
        let query = DisagreementQuery { filter, ..DisagreementQuery::default() };
        let list = matrix::disagreements::list(services, manager, world.project, query).await;
        let rows = list.unwrap().page.rows;
        let row = rows.iter().find(|row| row.range == chosen.span.range).unwrap();
        let decision = row.decision.as_ref().unwrap();
        assert_eq!(decision.verdict, Verdict::Accept);
        assert_eq!(decision.labels, chosen.choice.unwrap().answer.categories());
        assert!(rows.iter().all(|row| row.range == chosen.span.range || row.decision.is_none()));
    }
}

#[tokio::test]
async fn answers_about_documents_are_decided_by_hand_and_required_at_the_end() {
    for world in worlds(2, 1).await {
        let genre = ask(&world, LabelId::DOCUMENT, true).await;
        let gender = ask(&world, world.labels[0], true).await;
        let of = |number| Fact::chosen(Span::DOCUMENT, genre, number);
        for labeler in 0..2 {
            world.change(labeler, 0, &[], &[of(1), span(&world, 0).into()]).await;
        }
        let seen = content(&world, 0).await;
        assert_eq!(seen.chosen.iter().map(|(_, fact)| *fact).collect::<Vec<_>>(), [of(1); 2]);
        save(&world, 0, vec![accepting(&world, span(&world, 0).range)]).await.unwrap();
        assert_eq!(answers(&world, 0).await, [], "nobody decides it by accepting something else");

        let (services, actor, document) =
            (&world.services, &world.reviewer.actor, world.documents[0]);
        let submit = async || {
            let base = content(&world, 0).await.revision;
            review::submit(services, actor, document, base).await
        };
        let refused = submit().await.unwrap_err().to_string();
        assert!(refused.starts_with("2 things to fix before submitting:"), "{refused}");
        assert!(refused.contains("The document: answer Genre"), "{refused}");
        assert!(refused.contains("(0 to 3): answer Gender"), "{refused}");

        let about = DecisionChange::of_document(BTreeSet::from([of(0)]));
        save(&world, 0, vec![about]).await.unwrap();
        let answer = Fact::chosen(span(&world, 0), gender, 1);
        let change = DecisionChange {
            answers: Some(BTreeSet::from([answer])),
            ..accepting(&world, answer.span.range)
        };
        let decided_at = async || {
            let positions = content(&world, 0).await.positions;
            let there = positions.iter().find(|it| it.range == answer.span.range).unwrap();
            there.decision.as_ref().unwrap().decided_at
        };
        let before = decided_at().await;
        save(&world, 0, vec![change]).await.unwrap();
        assert!(decided_at().await > before, "who answers anew has decided anew");
        assert_eq!(answers(&world, 0).await, [answer, of(0)]);
        let compared = pair(&world, 0, genre).await;
        assert_eq!((compared.cell.n, compared.cell.coverage.both), (1, 1));
        submit().await.unwrap();
        check(&world).await;

        // Nothing of it is left once it is taken back.
        let base = content(&world, 0).await.revision;
        review::reopen(services, actor, document, base).await.unwrap();
        save(&world, 0, vec![DecisionChange::of_document(BTreeSet::new())]).await.unwrap();
        assert_eq!(answers(&world, 0).await, [answer]);
        let unanswered = pair(&world, 0, genre).await.cell.coverage;
        assert_eq!(unanswered.positions(), 0, "a review without an answer says nothing of it");
        check(&world).await;
    }
}

#[tokio::test]
async fn an_answer_belongs_to_what_is_decided_and_is_one_that_it_has() {
    for world in worlds(2, 1).await {
        let gender = answered(&world).await;
        let genre = ask(&world, LabelId::DOCUMENT, false).await;
        let range = span(&world, 0).range;
        let of = |span, attribute, number| Fact::chosen(span, attribute, number);
        let other = Span { range, label: world.labels[1] };
        let on_position = |answers: Vec<Fact>| DecisionChange {
            answers: Some(answers.into_iter().collect()),
            ..accepting(&world, range)
        };
        let on_document =
            |answers: Vec<Fact>| DecisionChange::of_document(answers.into_iter().collect());
        let wrong = [
            on_position(vec![of(other, gender, 0)]),
            on_position(vec![of(span(&world, 4), gender, 0)]),
            on_position(vec![of(span(&world, 0), genre, 0)]),
            on_position(vec![of(span(&world, 0), gender, 7)]),
            on_position(vec![of(span(&world, 0), gender, 0), of(span(&world, 0), gender, 1)]),
            on_position(vec![span(&world, 0).into()]),
            on_document(vec![of(Span::DOCUMENT, gender, 0)]),
            on_document(vec![of(Span::DOCUMENT, genre, 7)]),
            on_document(vec![of(span(&world, 0), gender, 0)]),
            DecisionChange { decision: None, ..on_position(vec![of(span(&world, 0), gender, 0)]) },
        ];
        for change in wrong {
            let refused = save(&world, 0, vec![change.clone()]).await;
            assert!(matches!(refused, Err(services::Error::Refused(_))), "{change:?}");
        }
        assert_eq!(answers(&world, 0).await, []);
    }
}

#[tokio::test]
async fn what_was_decided_is_taken_away_with_who_decided_and_whether_it_is_gold() {
    for world in worlds(2, 1).await {
        answered(&world).await;
        let genre = ask(&world, LabelId::DOCUMENT, false).await;
        save(&world, 0, vec![accepting(&world, span(&world, 0).range)]).await.unwrap();
        let of_document = Fact::chosen(Span::DOCUMENT, genre, 1);
        let about = DecisionChange::of_document(BTreeSet::from([of_document]));
        save(&world, 0, vec![about]).await.unwrap();
        let (services, manager) = (&world.services, &world.manager.actor);
        let exported = services::document::export::choices(services, manager, world.project);
        let lines = String::from_utf8(exported.await.unwrap().body).unwrap();
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), 7, "{lines:?}");
        let is_of_labeler = |line: &&&str| line.contains(r#""role":"labeler""#);
        assert_eq!(lines.iter().take(5).filter(is_of_labeler).count(), 5);
        assert!(lines[..5].iter().all(|line| !line.contains("gold")));
        let of_reviewer = |attribute, choice| {
            format!(r#""role":"reviewer","label":"{attribute}","choice":"{choice}","decided_at":""#)
        };
        assert!(lines[5].contains(&of_reviewer(r#"","attribute":"Genre"#, "verse")), "{lines:?}");
        assert!(lines[6].contains(&of_reviewer(r#"PER","attribute":"Gender"#, "m")), "{lines:?}");
        assert!(lines[5..].iter().all(|line| line.ends_with(r#""gold":true}"#)), "{lines:?}");
    }
}
