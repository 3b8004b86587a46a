//! What models answer about documents and about what they have marked.

use std::collections::BTreeSet;

use ::agreement::{
    Number,
    inference::{
        AlternativeTest, Annotators, Panel, alternative_annotator_test, clustered_annotator_test,
        mean_jaccard, negative_rmse, share_alike,
    },
};
use domain::{
    Answer, AnswerKind, AttributeId, Code, DecisionChange, Error as Refusal, Fact, Filter, LabelId,
    Measure, ModelId, NewAttribute, PolicyChoice, SaveDecisions, Scale, Span, StandInBy,
    StandInFor, StandInTest, StandInView, Switches,
};
use services::{
    agreement,
    outside::verification,
    project, review,
    work::{annotation, models},
};

use super::work;
use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};

impl World {
    async fn ask(&self, of: LabelId, kind: AnswerKind, choices: &str) -> AttributeId {
        let name = format!("Asked of {of}");
        let new = NewAttribute::typed(&name, (kind, choices), false, true).unwrap();
        let (actor, project) = (&self.manager.actor, self.project);
        project::create_attribute(&self.services, actor, project, of, new).await.unwrap()
    }
}

#[tokio::test]
async fn answers_stand_on_their_spans_and_on_documents_and_are_replaced_whole() {
    for world in worlds(1, 1).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let per = world.labels[0];
        let famous = world.ask(per, AnswerKind::One, "yes\nno").await;
        let topics = world.ask(LabelId::DOCUMENT, AnswerKind::Several, "war\npeace").await;
        let (model, span) = (world.model("1").await, Span::new(0, 3, per));
        let of = (world.project, model);
        let shown = async || {
            let shown = models::load_document(services, actor, of, world.documents[0]);
            shown.await.unwrap()
        };
        let both = Answer::several([0, 1]).unwrap();
        let about = Fact::chosen(Span::DOCUMENT, topics, both);
        let chosen = Fact::chosen(span, famous, 1);
        // A choice brings its span, and of an attribute the last stands.
        world.hand_in_facts(model, 0, [Fact::chosen(span, famous, 0), chosen, about]).await;
        let first = shown().await;
        assert_eq!(first.spans, [about, span.into(), chosen]);
        assert_eq!(first.attributes.iter().map(|it| it.id).collect::<Vec<_>>(), [famous, topics]);
        for report in verification::all(&world.store).await.unwrap() {
            assert!(report.problems.is_empty(), "{report:?}");
        }
        world.hand_in_facts(model, 0, [span.into(), chosen]).await;
        assert_eq!(shown().await.spans, [span.into(), chosen]);
        let found = models::load(services, actor, world.project, model).await.unwrap();
        assert_eq!((found.documents, found.revision.0), (1, 2));
        let used = project::delete_label(services, actor, world.project, per).await;
        assert_eq!(refused(used).code(), Code::InUse);
        project::delete(services, actor, world.project, "Tragedies").await.unwrap();
    }
}

#[tokio::test]
async fn an_answer_that_is_none_is_refused_by_its_place() {
    for world in worlds(1, 1).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let [per, title] = [world.labels[0], world.labels[1]];
        let famous = world.ask(per, AnswerKind::One, "yes\nno").await;
        let about = world.ask(LabelId::DOCUMENT, AnswerKind::One, "yes\nno").await;
        let model = world.model("1").await;
        let good = Fact::chosen(Span::DOCUMENT, about, 0);
        for (wrong, field) in [
            (Fact::chosen(Span::new(0, 3, title), famous, 0), "spans.1.choice"),
            (Fact::chosen(Span::new(0, 3, per), famous, 2), "spans.1.choice"),
            (Fact::chosen(Span::DOCUMENT, famous, 0), "spans.1.choice"),
            (Fact::chosen(Span::DOCUMENT, AttributeId(i64::MAX), 0), "spans.1.choice"),
            (Fact::chosen(Span::new(0, 3, per), about, 0), "spans.1.choice"),
            (Span::DOCUMENT.into(), "spans.1.label"),
        ] {
            let (of, document) = ((world.project, model), world.documents[0]);
            let saved = models::save_work(services, actor, of, document, work([good, wrong])).await;
            assert_eq!(invalid_field(saved), field, "{wrong:?}");
        }
        let found = models::load(services, actor, world.project, model).await.unwrap();
        assert_eq!((found.documents, found.revision.0), (0, 0));
    }
}

