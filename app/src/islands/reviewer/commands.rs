//! From a key to what it does.

use domain::{LabelSet, Range, Standing};
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::islands::{
    answering::focus_answers,
    editor::{elements::press_by_id, keys::table::Command},
};

use super::{
    panels::{answers::missing, reason::focus_reason},
    positions::{
        Position,
        changes::accept_unanimous,
        navigation::{Way, is_conflict, is_undecided, neighbour},
    },
    session::{Opened, Session},
};

impl Session {
    /// Carries out what a key asks for; a key that asks for nothing is left to the browser. While
    /// text is selected, labels have their keys.
    pub(crate) fn press(self, event: &KeyboardEvent) {
        let facts = self.facts();
        let has_selection = self.selection.read_untracked().is_some();
        let labels = if has_selection { facts.labels.as_slice() } else { &[] };
        let Some(command) = self.keyboard.command_of(event, labels) else { return };
        if command == Command::Clear && !has_selection {
            return;
        }
        event.prevent_default();
        // A key held down walks on, but it does not decide on everything that comes by.
        if !event.repeat()
            || matches!(command, Command::Walk { .. } | Command::WalkConflicts { .. })
        {
            self.perform(command);
        }
    }

    /// Carries a command out.
    pub(crate) fn perform(self, command: Command) {
        match command {
            Command::Accept(number) => self.accept(number),
            Command::AcceptMajority => self.accept_majority(),
            Command::SearchLabels => self.search_label(),
            Command::Label { label, .. } => self.give(LabelSet::one(label)),
            Command::Reject => self.reject(),
            Command::Delete => self.take_back(),
            Command::Resize { end, right } => self.move_end_visually(end, right),
            Command::Walk { forward } => self.walk(Way::of(forward)),
            Command::WalkConflicts { forward } => {
                self.find(Way::of(forward), is_conflict, "No conflicts.");
            }
            Command::NextUndecided => self.next_undecided(),
            Command::Attributes => self.begin_answer(),
            Command::Order => self.conflicts_first.update(|first| *first = !*first),
            Command::Press(id) => press_by_id(id),
            Command::AcceptUnanimous => self.ask_unanimous(),
            Command::Explain => self.begin_reason(),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Submit => self.end_or_reopen(),
            Command::OpenDocument { forward } => self.open_document(Way::of(forward)),
            Command::Commands => self.opened.set(Some(Opened::Commands)),
            Command::Clear => self.selection.set(None),
            _ => {}
        }
    }

    fn walk(self, way: Way) {
        let current = self.current.get_untracked();
        let next = if self.conflicts_first.get_untracked() {
            self.find_from(current, way, |_| true)
        } else {
            neighbour(&self.positions_now(), current, way)
        };
        self.go(next, "No positions.");
    }

    fn find(self, way: Way, wanted: fn(&Position) -> bool, nothing: &str) {
        let current = self.current.get_untracked();
        self.go(self.find_from(current, way, wanted), nothing);
    }

    fn next_undecided(self) {
        let is_open = self.positions_now().iter().any(is_undecided);
        if is_open || !self.go_to_unanswered() {
            return self.find(Way::Forward, is_undecided, "All positions are decided.");
        }
        self.say(format!("{}.", missing(self.unanswered_now().len())));
    }

    fn begin_answer(self) {
        if !focus_answers() {
            self.say("No attributes here.");
        }
    }

    fn go(self, range: Option<Range>, nothing: &str) {
        match range {
            Some(range) => {
                self.selection.set(None);
                self.current.set(Some(range));
            }
            None => self.say(nothing),
        }
    }

    fn begin_reason(self) {
        let is_decided = |position: &Position| position.decision.is_some();
        if !self.current_now().as_ref().is_some_and(is_decided) {
            let latest = self.decisions.read_untracked().latest();
            let Some(latest) = latest else {
                return self.say("Decide first, then give a reason.");
            };
            self.current.set(Some(latest));
        }
        if self.may_decide() {
            // Once the field is there for the position that is current now.
            request_animation_frame(focus_reason);
        }
    }

    fn search_label(self) {
        if self.target().is_some() && self.may_decide() {
            self.opened.set(Some(Opened::Labels));
        }
    }

    fn ask_unanimous(self) {
        let positions = self.positions_now();
        if accept_unanimous(&positions).is_empty() {
            let is_waiting = |position: &Position| position.standing == Standing::Waiting;
            if positions.iter().any(is_waiting) {
                self.say(format!("Nothing is unanimous yet: {}.", self.facts().finished()));
            } else {
                self.say("No undecided unanimous positions.");
            }
        } else if self.may_decide() {
            self.opened.set(Some(Opened::Unanimous));
        }
    }

    fn open_document(self, way: Way) {
        let facts = self.facts();
        let (document, none) = match way {
            Way::Forward => (facts.next, "Last document."),
            Way::Back => (facts.previous, "First document."),
        };
        match document {
            Some(document) => self.destination.set(Some(document)),
            None => self.say(none),
        }
    }
}
