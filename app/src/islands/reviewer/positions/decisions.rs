//! The positions with the reviewer's decisions, and every act on them, to be undone and redone.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{DecisionChange, Range};

use crate::islands::editor::undo::Steps;

use super::{
    Position,
    changes::{apply, inverse, is_news, mark_stored},
    find_position,
};

/// The positions, and the ways back from where they are. An act is one step, however many
/// positions it decides.
#[derive(Clone, Debug)]
pub(crate) struct Decisions {
    positions: Arc<Vec<Position>>,
    /// For each act, the changes that lead back, or there again.
    steps: Steps<Vec<DecisionChange>>,
}

impl Decisions {
    /// The positions as the server has them; nothing to undo yet.
    pub(crate) fn new(positions: Vec<Position>) -> Self {
        Self { positions: Arc::new(positions), steps: Steps::default() }
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
        let news: Vec<_> = changes
            .into_iter()
            .filter(|change| is_news(find_position(&self.positions, change.range), change))
            .collect();
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
        let back = inverse(&self.positions, changes);
        apply(Arc::make_mut(&mut self.positions), changes);
        back
    }
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
        Decisions::new(vec![
            position(0, &[&[PER], &[PER]], 2),
            position(10, &[&[PER], &[ORG]], 2),
            position(20, &[&[ORG], &[ORG]], 2),
        ])
    }

    #[test]
    fn accepting_all_unanimous_positions_is_one_step() {
        let mut decisions = decisions();
        let all = accept_unanimous(decisions.positions());
        assert_eq!(decisions.decide(all.clone()), all);
        assert_eq!(count_decided(decisions.positions()), 2);
        let sent = decisions.undo().unwrap();
        assert!(sent.len() == 2 && sent.iter().all(|change| change.decision.is_none()));
        assert_eq!(count_decided(decisions.positions()), 0);
        assert!(!decisions.can_undo());
        assert_eq!(decisions.redo(), Some(all));
        assert_eq!(count_decided(decisions.positions()), 2);
    }

    #[test]
    fn undo_leads_back_to_the_former_decision_and_not_to_none() {
        let mut decisions = decisions();
        decisions.decide(vec![reject(0)]);
        let accept = Some((Verdict::Accept, labels(&[PER])));
        decisions.decide(vec![DecisionChange::new(Range::new(0, 2), accept)]);
        assert_eq!(decisions.undo(), Some(vec![reject(0)]));
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
    fn a_new_act_ends_what_could_be_redone() {
        let mut decisions = decisions();
        decisions.decide(vec![reject(0)]);
        decisions.undo();
        decisions.decide(vec![reject(10)]);
        assert!(!decisions.can_redo());
        assert_eq!(decisions.redo(), None);
    }
}
