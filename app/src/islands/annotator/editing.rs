//! What a command does to the spans.

use domain::{Fact, LabelId, Range, Span, chosen_on};
use leptos::prelude::*;

use super::{
    editor::Editor,
    items::{Item, Place, neighbour},
    panels::palette::focus_search,
    saving::{
        change::{Change, Deed, Spans, all_spans},
        history::History,
        merging::Subject,
        saver::Saver,
        sync::{Intent, Sync},
    },
    search::finding::{grown, shrunk, unmarked_capital},
};
use crate::islands::editor::{
    elements::press_by_id,
    keys::table::Command,
    text_view::{End, Layout, focus_text, is_rtl, resized},
};

/// How much of a span's text is read out.
const SPOKEN: u32 = 80;

impl Editor {
    /// Does what a person wants done; whether there was anything to do.
    pub(crate) fn run(self, command: Command) -> bool {
        match command {
            Command::Label { label, add } => self.label(label, add),
            Command::Enter => return self.enter(),
            Command::SearchLabels => focus_search(),
            Command::Attributes => self.focus_attributes(),
            Command::Delete => return self.delete(),
            Command::Walk { forward } => self.walk(forward),
            Command::Resize { end, right } => return self.resize_visually(end, right),
            Command::ToggleUnit => self.by_token.update(|by_token| *by_token = !*by_token),
            Command::Undo => self.travel("Undone", History::undo, Change::inverse),
            Command::Redo => self.travel("Redone", History::redo, Change::clone),
            Command::Submit => self.submit(),
            Command::OpenDocument { forward } => return self.open_document(forward),
            Command::Press(id) => self.press(id),
            Command::Commands => self.helps.set(true),
            Command::Grow => return self.resize_selection(grown),
            Command::Shrink => return self.resize_selection(shrunk),
            Command::Search => self.search(),
            Command::Match { forward } => self.go_to_match(forward),
            Command::Capital { forward } => self.go_to_capital(forward),
            Command::Repeat => match self.last_label.get_value() {
                Some(label) => self.label(label, false),
                None => self.said.set("No label used yet.".to_owned()),
            },
            Command::LabelAll => self.find_same_words(),
            Command::Clear => {
                self.selection.set(None);
                self.active.set(None);
            }
            _ => return false,
        }
        true
    }

    /// Opens what can be said of the document; what is pending is saved first.
    fn press(self, id: &str) {
        self.saver.with_value(Saver::flush);
        press_by_id(id);
    }

    /// Selects more, or less, of what is around the selection or the active span.
    fn resize_selection(self, resized: fn(&Layout, Range) -> Option<Range>) -> bool {
        let from = self.place();
        let range = self.layout.with_value(|layout| resized(layout, from));
        if let Some(range) = range.filter(|_| !from.is_empty()) {
            self.select(range);
        }
        range.is_some()
    }

    /// Selects the next or previous capitalised word that nobody has marked.
    fn go_to_capital(self, forward: bool) {
        let from = self.place();
        let found = self.layout.with_value(|layout| {
            self.history
                .with_untracked(|history| unmarked_capital(layout, history.spans(), from, forward))
        });
        match found {
            Some(range) => self.select(range),
            None => self.said.set("Every capitalised word has a label.".to_owned()),
        }
    }

    /// Labels the selection, or relabels the active span, or with `add` labels its position once
    /// more. The span is active then, so that another label's key corrects it.
    pub(crate) fn label(self, label: LabelId, add: bool) {
        let active = self.active.get_untracked();
        let change = match (self.selection.get_untracked(), active) {
            (Some(range), _) => Change::of(vec![Span { range, label }], vec![]),
            (None, Some(Item { span, is_suggestion })) => {
                let stays = add || is_suggestion || span.label == label;
                let removed = if stays { vec![] } else { vec![span] };
                Change::of(vec![Span { label, ..span }], removed)
            }
            (None, None) => {
                self.said.set("Select text first, then choose a label.".to_owned());
                return;
            }
        };
        let Some(span) = change.added.first().map(|fact| fact.span) else { return };
        self.last_label.set_value(Some(label));
        self.pointed.set(None);
        let is_new = self.change(&change);
        let is_there = self.history.with_untracked(|it| it.spans().contains(&span.into()));
        if is_there && !self.is_read_only.get_untracked() {
            self.selection.set(None);
            self.active.set(Some(Item::marked(span)));
        }
        if is_new {
            self.say("Marked", span);
        }
    }

