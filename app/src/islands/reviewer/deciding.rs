//! What a reviewer does in a session: accept, reject, give labels, take back, undo.

use domain::{DecisionChange, GroupAnswer, LabelSet, Range, Verdict, WorkState};
use leptos::prelude::*;

use super::{
    panels::answers::missing,
    positions::{
        Position, Resolution,
        changes::{accept_unanimous, moved},
        decisions::Decisions,
        find_position,
        groups::{alternatives_of, chosen, decided_with, most_given, with_others_rejected},
        index_of,
        navigation::{Way, count_decided, count_decisions, is_undecided, neighbour},
        wording::act_words,
    },
    session::Session,
};
use crate::islands::editor::{
    keys::table::Command,
    text_view::{End, Unit, is_rtl, resized},
};

/// The most characters of a moved position that are read out.
const SPOKEN: u32 = 100;

/// What an undo is told by.
const UNDONE: &str = "Undone";

impl Session {
    /// Accepts the labelers' answer with this number, from 0.
    pub(crate) fn accept(self, number: usize) {
        let Some(position) = self.current_now() else { return };
        let alternatives = alternatives_of(&self.positions_now(), &position);
        if let Some(alternative) = alternatives.get(number) {
            self.choose(&alternative.answer);
        } else if position.group.is_none()
            && let Some(choice) = position.choices().into_iter().nth(number)
        {
            self.decide(position.range, (Verdict::Accept, choice.labels));
        }
    }

    /// Accepts what most labelers gave.
    pub(crate) fn accept_majority(self) {
        let Some(position) = self.current_now() else { return };
        if position.group.is_some() {
            let alternatives = alternatives_of(&self.positions_now(), &position);
            return match most_given(&alternatives) {
                Some(most) => self.choose(&most.answer),
                None => self.say("Tie: accept one by number."),
            };
        }
        match position.majority() {
            Some(labels) => self.decide(position.range, (Verdict::Accept, labels)),
            None if position.marked.is_empty() => self.say("No labeler has a span here."),
            None => self.say("Tie: accept one by number."),
        }
    }

    /// Lets an answer stand in the current group; the others are rejected unless they are to stay.
    pub(crate) fn choose(self, answer: &GroupAnswer) {
        let Some(current) = self.current.get_untracked() else { return };
        let reject_others = self.reject_others.get_untracked();
        let changes = chosen(&self.positions_now(), current, answer, reject_others);
        let at = answer.0.keys().next().copied();
        self.decide_all(changes, at.unwrap_or(current));
    }

    /// Says that nothing is to be marked at the current position, or in all of its group.
    pub(crate) fn reject(self) {
        let Some(position) = self.current_now() else { return };
        if position.marked.is_empty() {
            self.say("You added this position: undo the decision instead.");
        } else {
            let positions = self.positions_now();
            let nothing = chosen(&positions, position.range, &GroupAnswer::default(), true);
            self.decide_all(nothing, position.range);
        }
    }

    /// The range that a label would be given to: the selected text, or the current position.
    pub(crate) fn target(self) -> Option<Range> {
        self.selection.get_untracked().or_else(|| self.current.get_untracked())
    }

    /// Gives labels to the selected text, or to the current position.
    pub(crate) fn give(self, labels: LabelSet) {
        let Some(range) = self.target() else { return };
        let resolution = find_position(&self.positions_now(), range)
            .unwrap_or(&Position::added(range, None))
            .resolution(labels);
        self.decide(range, resolution);
    }

    /// Takes the decision on the current position, or on all of its group, back.
    pub(crate) fn take_back(self) {
        let Some(position) = self.current_now() else { return };
        let positions = self.positions_now();
        let together = decided_with(&positions, position.range);
        let words = act_words(
            together.iter().filter_map(|one| one.decision.as_ref()),
            &self.facts().labels,
        );
        let back = together.iter().map(|one| DecisionChange::new(one.range, None)).collect();
        if self.carry_out(back) {
            self.stay_near(position.range);
            self.say(format!("Undone: {}.", words.unwrap_or_default()));
        }
    }

    /// Notes why the current position was decided as it was.
    pub(crate) fn explain(self, note: &str) {
        let Some(position) = self.current_now().filter(|position| position.decision.is_some())
        else {
            return;
        };
        let explained = DecisionChange { note: note.trim().to_owned(), ..position.present() };
        if self.carry_out(vec![explained]) {
            self.say("Reason saved.");
        }
    }

    /// Moves an end of the current position to the left or right, as the text there is written.
    pub(crate) fn move_end_visually(self, end: End, right: bool) {
        let Some(range) = self.current.get_untracked() else { return };
        let is_rtl = is_rtl(&self.facts().layout, range.start);
        self.move_end(end, right != is_rtl);
    }

    /// Moves an end of the current position by a token. The labels that stand there, or else those
    /// that most labelers gave, go with it.
    pub(crate) fn move_end(self, end: End, forward: bool) {
        let Some(position) = self.current_now() else { return };
        let decided = position.decision.as_ref().map(|decided| decided.labels.clone());
        let labels = decided.filter(|labels| !labels.is_empty()).or_else(|| position.majority());
        let Some(labels) = labels else {
            return self.say("Tie: accept one by number first.");
        };
        let layout = &self.facts().layout;
        let Some(to) = resized(layout, position.range, end, forward, Unit::Token) else {
            return self.say("Cannot move further.");
        };
        let positions = self.positions_now();
        let mut changes = moved(&positions, (position.range, to), labels);
        if self.reject_others.get_untracked() {
            changes = with_others_rejected(&positions, (position.range, to), changes);
        }
        if self.carry_out(changes) {
            self.current.set(Some(to));
            self.say(format!("Now “{}”.", layout.quote(to, SPOKEN)));
        }
    }

