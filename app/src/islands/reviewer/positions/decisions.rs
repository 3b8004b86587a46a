//! The positions with the reviewer's decisions, and every act on them, to be undone and redone.

use std::{collections::BTreeSet, iter, mem, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{Answer, Attribute, AttributeId, DecisionChange, Fact, Range, Span, chosen_on};

use crate::islands::editor::undo::Steps;

use super::{
    Position,
    changes::{answered, apply, inverse, is_news, mark_stored, refit},
    find_position,
};

/// The positions, and the ways back from where they are. An act is one step, however many
/// positions it decides.
#[derive(Clone, Debug)]
pub(crate) struct Decisions {
    positions: Arc<Vec<Position>>,
    /// What the reviewer answers about the document.
    of_document: BTreeSet<Fact>,
    /// For each act, the changes that lead back, or there again.
    steps: Steps<Vec<DecisionChange>>,
}

impl Decisions {
    /// The positions and the answers about the document as the server has them; nothing to undo yet.
    pub(crate) fn new(positions: Vec<Position>, of_document: BTreeSet<Fact>) -> Self {
        Self { positions: Arc::new(positions), of_document, steps: Steps::default() }
    }

    /// The answer to a question on a label that was decided on, or about the document.
    pub(crate) fn answer(&self, span: Span, attribute: AttributeId) -> Option<Answer> {
        let chosen = chosen_on(self.answers(span)?, span).into_iter();
        let mut choices = chosen.filter_map(|fact| fact.choice);
        Some(choices.find(|choice| choice.attribute == attribute)?.answer)
    }

    /// The change that answers otherwise on a label that was decided on, or about the document.
    pub(crate) fn answering(
        &self,
        span: Span,
        attribute: AttributeId,
        answer: Option<Answer>,
    ) -> Option<DecisionChange> {
        let mut answers = self.answers(span)?.clone();
        answers.retain(|fact| {
            fact.span != span || fact.choice.is_none_or(|choice| choice.attribute != attribute)
        });
        answers.extend(answer.map(|answer| Fact::chosen(span, attribute, answer)));
        if span == Span::DOCUMENT {
            return Some(DecisionChange::of_document(answers));
        }
        let present = find_position(&self.positions, span.range)?.present();
        Some(DecisionChange { answers: Some(answers), ..present })
    }

    /// All that is answered where a span is, or about the document; none where nothing is decided.
    fn answers(&self, span: Span) -> Option<&BTreeSet<Fact>> {
        if span == Span::DOCUMENT {
            return Some(&self.of_document);
        }
        let position = find_position(&self.positions, span.range)?;
        position.decision.as_ref().map(|decided| &decided.answers)
    }

    /// Where something that is required has no answer, once for each: the document, and labels that were decided on.
    pub(crate) fn unanswered(&self, attributes: &[Attribute]) -> Vec<Span> {
        let decided = self.positions.iter().filter_map(|position| {
            let labels = position.decision.as_ref()?.labels.iter();
            Some(labels.map(|label| Span { range: position.range, label }))
        });
        let mut spans = Vec::new();
        for span in iter::once(Span::DOCUMENT).chain(decided.flatten()) {
            let is_open = |attribute: &&Attribute| {
                let is_required = attribute.required && attribute.offered;
                attribute.label == span.label
                    && is_required
                    && self.answer(span, attribute.id).is_none()
            };
            spans.extend(attributes.iter().filter(is_open).map(|_| span));
        }
        spans
    }

    /// The same changes on top of what has changed meanwhile, without what changes nothing any more. Of questions
    /// about the document that were not answered here, what was answered elsewhere stays.
    pub(crate) fn refit(&self, changes: &[DecisionChange]) -> Vec<DecisionChange> {
        let (of_document, of_positions) = apart(changes);
        let of_document = of_document.into_iter().map(|change| {
            let mine = change.answers.unwrap_or_default();
            let is_mine = |fact: &&Fact| {
                let asked = |fact: &Fact| fact.choice.map(|choice| choice.attribute);
                mine.iter().any(|own| asked(own) == asked(fact))
            };
            let theirs = self.of_document.iter().filter(|fact| !is_mine(fact));
            DecisionChange::of_document(theirs.chain(&mine).copied().collect())
        });
        let of_document = of_document.filter(|change| self.is_news(change));
        refit(&self.positions, &of_positions).into_iter().chain(of_document).collect()
    }

    fn is_news(&self, change: &DecisionChange) -> bool {
        if change.is_of_document() {
            return change.answers.as_ref().is_some_and(|answers| *answers != self.of_document);
        }
        is_news(find_position(&self.positions, change.range), change)
    }

    pub(crate) const fn positions(&self) -> &Arc<Vec<Position>> {
        &self.positions
    }

    pub(crate) const fn can_undo(&self) -> bool {
        self.steps.can_undo()
    }

    /// The first position of the latest act that still stands.
    pub(crate) fn latest(&self) -> Option<Range> {
        let latest = self.steps.done.iter().rev().flatten();
        let mut ranges = latest.map(|change| change.range);
        ranges.find(|range| {
            find_position(&self.positions, *range).is_some_and(|there| there.decision.is_some())
        })
    }

    pub(crate) const fn can_redo(&self) -> bool {
        self.steps.can_redo()
    }

    /// Carries an act out and gives what is to be sent: nothing where it changes nothing.
    pub(crate) fn decide(&mut self, changes: Vec<DecisionChange>) -> Vec<DecisionChange> {
        let whole = |change: DecisionChange| {
            if change.is_of_document() {
                return change;
            }
            answered(find_position(&self.positions, change.range), change)
        };
        let news: Vec<_> =
            changes.into_iter().filter(|change| self.is_news(change)).map(whole).collect();
        if !news.is_empty() {
            let back = self.carry_out(&news);
            self.steps.push(back);
        }
        news
    }

    /// Takes the latest act back; gives what is to be sent.
    pub(crate) fn undo(&mut self) -> Option<Vec<DecisionChange>> {
        let back = self.steps.done.pop()?;
        let forth = self.carry_out(&back);
        self.steps.undone.push(forth);
        Some(back)
    }

    /// Carries out again what was taken back last; gives what is to be sent.
    pub(crate) fn redo(&mut self) -> Option<Vec<DecisionChange>> {
        let forth = self.steps.undone.pop()?;
        let back = self.carry_out(&forth);
        self.steps.done.push(back);
        Some(forth)
    }

    /// Notes when the server stored decisions that are not on their way again.
    pub(crate) fn note_stored(
        &mut self,
        changes: &[DecisionChange],
        waiting: impl Fn(Range) -> bool,
        at: DateTime<Utc>,
    ) {
        mark_stored(Arc::make_mut(&mut self.positions).as_mut_slice(), changes, waiting, at);
    }

    /// Gives the way back.
    fn carry_out(&mut self, changes: &[DecisionChange]) -> Vec<DecisionChange> {
        let (of_document, of_positions) = apart(changes);
        let mut back = inverse(&self.positions, &of_positions);
        apply(Arc::make_mut(&mut self.positions), &of_positions);
        for answers in of_document.into_iter().filter_map(|change| change.answers) {
            let before = mem::replace(&mut self.of_document, answers);
            back.push(DecisionChange::of_document(before));
        }
        back
    }
}

/// The changes of what is answered about the document, and those of positions.
fn apart(changes: &[DecisionChange]) -> (Vec<DecisionChange>, Vec<DecisionChange>) {
    changes.iter().cloned().partition(DecisionChange::is_of_document)
}

#[cfg(test)]
mod tests {
    use domain::Verdict;

    use super::*;
    use crate::islands::reviewer::positions::{
        changes::accept_unanimous,
        examples::{ORG, PER, labels, position},
        navigation::count_decided,
    };

    fn reject(start: u32) -> DecisionChange {
        let decision = Some((Verdict::Reject, labels(&[])));
        DecisionChange::new(Range::new(start, start + 2), decision)
    }

    fn decisions() -> Decisions {
        let positions = vec![
            position(0, &[&[PER], &[PER]], 2),
            position(10, &[&[PER], &[ORG]], 2),
            position(20, &[&[ORG], &[ORG]], 2),
        ];
        Decisions::new(positions, BTreeSet::new())
    }

    #[test]
    fn accepting_all_unanimous_positions_is_one_step() {
        let mut decisions = decisions();
        let all = accept_unanimous(decisions.positions());
        let ranges = |all: &[DecisionChange]| all.iter().map(|it| it.range).collect::<Vec<_>>();
        let all_with_answers = decisions.decide(all.clone());
        assert_eq!(ranges(&all_with_answers), ranges(&all));
        assert_eq!(count_decided(decisions.positions()), 2);
        let sent = decisions.undo().unwrap();
        assert!(sent.len() == 2 && sent.iter().all(|change| change.decision.is_none()));
        assert_eq!(count_decided(decisions.positions()), 0);
        assert!(!decisions.can_undo());
        assert_eq!(decisions.redo(), Some(all_with_answers));
        assert_eq!(count_decided(decisions.positions()), 2);
    }

    #[test]
    fn undo_leads_back_to_the_former_decision_and_not_to_none() {
        let mut decisions = decisions();
        let rejected = decisions.decide(vec![reject(0)]);
        let accept = Some((Verdict::Accept, labels(&[PER])));
        decisions.decide(vec![DecisionChange::new(Range::new(0, 2), accept)]);
        assert_eq!(decisions.undo(), Some(rejected));
        assert_eq!(decisions.positions()[0].resolved(), reject(0).decision);
    }

    #[test]
    fn deciding_the_same_again_is_no_act() {
        let mut decisions = decisions();
        decisions.decide(vec![reject(0)]);
        assert_eq!(decisions.decide(vec![reject(0)]), []);
        decisions.undo();
        assert!(!decisions.can_undo());
    }

    #[test]
    fn the_latest_decision_is_the_last_that_was_not_taken_back() {
        let mut decisions = decisions();
        assert_eq!(decisions.latest(), None);
        decisions.decide(vec![reject(0)]);
        decisions.decide(vec![reject(10)]);
        assert_eq!(decisions.latest(), Some(Range::new(10, 12)));
        decisions.decide(vec![DecisionChange::new(Range::new(10, 12), None)]);
        assert_eq!(decisions.latest(), Some(Range::new(0, 2)));
    }

    #[test]
    fn answers_about_the_document_are_undone_and_fitted_like_decisions() {
        let mut decisions = decisions();
        let question = AttributeId(1);
        let other = |decisions: &Decisions, number: u16| {
            decisions.answering(Span::DOCUMENT, question, Some(number.into())).unwrap()
        };
        for number in [2, 0] {
            let change = other(&decisions, number);
            assert_eq!(decisions.decide(vec![change.clone()]), std::slice::from_ref(&change));
            assert!(decisions.refit(&[change]).is_empty(), "it is there already");
        }
        let answer = |decisions: &Decisions| decisions.answer(Span::DOCUMENT, question);
        assert_eq!(answer(&decisions), Some(0.into()));
        decisions.undo();
        assert_eq!(answer(&decisions), Some(2.into()));
        decisions.undo();
        assert_eq!(answer(&decisions), None);
        decisions.redo();
        assert_eq!(answer(&decisions), Some(2.into()));
        assert_eq!(decisions.refit(&[other(&decisions, 1)]).len(), 1);
    }

    #[test]
    fn only_what_is_decided_is_answered() {
        let mut decisions = decisions();
        let span = Span::new(0, 2, domain::LabelId(PER));
        assert_eq!(decisions.answering(span, AttributeId(1), Some(1.into())), None);
        decisions
            .decide(vec![DecisionChange::new(span.range, Some((Verdict::Accept, labels(&[PER]))))]);
        let change = decisions.answering(span, AttributeId(1), Some(1.into())).unwrap();
        decisions.decide(vec![change]);
        assert_eq!(decisions.answer(span, AttributeId(1)), Some(1.into()));
        decisions.decide(vec![reject(0)]);
        assert_eq!(decisions.answer(span, AttributeId(1)), None);
        decisions.undo();
        assert_eq!(decisions.answer(span, AttributeId(1)), Some(1.into()));
    }

    #[test]
    fn what_is_required_and_still_asked_is_missed_on_what_is_decided_and_on_the_document() {
        let attribute = |id, label, required, offered| Attribute {
            id: AttributeId(id),
            label,
            name: String::new(),
            required,
            offered,
            answers: domain::AnswerKind::One,
            choices: Vec::new(),
        };
        let per = domain::LabelId(PER);
        let asked = [
            attribute(1, per, true, true),
            attribute(2, per, true, false),
            attribute(3, domain::LabelId::DOCUMENT, true, true),
            attribute(4, domain::LabelId::DOCUMENT, false, true),
        ];
        let mut decisions = decisions();
        assert_eq!(decisions.unanswered(&asked), [Span::DOCUMENT]);
        let span = Span::new(0, 2, per);
        let accept = Some((Verdict::Accept, labels(&[PER])));
        decisions.decide(vec![DecisionChange::new(span.range, accept)]);
        assert_eq!(decisions.unanswered(&asked), [Span::DOCUMENT, span]);
        for (span, question) in [(span, 1), (Span::DOCUMENT, 3)] {
            let answer = decisions.answering(span, AttributeId(question), Some(0.into()));
            decisions.decide(answer.into_iter().collect());
        }
        assert_eq!(decisions.unanswered(&asked), []);
    }

    #[test]
    fn a_new_act_ends_what_could_be_redone() {
        let mut decisions = decisions();
        decisions.decide(vec![reject(0)]);
        decisions.undo();
        decisions.decide(vec![reject(10)]);
        assert!(!decisions.can_redo());
        assert_eq!(decisions.redo(), None);
    }
}
