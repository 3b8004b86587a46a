//! What is asked of a label that was decided on, or of the document: what labelers answered, and the reviewer's
//! own answer.

use domain::{Answer, Attribute, AttributeId, Fact, LabelId, LabelSet, MemberId, Range, Span};

use crate::islands::{
    answering::{Answering, Question},
    prelude::*,
    reviewer::{
        positions::Position,
        session::{Facts, Session},
    },
};

impl Session {
    /// The reviewer's answer; reactive.
    fn answer(self, span: Span, attribute: AttributeId) -> Option<Answer> {
        self.decisions.with(|decisions| decisions.answer(span, attribute))
    }

    fn give_answer(self, span: Span, attribute: AttributeId, answer: Option<Answer>) {
        let change =
            self.decisions.with_untracked(|decisions| decisions.answering(span, attribute, answer));
        if self.carry_out(change.into_iter().collect()) {
            let left = self.unanswered_now().len();
            let missing = (left > 0).then(|| format!(" {}.", missing(left)));
            self.say(format!("Answered.{}", missing.unwrap_or_default()));
        }
    }
}

/// "2 required answers missing".
pub(crate) fn missing(count: usize) -> String {
    format!("{} missing", domain::count(count, "required answer"))
}

/// The questions about a span, or about the document, each with what labelers answered.
#[component]
pub(crate) fn Asked(session: Session, span: Span, chosen: Vec<(MemberId, Fact)>) -> impl IntoView {
    let facts = session.facts();
    let of = format!("{}-{}-{}", span.range.start, span.range.end, span.label);
    let is_asked = |attribute: &&Attribute| {
        let is_answered = || untrack(|| session.answer(span, attribute.id)).is_some();
        attribute.label == span.label
            && (attribute.offered
                || is_answered()
                || chosen.iter().any(|(_, fact)| answer_to(fact, span, attribute.id).is_some()))
    };
    let asked = facts.attributes.iter().filter(is_asked);
    asked
        .map(|attribute| {
            let id = attribute.id;
            let given = given(&facts, attribute, span, &chosen);
            let answering = Answering {
                answer: Signal::derive(move || session.answer(span, id)),
                give: Callback::new(move |answer| session.give_answer(span, id, answer)),
                is_read_only: Signal::derive(move || session.is_ended()),
            };
            view! {
                <Question attribute=attribute.clone() of=of.clone() answering/>
                <ul class="plain-list given">{given}</ul>
            }
        })
        .collect_view()
}

/// The answer that a fact is to a question.
fn answer_to(fact: &Fact, span: Span, attribute: AttributeId) -> Option<Answer> {
    let choice = fact.choice.filter(|choice| choice.attribute == attribute)?;
    (fact.span == span).then_some(choice.answer)
}

/// Each answer of labelers with who gave it, in the order of the labelers.
fn given(
    facts: &Facts,
    attribute: &Attribute,
    span: Span,
    chosen: &[(MemberId, Fact)],
) -> impl IntoView + use<> {
    let mut groups: Vec<(Answer, Vec<String>)> = Vec::new();
    for assignment in &facts.assignments {
        let rater = &assignment.rater;
        let own = chosen.iter().filter(|(whose, _)| *whose == rater.id);
        let mut answers = own.filter_map(|(_, fact)| answer_to(fact, span, attribute.id));
        let Some(answer) = answers.next() else { continue };
        match groups.iter_mut().find(|(other, _)| *other == answer) {
            Some((_, names)) => names.push(rater.name.clone()),
            None => groups.push((answer, vec![rater.name.clone()])),
        }
    }
    let group = |(answer, names): (Answer, Vec<String>)| {
        let words = attribute.words(answer).unwrap_or_default();
        view! {
            <li>
                <bdi>{words}</bdi>
                " "
                <span class="soft"><bdi>{names.join(", ")}</bdi></span>
            </li>
        }
    };
    groups.into_iter().map(group).collect_view()
}

/// What is asked of the labels that were decided on at the current position.
#[component]
pub(crate) fn AskedHere(session: Session, position: Memo<Option<Position>>) -> impl IntoView {
    // An answer is no news of what is asked: the control that has the focus stays.
    let decided = Memo::new(move |_| {
        let position = position.read();
        let position = position.as_ref()?;
        let labels = position.decision.as_ref()?.labels.clone();
        Some((position.range, labels, position.chosen.clone()))
    });
    dynamic(move || {
        let (range, labels, chosen) = decided.get()?;
        let labels = asking(&session.facts(), &labels);
        Some(
            labels
                .into_iter()
                .map(|label| of_label(session, (range, label), &chosen))
                .collect_view(),
        )
    })
}

/// Those of the labels that something is asked of.
fn asking(facts: &Facts, labels: &LabelSet) -> Vec<LabelId> {
    let is_asked = |label: &LabelId| facts.attributes.iter().any(|it| it.label == *label);
    labels.iter().filter(is_asked).collect()
}

fn of_label(
    session: Session,
    (range, label): (Range, LabelId),
    chosen: &[(MemberId, Fact)],
) -> impl IntoView + use<> {
    view! { <Asked session span=Span { range, label } chosen=chosen.to_vec()/> }
}