/// Switches of every measure and policy that suit answers of a kind.
fn asking(question: AttributeId, kind: &AnswerKind) -> Vec<Switches> {
    let filter = Filter { question: Some(question), ..Filter::NONE };
    let measures = Measure::of_answers(kind).into_iter();
    let all = measures.flat_map(|measure| {
        PolicyChoice::HEADLINES.map(|policy| Switches {
            measure,
            policy,
            filter,
            ..Switches::default()
        })
    });
    all.collect()
}

#[tokio::test]
async fn a_model_agrees_as_a_labeler_with_the_same_answers_does_and_moves_nobodys_numbers() {
    for world in worlds(3, 4).await {
        let per = world.labels[0];
        let scale = Scale::typed(["0", "10", "0.5"], ["", ""]).unwrap();
        let questions = [
            (LabelId::DOCUMENT, AnswerKind::Number(scale), ""),
            (per, AnswerKind::One, "1\n2\n3"),
            (world.labels[1], AnswerKind::Several, "a\nb\nc"),
        ];
        let spans = [Span::new(0, 3, per), Span::new(4, 11, world.labels[1])];
        let mut asked = Vec::new();
        for (of, kind, choices) in questions {
            asked.push((world.ask(of, kind.clone(), choices).await, kind));
        }
        let facts = |labeler: usize, document: usize| {
            let number = u16::try_from((labeler + document * (labeler + 2)) % 3).unwrap();
            let set = Answer::several(if number == 1 { vec![0, 1] } else { vec![number] });
            let mut facts = vec![
                Fact::chosen(Span::DOCUMENT, asked[0].0, number * 3),
                Fact::chosen(spans[0], asked[1].0, number),
                Fact::chosen(spans[1], asked[2].0, set.unwrap()),
            ];
            facts.truncate(3 - usize::from(labeler == 1 && document == 2));
            facts
        };
        for document in 0..4 {
            for labeler in 0..3 {
                world.change(labeler, document, &[], &facts(labeler, document)).await;
                if labeler != 1 || document > 0 {
                    world.submit(labeler, document).await;
                }
            }
        }
        let all: Vec<_> = asked.iter().flat_map(|(id, kind)| asking(*id, kind)).collect();
        let mut before = Vec::new();
        for switches in &all {
            before.push(world.snapshot(*switches).await);
        }
        let model = world.model("1").await;
        for document in 0..4 {
            world.hand_in_facts(model, document, facts(2, document)).await;
        }
        let (third, mut values) = (world.labelers[2].member, 0);
        for (switches, matrix) in all.iter().zip(&before) {
            for cell in world.cells(model, *switches).await {
                if cell.rater == third {
                    continue;
                }
                let expected = matrix.cell(third, cell.rater).unwrap();
                assert_eq!(cell.measured, expected.measured, "{switches:?}");
                assert_eq!((cell.n, cell.documents), (expected.n, expected.documents));
                assert_eq!(cell.coverage.both, expected.coverage.both);
                values += usize::from(cell.measured.value().is_some());
            }
            assert_eq!(world.snapshot(*switches).await, *matrix, "{switches:?}");
        }
        assert!(values > 60, "{values}");
        let unsuitable = Switches { policy: PolicyChoice::Token, ..all[0] };
        let of = (world.project, model);
        let refused = agreement::model(&world.services, &world.manager.actor, of, unsuitable).await;
        assert_eq!(invalid_field(refused), "policy");
    }
}

/// As many documents as the test asks of each labeler, and more.
const DOCUMENTS: usize = 33;

/// What three labelers and the model answer about a document, by its place.
fn panel(document: usize) -> ([u16; 3], u16) {
    let most = u16::from(document.is_multiple_of(4));
    let differ = |every: usize| if document.is_multiple_of(every) { 2 } else { most };
    ([most, differ(5), differ(3)], differ(7))
}

impl World {
    /// The test of a model under a question, everything submitted.
    async fn beside(&self, model: ModelId, question: AttributeId) -> StandInView {
        let filter = Filter { question: Some(question), ..Filter::NONE };
        let asked = (Switches { filter, ..Switches::default() }, StandInFor::Skilled);
        let (actor, of) = (&self.manager.actor, (self.project, model));
        agreement::stand_in(&self.services, actor, of, asked).await.unwrap()
    }