    /// Accepts everything that all labelers marked alike and that is not decided yet.
    pub(crate) fn accept_all_unanimous(self) {
        let changes = accept_unanimous(&self.positions_now());
        let count = changes.len();
        if self.carry_out(changes) {
            self.move_on(self.current.get_untracked(), &format!("{count} accepted."));
        }
    }

    /// Takes the latest act back.
    pub(crate) fn undo(self) {
        self.undo_or_redo(Decisions::undo, UNDONE, "Nothing to undo.");
    }

    /// Carries out again what was taken back.
    pub(crate) fn redo(self) {
        self.undo_or_redo(Decisions::redo, "Redone", "Nothing to redo.");
    }

    fn undo_or_redo(
        self,
        step: fn(&mut Decisions) -> Option<Vec<DecisionChange>>,
        done: &str,
        nothing: &str,
    ) {
        if !self.may_decide() {
            return;
        }
        let before = self.positions_now();
        let Some(changes) = self.decisions.try_update(step).flatten() else {
            return self.say(nothing);
        };
        let after = self.positions_now();
        if let Some(first) = changes.first().filter(|first| !first.is_of_document()) {
            self.stay_near(first.range);
        }
        // What is undone stood there before, what is redone stands there now.
        let decided = |positions: &[Position]| {
            let decided =
                changes.iter().filter_map(|change| find_position(positions, change.range));
            act_words(decided.filter_map(|one| one.decision.as_ref()), &self.facts().labels)
        };
        let words = if done == UNDONE { decided(&before) } else { decided(&after) };
        let what = match changes.as_slice() {
            [one] if one.is_of_document() => "answer about the document".to_owned(),
            [one] => format!("decision on “{}”", self.facts().layout.quote(one.range, SPOKEN)),
            several => words.unwrap_or_else(|| domain::count(several.len(), "decision")),
        };
        self.saver().save(changes);
        self.say(format!("{done}: {what}."));
    }

    fn decide(self, range: Range, resolution: Resolution) {
        let mut changes = vec![DecisionChange::new(range, Some(resolution))];
        if self.reject_others.get_untracked()
            && let Some(current) = self.current.get_untracked()
        {
            changes = with_others_rejected(&self.positions_now(), (current, range), changes);
        }
        self.decide_all(changes, range);
    }

    /// Decides on positions by one act, and goes on from one of them.
    fn decide_all(self, changes: Vec<DecisionChange>, from: Range) {
        let positions = self.positions_now();
        let is_same = |change: &DecisionChange| {
            let there = find_position(&positions, change.range);
            there.is_some_and(|there| there.resolved() == change.decision)
        };
        if changes.iter().all(is_same) {
            self.selection.set(None);
            return self.move_on(Some(from), "No change: same decision.");
        }
        let ranges: Vec<_> = changes.iter().map(|change| change.range).collect();
        if self.carry_out(changes) {
            self.selection.set(None);
            let positions = self.positions_now();
            let decided = ranges.iter().filter_map(|range| find_position(&positions, *range));
            let decided = decided.filter_map(|position| position.decision.as_ref());
            let words = act_words(decided, &self.facts().labels).unwrap_or_default();
            self.move_on(Some(from), &format!("{words}."));
        }
    }

    /// Carries changes out on screen and has them saved; says whether anything changed.
    pub(super) fn carry_out(self, changes: Vec<DecisionChange>) -> bool {
        if !self.may_decide() {
            return false;
        }
        let changes =
            self.decisions.try_update(|decisions| decisions.decide(changes)).unwrap_or_default();
        let is_act = !changes.is_empty();
        if is_act {
            self.saver().save(changes);
        }
        is_act
    }

    /// Whether decisions can be made; says why not otherwise.
    pub(super) fn may_decide(self) -> bool {
        let refusal = if self.state.get_untracked() == WorkState::Submitted {
            Some("Review finished. Reopen it to change a decision.")
        } else {
            let is_changing = self.wanted_state.get_untracked().is_some();
            is_changing.then_some("Wait until the review is finished.")
        };
        if let Some(refusal) = refusal {
            self.say(refusal);
        }
        refusal.is_none()
    }

    /// Goes to the next undecided position, and says what was done and what is left.
    pub(super) fn move_on(self, from: Option<Range>, done: &str) {
        let positions = self.positions_now();
        let next = self.find_from(from, Way::Forward, is_undecided);
        let left = count_decisions(&positions) - count_decided(&positions);
        self.current.set(next.or(from));
        let unanswered = self.unanswered_now().len();
        self.say(if left == 0 && unanswered > 0 {
            format!("{done} All positions decided, {}.", missing(unanswered))
        } else if left == 0 {
            let keys = self.keyboard.shown(Command::Submit);
            format!("{done} All positions decided: finish the review with {keys}.")
        } else {
            format!("{done} {left} undecided.")
        });
    }

    /// Makes the position with this range current, or its neighbour if it is gone.
    pub(super) fn stay_near(self, range: Range) {
        let positions = self.positions_now();
        let near = match index_of(&positions, range) {
            Ok(_) => Some(range),
            Err(_) => neighbour(&positions, Some(range), Way::Forward),
        };
        self.current.set(near);
    }

    pub(super) fn current_now(self) -> Option<Position> {
        find_position(&self.positions_now(), self.current.get_untracked()?).cloned()
    }
}
