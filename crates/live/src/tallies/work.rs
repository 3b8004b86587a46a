//! What raters have on documents, and how it changes: what everything is counted from.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    Answer, AttributeId, Chosen, DecidedAnswer, Decision, DocumentId, DocumentRatings, Documents,
    Fact, LabelSet, MemberId, Range, RatedAssignment, Revision, Role, RoundId, Span, Verdict,
    WorkState,
};
use itertools::Itertools;
use litemap::LiteMap;

/// ∅, for who has no judgement where the switches make one of that.
pub static NOTHING: LabelSet = LabelSet::EMPTY;

/// About how many bytes a rater's work takes beside its judgements, with its places in a document's work and
/// among the rater's documents; and a set of two labels or a few more.
const WORK: usize = 110;
const SEVERAL_LABELS: usize = 160;

/// About how many bytes a set of labels takes beside its place: nothing, if it is of one label.
pub(super) fn bytes_beside(labels: &LabelSet) -> usize {
    if labels.len() > 1 { SEVERAL_LABELS } else { 0 }
}

/// What one rater has on one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    pub role: Role,
    pub state: WorkState,
    /// When it was saved last.
    pub saved_at: DateTime<Utc>,
    /// Each judged position; the empty set is a reviewer's reject.
    pub judgements: LiteMap<Range, LabelSet>,
    /// How a reviewer decided and when; empty for labelers.
    pub verdicts: LiteMap<Range, Decided>,
    /// What was answered to attributes. An attribute is of one label, so that it is asked once of a range.
    pub(crate) choices: LiteMap<(AttributeId, Range), Answer>,
    /// When a reviewer answered what is asked of the document; empty for labelers.
    pub(crate) answered: LiteMap<AttributeId, DateTime<Utc>>,
}

/// How a reviewer decided on a position, besides the labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// None of an answer in the place of labels: what it is called follows from what labelers answered.
    pub verdict: Option<Verdict>,
    pub at: DateTime<Utc>,
    /// Why; empty without a reason. Shared, since by token each has it.
    pub note: Arc<str>,
    /// What was answered there, which is among the choices, too.
    pub answers: Arc<[Fact]>,
}

impl Decided {
    const fn is_reject(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Reject))
    }
}

/// What a fact says was chosen of an attribute, and where.
fn chosen(fact: Fact) -> Option<((AttributeId, Range), Answer)> {
    let Chosen { attribute, answer } = fact.choice?;
    Some(((attribute, fact.span.range), answer))
}

impl Work {
    /// A labeler's assignment.
    pub fn of_labeler(
        state: WorkState,
        saved_at: DateTime<Utc>,
        facts: impl IntoIterator<Item: Into<Fact>>,
    ) -> Self {
        let (mut spans, mut choices) = (Vec::new(), Vec::new());
        for fact in facts {
            let fact = fact.into();
            match chosen(fact) {
                None => spans.push(fact.span),
                Some(choice) => choices.push(choice),
            }
        }
        // In order, each is put at the end.
        spans.sort_unstable();
        choices.sort_unstable();
        let mut judgements: LiteMap<Range, LabelSet> = LiteMap::with_capacity(spans.len());
        for span in spans {
            judgements.entry(span.range).or_default().insert(span.label);
        }
        let (role, verdicts, answered) = (Role::Labeler, LiteMap::new_vec(), LiteMap::new_vec());
        let choices = choices.into_iter().collect();
        Self { role, state, saved_at, judgements, verdicts, choices, answered }
    }

    /// A reviewer's pass, without what was answered about the document.
    pub fn of_reviewer(
        state: WorkState,
        saved_at: DateTime<Utc>,
        decisions: impl IntoIterator<Item = Decision>,
    ) -> Self {
        let mut work = Self {
            role: Role::Reviewer,
            state,
            saved_at,
            judgements: LiteMap::new_vec(),
            verdicts: LiteMap::new_vec(),
            choices: LiteMap::new_vec(),
            answered: LiteMap::new_vec(),
        };
        let mut choices = Vec::new();
        for decision in decisions {
            let Decision { range, verdict, labels, decided_at: at, note, answers } = decision;
            let answers: Arc<[Fact]> = answers.into_iter().collect();
            choices.extend(answers.iter().copied().filter_map(chosen));
            let (verdict, note) = (Some(verdict), note.into());
            work.verdicts.insert(range, Decided { verdict, at, note, answers });
            work.judgements.insert(range, labels);
        }
        choices.sort_unstable();
        work.choices = choices.into_iter().collect();
        work
    }

    /// The same with what a reviewer answered about the document.
    #[must_use]
    pub fn answering(mut self, answers: impl IntoIterator<Item = DecidedAnswer>) -> Self {
        for DecidedAnswer { answer, decided_at } in answers {
            if let Some((key, answer)) = chosen(answer) {
                self.answered.insert(key.0, decided_at);
                self.choices.insert(key, answer);
            }
        }
        self
    }

    /// The same without positions that were rejected: there is no span.
    pub(super) fn without_rejects(&self) -> Self {
        let is_reject = |range| self.verdicts.get(range).is_some_and(Decided::is_reject);
        let spans = self.judgements.iter().filter(|(range, _)| !is_reject(range));
        let judgements = spans.map(|(range, labels)| (*range, labels.clone())).collect();
        self.with(judgements, self.verdicts.clone())
    }