    /// What a reviewer answers about a document.
    async fn answer_as_reviewer(&self, document: usize, answer: Fact) {
        let (actor, document) = (&self.reviewer.actor, self.documents[document]);
        let view = review::load(&self.services, actor, document).await.unwrap();
        let command = SaveDecisions {
            document,
            base: view.content.revision,
            key: self.key(),
            changes: vec![DecisionChange::of_document(BTreeSet::from([answer]))],
        };
        review::save(&self.services, actor, command).await.unwrap();
    }

    /// Has everybody answer as they do, on these places of each document.
    async fn answered(&self, on: &[Span], fact: impl Fn(Span, u16) -> Fact) -> ModelId {
        let model = self.model("1").await;
        for document in 0..DOCUMENTS {
            let (people, own) = panel(document);
            for (labeler, number) in people.into_iter().enumerate() {
                let facts: Vec<_> = on.iter().map(|span| fact(*span, number)).collect();
                self.change(labeler, document, &[], &facts).await;
                self.submit(labeler, document).await;
            }
            self.hand_in_facts(model, document, on.iter().map(|span| fact(*span, own))).await;
        }
        model
    }
}

/// What a page says is what the crate of the formulas says of these panels.
fn assert_same(view: &StandInTest, expected: &AlternativeTest) {
    let rates = (view.winning_rate, view.advantage);
    assert_eq!(rates, (Some(expected.winning_rate()), Some(expected.advantage())));
    for (found, expected) in view.comparisons.iter().zip(&expected.comparisons) {
        let test = expected.test.unwrap();
        assert_eq!(found.documents, expected.items());
        assert_eq!(found.model, expected.stand_in_share());
        assert_eq!(found.person, expected.annotator_share());
        assert_eq!((found.corrected, found.won), (Some(test.corrected), test.is_won()));
    }
}

fn panels<J>(of: impl Fn(u16) -> J) -> Vec<Panel<J>> {
    let panel = |document| {
        let (people, own) = panel(document);
        let annotators = people.map(|number| Some(of(number))).into();
        Panel { stand_in: Some(of(own)), annotators }
    };
    (0..DOCUMENTS).map(panel).collect()
}

