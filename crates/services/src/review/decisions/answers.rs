//! What a change of a review answers: what the reviewer says, or what labelers answered alike.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    AtPosition, AttributeId, Code, DecidedAnswer, Decision, Fact, LabelSet, MemberId, ProjectId,
    Range, RatedAssignment, ReviewId, Span,
};
use store::{
    Tx,
    agreement::ratings::{DocumentRatings, RatedReview},
    review::decisions::Replacement,
};

use crate::Result;

/// What a change says that is answered on a position, or about the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// All of it.
    All(BTreeSet<Fact>),
    /// The answer to one question, or none any more; the others stay, or are taken over.
    One(AttributeId, Option<DecidedAnswer>),
}

impl Answered {
    /// What is answered then, where this was before.
    fn after(&self, before: impl IntoIterator<Item = Fact>) -> BTreeSet<Fact> {
        match self {
            Self::All(answers) => answers.clone(),
            Self::One(question, answer) => {
                let others = before.into_iter().filter(|fact| !is_of(fact, *question));
                others.chain(answer.map(|it| it.answer)).collect()
            }
        }
    }
}

/// Whether a fact answers a question.
pub(super) fn is_of(fact: &Fact, question: AttributeId) -> bool {
    fact.choice.is_some_and(|choice| choice.attribute == question)
}

/// What labelers have on the positions of a document.
#[derive(Default)]
pub(crate) struct OfLabelers {
    marked: BTreeMap<Range, Vec<(MemberId, LabelSet)>>,
    chosen: BTreeMap<Range, Vec<(MemberId, Fact)>>,
}

impl OfLabelers {
    pub(crate) fn of(ratings: &DocumentRatings) -> Self {
        Self::among(ratings.assignments.iter().filter(|it| it.state.has_work()))
    }

    /// What those have whose assignments these are.
    pub(crate) fn among<'a>(assignments: impl Iterator<Item = &'a RatedAssignment>) -> Self {
        let mut there = Self::default();
        for assignment in assignments {
            let labeler = assignment.member;
            let mut marked: BTreeMap<Range, LabelSet> = BTreeMap::new();
            for span in &assignment.spans {
                marked.entry(span.range).or_default().insert(span.label);
            }
            for (range, labels) in marked {
                there.marked.entry(range).or_default().push((labeler, labels));
            }
            for fact in &assignment.choices {
                there.chosen.entry(fact.span.range).or_default().push((labeler, *fact));
            }
        }
        there
    }

    /// What labelers chose on a position, or on the document.
    pub(crate) fn chosen(&self, range: Range) -> &[(MemberId, Fact)] {
        self.chosen.get(&range).map_or(&[], Vec::as_slice)
    }

    /// What is to stand on positions, with what is answered there: what is named, or else taken over.
    pub(super) fn answered(
        &self,
        changes: &[(Range, Option<Decision>)],
        named: &BTreeMap<Range, Answered>,
        own: Option<&RatedReview>,
    ) -> Vec<(Range, Option<Decision>)> {
        let answered = |(range, decision): &(Range, Option<Decision>)| {
            let decided = |decision: &Decision| {
                let taken_over = || self.taken_over(decision, own);
                let answers = named.get(range);
                let answers = answers.map_or_else(taken_over, |it| it.after(taken_over()));
                // A decision is one thing with its answers: who answers anew has decided anew.
                let before = own.and_then(|own| own_decision(own, *range)).filter(|before| {
                    (before.verdict, &before.labels, &before.note, &before.answers)
                        == (decision.verdict, &decision.labels, &decision.note, &answers)
                });
                let decided_at = before.map_or(decision.decided_at, |before| before.decided_at);
                Decision { answers, decided_at, ..decision.clone() }
            };
            (*range, decision.as_ref().map(decided))
        };
        changes.iter().map(answered).collect()
    }

    fn taken_over(&self, decision: &Decision, own: Option<&RatedReview>) -> BTreeSet<Fact> {
        let range = decision.range;
        let before = own.and_then(|own| own_decision(own, range));
        let before = before.map(|before| (&before.labels, &before.answers));
        self.at(range).answers(range, &decision.labels, before)
    }

    /// What everybody who gave these labels to a position answered alike.
    pub(crate) fn alike(&self, range: Range, labels: &LabelSet) -> BTreeSet<Fact> {
        self.at(range).answers(range, labels, None)
    }

    fn at(&self, range: Range) -> AtPosition<'_> {
        let marked = self.marked.get(&range).map_or(&[][..], Vec::as_slice);
        AtPosition { marked, chosen: self.chosen(range) }
    }
}

/// The decision of a review on a position.
pub(super) fn own_decision(review: &RatedReview, range: Range) -> Option<&Decision> {
    let at = review.decisions.binary_search_by_key(&range, |decision| decision.range).ok()?;
    review.decisions.get(at)
}

/// Answers about the document, with when they were given: those that stood before were given then.
pub(super) fn dated(
    answers: &Answered,
    own: Option<&RatedReview>,
    now: DateTime<Utc>,
) -> Vec<DecidedAnswer> {
    let before = || own.into_iter().flat_map(|own| &own.answers).copied();
    let dated = |answer: Fact| {
        let named = match answers {
            Answered::One(_, named) => *named,
            Answered::All(_) => None,
        };
        let mut known = before().chain(named).filter(|it| it.answer == answer);
        known.next().unwrap_or(DecidedAnswer { answer, decided_at: now })
    };
    answers.after(before().map(|it| it.answer)).into_iter().map(dated).collect()
}

/// Everything that is so in a review: what it decided to be spans, and what it answered.
pub(super) fn facts_of(decisions: &[Decision], answers: &[DecidedAnswer]) -> BTreeSet<Fact> {
    let of_decision = |decision: &Decision| {
        let range = decision.range;
        let spans = decision.labels.iter().map(move |label| Fact::from(Span { range, label }));
        spans.chain(decision.answers.iter().copied()).collect::<Vec<_>>()
    };
    let of_document = answers.iter().map(|it| it.answer);
    decisions.iter().flat_map(of_decision).chain(of_document).collect()
}

/// Refuses answers that what they are on does not have.
pub(super) async fn check(
    tx: &Tx,
    project: ProjectId,
    decided: &[Replacement],
    of_documents: &[(ReviewId, Vec<DecidedAnswer>)],
) -> Result<()> {
    let on_labels = decided.iter().filter_map(|new| new.decision.as_ref());
    let on_labels = on_labels.flat_map(|decision| decision.answers.iter());
    let of_documents = of_documents.iter().flat_map(|(_, answers)| answers.iter());
    let answers: Vec<_> = on_labels.copied().chain(of_documents.map(|it| it.answer)).collect();
    if answers.is_empty() {
        return Ok(());
    }
    let attributes = store::project::attributes::list(tx, project).await?;
    if answers.iter().all(|fact| attributes.iter().any(|attribute| attribute.has(fact))) {
        Ok(())
    } else {
        Err(Code::Unknown.of("answers", "the label has no such attribute or choice").into())
    }
}