    /// What was chosen of an attribute, in the place of labels: no judgement where nothing was. A reviewer has
    /// decided on an answer when they decided on its label.
    pub(super) fn answers(&self, question: AttributeId) -> Self {
        let chosen = self.choices.iter().filter(|((attribute, _), _)| *attribute == question);
        let judgements: LiteMap<Range, LabelSet> =
            chosen.map(|((_, range), answer)| (*range, answer.categories())).collect();
        let of_document = self.answered.get(&question).map(|at| {
            let (note, answers) = (Arc::default(), Arc::default());
            (Span::DOCUMENT.range, Decided { verdict: None, at: *at, note, answers })
        });
        let of_spans = self.verdicts.iter().filter(|(range, _)| judgements.contains_key(range));
        let of_spans =
            of_spans.map(|(range, it)| (*range, Decided { verdict: None, ..it.clone() }));
        let verdicts = of_document.into_iter().chain(of_spans).collect();
        // A review that answers nothing has not said that there is nothing to answer.
        let is_unasked = !self.is_of_labeler() && judgements.is_empty();
        let state = if is_unasked { WorkState::Open } else { self.state };
        Self { state, ..self.with(judgements, verdicts) }
    }

    /// The same pass with other judgements, which nothing was chosen on.
    pub(super) fn with(
        &self,
        judgements: LiteMap<Range, LabelSet>,
        verdicts: LiteMap<Range, Decided>,
    ) -> Self {
        let Self { role, state, saved_at, .. } = *self;
        let (choices, answered) = (LiteMap::new_vec(), LiteMap::new_vec());
        Self { role, state, saved_at, judgements, verdicts, choices, answered }
    }

    /// The decision on a position, if this is a reviewer's work and there is one.
    pub fn decision(&self, range: Range) -> Option<Decision> {
        let Decided { verdict, at: decided_at, note, answers } = self.verdicts.get(&range)?;
        let labels = self.judgements.get(&range)?.clone();
        let (verdict, decided_at, note) = ((*verdict)?, *decided_at, note.to_string());
        let answers = answers.iter().copied().collect();
        Some(Decision { range, verdict, labels, decided_at, note, answers })
    }

    /// What a reviewer answered to a question about the document.
    pub fn document_answer(&self, question: AttributeId) -> Option<DecidedAnswer> {
        let decided_at = *self.answered.get(&question)?;
        let answer = *self.choices.get(&(question, Span::DOCUMENT.range))?;
        Some(DecidedAnswer { answer: Fact::chosen(Span::DOCUMENT, question, answer), decided_at })
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let sets: usize = self.judgements.values().map(bytes_beside).sum();
        // By token, those of one decision lie side by side.
        let notes = self.verdicts.values().map(|decided| &decided.note);
        let notes = notes.dedup_by(|one, other| Arc::ptr_eq(one, other));
        let notes: usize = notes.map(|note| note.len()).sum();
        WORK + self.judgements.len() * size_of::<(Range, LabelSet)>()
            + sets
            + self.verdicts.len() * size_of::<(Range, Decided)>()
            + notes
            + self.verdicts.values().map(|it| size_of_val(&*it.answers)).sum::<usize>()
            + self.choices.len() * size_of::<((AttributeId, Range), Answer)>()
            + self.answered.len() * size_of::<(AttributeId, DateTime<Utc>)>()
    }

    pub const fn is_of_labeler(&self) -> bool {
        matches!(self.role, Role::Labeler)
    }

    /// Whether the work is among these documents.
    pub fn counts(&self, documents: Documents) -> bool {
        match documents {
            Documents::Saved => self.state.has_work(),
            Documents::Submitted => self.state == WorkState::Submitted,
        }
    }
}

/// What tallies know of a document beside the work on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentFacts {
    pub round: RoundId,
    /// The length of its text, in Unicode scalar values.
    pub characters: u32,
}

impl DocumentFacts {
    pub fn of(ratings: &DocumentRatings) -> Self {
        Self { round: ratings.round, characters: ratings.characters }
    }
}

/// Everybody's work on one document; raters who have not saved are not in it.
pub type DocumentWork = LiteMap<MemberId, Work>;

/// What raters have on documents, as far as it has changed after a revision of the project up to
/// another. It brings any state from the one to the other up to the latter: all work is whole, so what
/// a state has already of it is only replaced by the same.
pub struct Change {
    pub since: Revision,
    pub revision: Revision,
    /// Documents that have come to the project, or that it had.
    pub documents: Vec<(DocumentId, DocumentFacts)>,
    pub works: Vec<(DocumentId, MemberId, Work)>,
    /// Who moved the numbers last by a save, and when; none if nobody has saved.
    pub by: Option<(MemberId, DateTime<Utc>)>,
}

impl Change {
    /// One rater's work on documents, committed as a revision of the project.
    pub fn by_one(
        revision: Revision,
        (rater, at): (MemberId, DateTime<Utc>),
        works: impl IntoIterator<Item = (DocumentId, Work)>,
    ) -> Self {
        let works = works.into_iter().map(|(document, work)| (document, rater, work)).collect();
        let (since, documents) = (Revision(revision.0 - 1), Vec::new());
        Self { since, revision, documents, works, by: Some((rater, at)) }
    }
}

/// The rows of one document as judgements.
pub fn document_work(ratings: DocumentRatings) -> (DocumentId, DocumentWork) {
    let raters = ratings.assignments.len() + ratings.reviews.len();
    let assignments =
        ratings.assignments.into_iter().filter(|assignment| assignment.state.has_work()).map(
            |assignment| {
                let RatedAssignment { member, state, saved_at, spans, choices } = assignment;
                let facts = spans.into_iter().map(Fact::from).chain(choices);
                (member, Work::of_labeler(state, saved_at, facts))
            },
        );
    let reviews =
        ratings.reviews.into_iter().filter(|review| review.state.has_work()).map(|review| {
            let work = Work::of_reviewer(review.state, review.saved_at, review.decisions);
            (review.member, work.answering(review.answers))
        });
    let mut work = DocumentWork::with_capacity(raters);
    work.extend(assignments.chain(reviews));
    (ratings.document, work)
}
