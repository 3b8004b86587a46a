//! The state of the annotate page while somebody works on it, as signals that its components
//! share.

use std::{collections::BTreeMap, sync::Arc};

use domain::{AssignmentView, LabelDetail, LabelId, Range, Span, WorkState};
use leptos::{prelude::*, task::spawn_local};

use super::{
    items::{Item, Labels, Marked, counts, items},
    saving::{
        change::Change, history::History, log::place_of, saver::Saver, status::Status, sync::Sync,
    },
    search::finding::{SameWords, Search},
};
use crate::islands::editor::{
    keys::{Keyboard, table::Workplace},
    text_view::{Layout, Unit},
};

/// Everything that the pieces of the page share; a handle that is copied.
#[derive(Clone, Copy)]
pub(crate) struct Editor {
    pub keyboard: Keyboard,
    pub view: StoredValue<Arc<AssignmentView>>,
    pub labels: StoredValue<Arc<Labels>>,
    pub layout: StoredValue<Arc<Layout>>,
    pub saver: StoredValue<Saver>,
    pub history: RwSignal<History>,
    pub sync: RwSignal<Sync>,
    pub selection: RwSignal<Option<Range>>,
    pub by_token: RwSignal<bool>,
    pub active: RwSignal<Option<Item>>,
    /// What was selected or picked by mouse, pen or finger, until something else is.
    pub pointed: RwSignal<Option<Range>>,
    /// What has just happened, read out and shown nowhere.
    pub said: RwSignal<String>,
    /// What was not done and why, shown until something else is done.
    pub refused: RwSignal<String>,
    /// How many changes of an earlier visit were found and shown again.
    pub kept: RwSignal<usize>,
    /// Whether the browser keeps what is not saved.
    pub keeps: RwSignal<bool>,
    /// Whether everything that can be done is shown.
    pub helps: RwSignal<bool>,
    pub searched: RwSignal<Search>,
    /// Places that may get the same label, while the person is asked.
    pub same_words: RwSignal<Option<SameWords>>,
    /// The label that was given last.
    pub last_label: StoredValue<Option<LabelId>>,
    pub shows_suggestions: RwSignal<bool>,
    pub marked: Memo<Marked>,
    pub counts: Memo<BTreeMap<LabelId, usize>>,
    pub status: Memo<Status>,
    pub is_read_only: Memo<bool>,
}

impl Editor {
    /// The editor of a document that was just loaded.
    pub(crate) fn new(view: Arc<AssignmentView>, layout: Arc<Layout>) -> Self {
        let content = &view.content;
        let history = History::new(content.facts());
        let place = place_of(view.person, view.id);
        let saver = Saver::new(Sync::new(view.id, content), history, place);
        let history = RwSignal::from(saver.history.clone());
        let sync = RwSignal::from(saver.sync.clone());
        let (kept, keeps) =
            (RwSignal::from(saver.kept.clone()), RwSignal::from(saver.keeps.clone()));
        let labels = Arc::new(Labels::new(view.labels.clone()));
        let suggestions: Vec<Span> = view.suggestions.iter().chain(&view.agreed).copied().collect();
        let is_read_only = Memo::new(move |_| sync.read().state() == WorkState::Submitted);
        let shows_suggestions = RwSignal::new(true);
        let offered = move || shows_suggestions.get() && !is_read_only.get();
        let marked = Memo::new({
            let (labels, layout) = (Arc::clone(&labels), Arc::clone(&layout));
            move |before: Option<&Marked>| {
                let suggestions = if offered() { suggestions.as_slice() } else { &[] };
                let items = items(history.read().spans(), suggestions);
                Marked::new(items, &labels, &layout, before)
            }
        });
        Self {
            keyboard: Keyboard::new(Workplace::Annotator, view.keys.clone()),
            view: StoredValue::new(view),
            labels: StoredValue::new(labels),
            layout: StoredValue::new(layout),
            saver: StoredValue::new(saver),
            history,
            sync,
            selection: RwSignal::new(None),
            by_token: RwSignal::new(true),
            active: RwSignal::new(None),
            pointed: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            refused: RwSignal::new(String::new()),
            kept,
            keeps,
            helps: RwSignal::new(false),
            searched: RwSignal::new(Search::default()),
            same_words: RwSignal::new(None),
            last_label: StoredValue::new(None),
            shows_suggestions,
            marked,
            counts: Memo::new(move |_| counts(history.read().spans())),
            status: Memo::new(move |_| Status::of(&sync.read(), history.read().spans())),
            is_read_only,
        }
    }

    pub(crate) fn unit(self) -> Unit {
        Unit::of(self.by_token.get_untracked())
    }

    /// The active item if it is a span.
    pub(crate) fn active_span(self) -> Option<Span> {
        let active = self.active.get();
        active.filter(|item| !item.is_suggestion).map(|item| item.span)
    }

    /// The range that was pointed at, while it is what the labels are for.
    pub(crate) fn pointed_range(self) -> Option<Range> {
        let pointed = self.pointed.get().filter(|_| !self.is_read_only.get())?;
        let present = match self.selection.get() {
            Some(range) => Some(range),
            None => self.active.get().map(|item| item.span.range),
        };
        (present == Some(pointed)).then_some(pointed)
    }

    /// The place of the active item among all.
    pub(crate) fn active_index(self) -> Option<usize> {
        let active = self.active.get()?;
        self.marked.with(|marked| marked.index_of(active))
    }

    pub(crate) fn label_name(self, label: LabelId) -> String {
        self.labels.with_value(|labels| labels.name(label).to_owned())
    }

    /// What is said of a label beyond its name.
    pub(crate) fn detail(self, label: LabelId) -> Option<LabelDetail> {
        self.view.with_value(|view| view.details.iter().find(|it| it.id == label).cloned())
    }

    /// The class of a label's colour.
    pub(crate) fn colour_class(self, label: LabelId) -> String {
        let colour = self.labels.with_value(|labels| labels.find(label).map(|label| label.colour));
        colour.map_or_else(String::new, |colour| format!("colour-{}", colour.index()))
    }

    pub(crate) fn quote(self, range: Range, most: u32) -> String {
        self.layout.with_value(|layout| layout.quote(range, most))
    }

    /// Changes the spans, unless the assignment is submitted; whether anything is different now.
    pub(crate) fn carry_out(self, change: &Change) -> bool {
        if self.is_read_only.get_untracked() {
            self.said.set("This document is submitted. Reopen it to change it.".to_owned());
            return false;
        }
        let done = self.history.try_update(|history| history.apply(change)).flatten();
        if let Some(done) = &done {
            self.saver.with_value(|saver| saver.changed(done));
            if !self.refused.read_untracked().is_empty() {
                self.refused.set(String::new());
            }
        }
        done.is_some()
    }

    /// Takes up what earlier pages could not save, and the first time their steps.
    pub(crate) fn take_up(self, is_first: bool) {
        let length = self.layout.with_value(|layout| layout.length());
        let labels = self.labels.with_value(|labels| labels.ids());
        let saver = self.saver.get_value();
        if is_first {
            saver.begin();
        }
        spawn_local(saver.take_up(length, labels, is_first));
    }
}
