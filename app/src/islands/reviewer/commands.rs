//! From a key to what it does.

use domain::{LabelSet, Range};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use crate::islands::editor::comments::{COMMENTS, press_link};

use super::{
    header::SIDE_BY_SIDE,
    keys::{Command, Press, command},
    panels::reason::focus_reason,
    positions::{
        Position,
        changes::accept_unanimous,
        navigation::{Way, is_conflict, is_undecided, neighbour},
    },
    session::{Opened, Session},
};

/// What is typed here is text and not a command.
const TYPED_INTO: &str = "input:not([type='checkbox']), select, textarea";

impl Session {
    /// Carries out what a key asks for; a key that asks for nothing is left to the browser.
    pub(crate) fn press(self, event: &KeyboardEvent) {
        if event.default_prevented()
            || event.is_composing()
            || self.opened.read_untracked().is_some()
            || is_typed(event)
        {
            return;
        }
        let key = event.key();
        let ctrl = event.ctrl_key() || event.meta_key();
        let (shift, alt) = (event.shift_key(), event.alt_key());
        let is_letter = !ctrl && !alt && key.chars().count() == 1;
        if is_letter && !self.letter_keys.get_untracked() {
            return;
        }
        let has_selection = self.selection.read_untracked().is_some();
        let press = Press { key: &key, ctrl, shift, alt };
        let Some(command) = command(press, &self.facts().labels, has_selection) else { return };
        event.prevent_default();
        // A key held down walks on, but it does not decide on everything that comes by.
        if !event.repeat() || matches!(command, Command::Walk(_) | Command::WalkConflicts(_)) {
            self.perform(command);
        }
    }

    /// Carries a command out.
    pub(crate) fn perform(self, command: Command) {
        match command {
            Command::Accept(number) => self.accept(number),
            Command::AcceptMajority => self.accept_majority(),
            Command::SearchLabel => self.search_label(),
            Command::GiveLabel(label) => self.give(LabelSet::one(label)),
            Command::Reject => self.reject(),
            Command::TakeBack => self.take_back(),
            Command::MoveEnd { end, right } => self.move_end_visually(end, right),
            Command::Walk(way) => {
                let current = self.current.get_untracked();
                let next = if self.conflicts_first.get_untracked() {
                    self.find_from(current, way, |_| true)
                } else {
                    neighbour(&self.positions_now(), current, way)
                };
                self.go(next, "There is no position.");
            }
            Command::WalkConflicts(way) => self.find(way, is_conflict, "There is no conflict."),
            Command::NextUndecided => {
                self.find(Way::Forward, is_undecided, "Every position is decided.");
            }
            Command::Order => self.conflicts_first.update(|first| *first = !*first),
            // The page's own script shows them.
            Command::SideBySide => press_link(SIDE_BY_SIDE),
            Command::AcceptUnanimous => self.ask_unanimous(),
            Command::Explain => self.begin_reason(),
            Command::Comments => press_link(COMMENTS),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::EndOrReopen => self.end_or_reopen(),
            Command::OpenDocument(way) => self.open_document(way),
            Command::Help => self.opened.set(Some(Opened::Help)),
            Command::DropSelection => self.selection.set(None),
        }
    }

    fn find(self, way: Way, wanted: fn(&Position) -> bool, nothing: &str) {
        let current = self.current.get_untracked();
        self.go(self.find_from(current, way, wanted), nothing);
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
                return self.say("Decide first, then say why.");
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
        if accept_unanimous(&self.positions_now()).is_empty() {
            self.say("There is no undecided position that all labelers marked alike.");
        } else if self.may_decide() {
            self.opened.set(Some(Opened::Unanimous));
        }
    }

    fn open_document(self, way: Way) {
        let facts = self.facts();
        let (document, none) = match way {
            Way::Forward => (facts.next, "This is the last document."),
            Way::Back => (facts.previous, "This is the first document."),
        };
        match document {
            Some(document) => self.destination.set(Some(document)),
            None => self.say(none),
        }
    }
}

/// Whether the key goes into a field.
fn is_typed(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches(TYPED_INTO).unwrap_or(false))
}