    /// Takes the active suggestion, or else goes to the search for a label; goes on to the next
    /// document once this one is submitted.
    fn enter(self) -> bool {
        if self.is_read_only.get_untracked() {
            self.go_on();
            return true;
        }
        let active = self.active.get_untracked();
        match active.filter(|_| self.selection.get_untracked().is_none()) {
            Some(Item { span, is_suggestion: true }) => self.take_suggestion(span),
            active if active.is_some() || self.selection.get_untracked().is_some() => {
                focus_search();
            }
            _ => return false,
        }
        true
    }

    /// Takes a suggestion.
    pub(crate) fn take_suggestion(self, span: Span) {
        if self.change(&Change::of(vec![span], vec![])) {
            self.active.set(Some(Item::marked(span)));
            self.say("Taken", span);
        }
    }

    /// Takes every suggestion that has not been taken.
    pub(crate) fn take_all_suggestions(self) {
        let items = self.marked.with_untracked(|marked| marked.items.clone());
        let added: Vec<_> =
            items.iter().filter(|item| item.is_suggestion).map(|item| item.span).collect();
        self.add_all(added, "Suggestions accepted");
    }

    /// Deletes the spans inside the selection, or else the active span.
    pub(crate) fn delete(self) -> bool {
        let removed: Vec<Span> = match (self.selection.get_untracked(), self.active.get_untracked())
        {
            (Some(range), _) => self.history.with_untracked(|history| {
                all_spans(history.spans())
                    .filter(|span| range.start <= span.range.start && span.range.end <= range.end)
                    .collect()
            }),
            (None, Some(Item { span, is_suggestion: false })) => vec![span],
            _ => return false,
        };
        let deleted = domain::count(removed.len(), "span");
        if self.carry_out(&Change::of(vec![], removed)) {
            self.active.set(None);
            self.said.set(format!("Deleted: {deleted}."));
        }
        true
    }

    /// Makes the next or previous item active.
    pub(crate) fn walk(self, forward: bool) {
        let from = match (self.active.get_untracked(), self.selection.get_untracked()) {
            (Some(item), None) => Place::On(item),
            (_, Some(range)) => Place::At(range.start),
            (None, None) => Place::At(0),
        };
        let next = self.marked.with_untracked(|marked| neighbour(&marked.items, from, forward));
        if let Some(item) = next {
            self.selection.set(None);
            self.active.set(Some(item));
            self.say(if item.is_suggestion { "Suggested" } else { "Active" }, item.span);
        }
    }

    /// Moves an end of the active span to the left or right, as the text there is written.
    fn resize_visually(self, end: End, right: bool) -> bool {
        let Some(Item { span, .. }) = self.active.get_untracked() else { return false };
        let rtl = self.layout.with_value(|layout| is_rtl(layout, span.range.start));
        self.resize(end, right != rtl);
        true
    }

    /// Moves an end of the active span forward or back in the text.
    pub(crate) fn resize(self, end: End, forward: bool) {
        let Some(Item { span, is_suggestion: false }) = self.active.get_untracked() else { return };
        let moved =
            self.layout.with_value(|layout| resized(layout, span.range, end, forward, self.unit()));
        if let Some(range) = moved {
            self.replace(span, Span { range, ..span });
        }
    }

    /// Moves the active span to the selected text.
    pub(crate) fn move_to_selection(self) {
        let Some(Item { span, is_suggestion: false }) = self.active.get_untracked() else { return };
        let Some(range) = self.selection.get_untracked() else { return };
        self.selection.set(None);
        self.replace(span, Span { range, ..span });
    }

    /// Puts a span in the place of another of the same label, with what was chosen on it.
    fn replace(self, old: Span, new: Span) {
        let mut change = Change::of(vec![new], vec![old]);
        let chosen = self.history.with_untracked(|history| chosen_on(history.spans(), old));
        change.added.extend(chosen.into_iter().map(|fact| Fact { span: new, ..fact }));
        if self.change(&change) {
            self.active.set(Some(Item::marked(new)));
            self.say("Now", new);
        }
    }

    /// Goes a step through what was done; `done` is what the person did at first.
    fn travel(
        self,
        word: &str,
        step: fn(&mut History) -> Option<Change>,
        done: fn(&Change) -> Change,
    ) {
        if self.is_read_only.get_untracked() {
            return;
        }
        let Some(change) = self.history.try_update(step).flatten() else { return };
        self.saver.with_value(|saver| saver.changed(&change));
        self.selection.set(None);
        let mut marked = change.added.iter().filter(|fact| fact.span != Span::DOCUMENT);
        self.active.set(marked.next().map(|fact| Item::marked(fact.span)));
        self.said.set(format!("{word}: {}.", self.deed_words(done(&change).deed())));
    }