#[tokio::test]
async fn whether_a_model_may_stand_in_with_its_answers_is_what_the_test_of_these_says() {
    let margin = Annotators::Skilled.margin();
    for world in worlds(3, DOCUMENTS).await {
        let question = world.ask(LabelId::DOCUMENT, AnswerKind::One, "a\nb\nc").await;
        let model =
            world.answered(&[Span::DOCUMENT], |on, it| Fact::chosen(on, question, it)).await;
        let view = world.beside(model, question).await;
        assert_eq!(
            (view.by, view.question.as_deref()),
            (StandInBy::Choices, Some("Document: Asked of 0"))
        );
        let expected = alternative_annotator_test(panels(|it| it), share_alike, margin).unwrap();
        assert_same(&view.whole, &expected);
        // By hand: the model says what the first labeler says but where 7 divides the place, in 0, 7, 14, 21 and 28.
        // Of these both others are with it in 0 and one in 21, and with the labeler in 7, 14 and 28.
        let first = &view.whole.comparisons[0];
        let (better, worse) = (30.0 / 33.0, 32.0 / 33.0);
        assert_eq!((first.documents, first.model, first.person), (33, Some(better), Some(worse)));
        let names: Vec<_> = view.labels.iter().map(|it| it.label.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let only: Vec<_> = panels(|it| it == 2);
        let given = |panel: &Panel<bool>| {
            panel.stand_in == Some(true) || panel.annotators.contains(&Some(true))
        };
        let only: Vec<_> = only.into_iter().filter(given).collect();
        assert_eq!(
            view.labels[2].test.comparisons[0].documents,
            u64::try_from(only.len()).unwrap()
        );
    }
    for world in worlds(3, DOCUMENTS).await {
        let question = world.ask(LabelId::DOCUMENT, AnswerKind::Several, "a\nb\nc").await;
        let set = |it: u16| if it == 2 { vec![0, 2] } else { vec![it] };
        let fact = |on, it| Fact::chosen(on, question, Answer::several(set(it)).unwrap());
        let model = world.answered(&[Span::DOCUMENT], fact).await;
        let view = world.beside(model, question).await;
        let sets = panels(|it| set(it).into_iter().collect::<BTreeSet<_>>());
        assert_eq!(view.by, StandInBy::Sets);
        assert_same(&view.whole, &alternative_annotator_test(sets, mean_jaccard, margin).unwrap());
    }
    for world in worlds(3, DOCUMENTS).await {
        let scale = Scale::typed(["0", "10", "0.5"], ["", ""]).unwrap();
        let question = world.ask(LabelId::DOCUMENT, AnswerKind::Number(scale), "").await;
        let fact = |on, it| Fact::chosen(on, question, it * it);
        let model = world.answered(&[Span::DOCUMENT], fact).await;
        let view = world.beside(model, question).await;
        assert_eq!((view.by, view.labels.len()), (StandInBy::Numbers, 0));
        let numbers = panels(|it| Number::new(f64::from(it * it) / 2.0).unwrap());
        let expected = alternative_annotator_test(numbers, negative_rmse, margin).unwrap();
        assert_same(&view.whole, &expected);
        let filter = Filter { question: Some(question), ..Filter::NONE };
        let report = world.report(Switches { filter, ..Switches::default() }).await;
        for words in ["Models", "root of the mean squared difference", "tagger 1"] {
            assert!(report.contains(words), "{words}");
        }
    }
}

#[tokio::test]
async fn answers_about_spans_count_a_document_at_a_time_where_they_were_submitted() {
    let margin = Annotators::Skilled.margin();
    for world in worlds(3, DOCUMENTS).await {
        let per = world.labels[0];
        let question = world.ask(per, AnswerKind::One, "a\nb\nc").await;
        let spans = [Span::new(0, 3, per), Span::new(4, 11, per)];
        // The second span of a document is answered alike by all.
        let fact = |on: Span, it| Fact::chosen(on, question, if on == spans[0] { it } else { 0 });
        let model = world.answered(&spans, fact).await;
        let view = world.beside(model, question).await;
        let same = || Panel { stand_in: Some(0), annotators: vec![Some(0); 3] };
        let documents = panels(|it| it).into_iter().map(|panel| [panel, same()]);
        assert_same(
            &view.whole,
            &clustered_annotator_test(documents, share_alike, margin).unwrap(),
        );
        assert_eq!(view.whole.comparisons[0].documents, 33);
        // What is taken back is not counted.
        let assignment = world.assignment(0, 0).await;
        let actor = &world.labelers[0].actor;
        let base = annotation::load(&world.services, actor, assignment).await.unwrap();
        let base = base.content.revision;
        annotation::reopen(&world.services, actor, assignment, base).await.unwrap();
        let view = world.beside(model, question).await;
        assert_eq!(view.whole.comparisons[0].documents, 32);
    }
}

#[tokio::test]
async fn answers_are_scored_where_reviewers_decided_on_them() {
    for world in worlds(2, 3).await {
        let question = world.ask(LabelId::DOCUMENT, AnswerKind::One, "a\nb").await;
        let (first, second) = (world.model("1").await, world.model("2").await);
        let about = |number: u16| Fact::chosen(Span::DOCUMENT, question, number);
        for document in 0..3 {
            for labeler in 0..2 {
                world.change(labeler, document, &[], &[about(0)]).await;
                world.submit(labeler, document).await;
            }
            world.hand_in_facts(first, document, [about(u16::from(document == 1))]).await;
            world.hand_in_facts(second, document, [about(1)]).await;
        }
        for document in 0..2 {
            world.answer_as_reviewer(document, about(0)).await;
            world.finish(document).await;
        }
        let filter = Filter { question: Some(question), ..Filter::NONE };
        let switches = Switches { filter, ..Switches::default() };
        let (actor, of) = (&world.manager.actor, (world.project, first));
        let view =
            agreement::against_decisions(&world.services, actor, of, switches).await.unwrap();
        // Of two decided answers one is right; the third document has none.
        let whole = view.whole;
        assert_eq!((view.documents, whole.decided, whole.found, whole.matched), (2, 2, 2, 1));
        assert_eq!((whole.precision.value, whole.recall.value), (Some(0.5), Some(0.5)));
        let names: Vec<_> = view.labels.iter().map(|it| it.label.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let [other] = &view.others[..] else { panic!("{:?}", view.others) };
        assert_eq!((other.difference.documents, other.difference.only_this), (2, 1));
        for person in [&world.labelers[0].actor, &world.outsider] {
            let scores = agreement::against_decisions(&world.services, person, of, switches).await;
            let asked = (switches, StandInFor::Crowd);
            let tested = agreement::stand_in(&world.services, person, of, asked).await;
            let cells = agreement::model(&world.services, person, of, switches).await;
            for refusal in [refused(scores), refused(tested), refused(cells)] {
                assert!(matches!(refusal, Refusal::Denied(_) | Refusal::NotFound), "{refusal:?}");
            }
        }
    }
}