    /// "PER on “Hamlet”".
    fn deed_words(self, deed: Deed) -> String {
        let on = |what: &str, span: Span| format!("{what} “{}”", self.quote(span.range, SPOKEN));
        match deed {
            Deed::Marked(span) => on(&format!("{} on", self.label_name(span.label)), span),
            Deed::Deleted(span) => on("deletion of", span),
            Deed::Relabelled(span) => on("label of", span),
            Deed::Resized(span) => on("boundary of", span),
            Deed::Answered(Span::DOCUMENT) => "answer about the document".to_owned(),
            Deed::Answered(span) => on("attribute of", span),
            Deed::Several(spans) => domain::count(spans, "span"),
        }
    }

    /// Hands the assignment in, once everything is saved.
    pub(crate) fn submit(self) {
        if !self.is_read_only.get_untracked() {
            self.saver.with_value(|saver| saver.intend(Intent::Submit));
        }
    }

    /// Takes the submission back.
    pub(crate) fn reopen(self) {
        self.saver.with_value(|saver| saver.intend(Intent::Reopen));
    }

    /// Goes to the next or previous document, once everything is saved.
    fn open_document(self, forward: bool) -> bool {
        let to = self.view.with_value(|view| if forward { view.next } else { view.previous });
        let Some(to) = to else { return false };
        self.leave(format!("/assignments/{to}"));
        true
    }

    /// Where one goes on: the next document that is not submitted, or back to the list.
    pub(crate) fn way_on(self) -> (String, bool) {
        self.view.with_value(|view| match view.unfinished {
            Some(id) => (format!("/assignments/{id}"), true),
            None => (format!("/projects/{}/work", view.project), false),
        })
    }

    fn go_on(self) {
        self.leave(self.way_on().0);
    }

    /// Goes somewhere else, once everything is saved.
    pub(crate) fn leave(self, path: String) {
        self.saver.with_value(|saver| saver.intend(Intent::Leave(path)));
    }

    /// Ends a conflict with the version that was saved elsewhere. Undo brings the changes back.
    pub(crate) fn use_theirs(self) {
        let theirs = self.sync.try_update(Sync::use_theirs).flatten();
        self.show(theirs);
    }

    /// Ends a conflict with the changes from here on top of what was saved elsewhere, except on
    /// the places in `dropped`.
    pub(crate) fn use_mine(self, dropped: &[Subject]) {
        let mine = self.history.with_untracked(|history| {
            self.sync.try_update(|sync| sync.use_mine(history.spans(), dropped)).flatten()
        });
        self.show(mine);
    }

    fn show(self, spans: Option<Spans>) {
        let Some(spans) = spans else { return };
        let done = self.history.try_update(|history| {
            let change = Change::between(history.spans(), &spans);
            history.apply(&change)
        });
        self.active.set(None);
        self.saver.with_value(|saver| {
            if let Some(done) = done.flatten() {
                saver.changed(&done);
            }
            saver.decided();
        });
        focus_text();
    }

    fn say(self, word: &str, span: Span) {
        let (name, quote) = (self.label_name(span.label), self.quote(span.range, SPOKEN));
        self.said.set(format!("{word}: {name}, \"{quote}\""));
    }

    /// A span was clicked or tapped: it is active, and can be changed where it stands.
    pub(crate) fn point_at(self, index: usize) {
        self.pick(index);
        self.pointed.set(self.active.get_untracked().map(|item| item.span.range));
    }

    /// An end of what was pointed at was dragged to somewhere else.
    pub(crate) fn reach(self, from: Range, to: Range) {
        self.pointed.set(Some(to));
        if self.selection.get_untracked() == Some(from) {
            self.selection.set(Some(to));
        } else if let Some(Item { span, is_suggestion: false }) = self.active.get_untracked() {
            self.selection.set(None);
            self.replace(span, Span { range: to, ..span });
        }
    }

    /// A click on a span makes it active and takes the selection off.
    pub(crate) fn pick(self, index: usize) {
        let item = self.marked.with_untracked(|marked| marked.items.get(index).copied());
        self.selection.set(None);
        self.active.set(item);
        if let Some(Item { span, .. }) = item {
            self.say("Active", span);
        }
    }
}
