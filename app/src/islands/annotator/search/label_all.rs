//! One label for all places with the same words: what would be labelled, and doing it in one step.

use domain::{Range, Span, count};

use super::finding::{SameWords, same_words};
use crate::islands::{annotator::editor::Editor, editor::dialog::Dialog, prelude::*};

/// How much of the words is shown, and how much of what stands around each place.
const WORDS: u32 = 40;
const AROUND: u32 = 24;

/// How many places are shown; the label is given to all.
const ROWS: usize = 100;

impl Editor {
    /// Looks for the words of the active span, or of the selection for the label given last, and
    /// shows where else they stand.
    pub(crate) fn find_same_words(self) {
        let active = self.active.get_untracked().map(|item| item.span);
        let (words, label) = match (self.selection.get_untracked(), active) {
            (Some(range), _) => (range, self.last_label.get_value()),
            (None, Some(span)) => (span.range, Some(span.label)),
            (None, None) => return self.said.set("Select text or a span first.".to_owned()),
        };
        let Some(label) = label else {
            return self.said.set("Use a label first; it is repeated here.".to_owned());
        };
        let places = self.layout.with_value(|layout| same_words(layout, words));
        let is_open = |range: &Range| {
            self.history
                .with_untracked(|it| !it.spans().contains(&Span { range: *range, label }.into()))
        };
        let places = places.into_iter().filter(is_open).collect();
        self.same_words.set(Some(SameWords { words, label, places }));
    }

    fn label_all(self) {
        let Some(SameWords { label, places, .. }) = self.same_words.get_untracked() else { return };
        self.same_words.set(None);
        let added = places.into_iter().map(|range| Span { range, label }).collect();
        if self.add_all(added, &format!("Labelled {}", self.label_name(label))) {
            self.selection.set(None);
            self.last_label.set_value(Some(label));
        }
    }
}

#[component]
pub(crate) fn LabelAllDialog(editor: Editor) -> impl IntoView {
    let asked = editor.same_words;
    let close = Callback::new(move |()| asked.set(None));
    let question = dynamic(move || {
        asked.get().map(|SameWords { words, label, places }| {
            let (quote, name) = (editor.quote(words, WORDS), editor.label_name(label));
            match places.len() {
                0 => format!("Every \"{quote}\" is already labelled {name}."),
                n => format!("{} with \"{quote}\" will be labelled {name}.", count(n, "place")),
            }
        })
    });
    let rows = dynamic(move || {
        let places = asked.get().map(|same| same.places).unwrap_or_default();
        let around = move |range: Range| {
            let start = range.start.saturating_sub(AROUND);
            let end = editor.layout.with_value(|layout| layout.length()).min(range.end + AROUND);
            let piece = |start, end| editor.quote(Range::new(start, end), u32::MAX);
            view! {
                <li dir="auto">
                    {piece(start, range.start)} <mark>{piece(range.start, range.end)}</mark>
                    {piece(range.end, end)}
                </li>
            }
        };
        places.into_iter().take(ROWS).map(around).collect_view()
    });
    let more = dynamic(move || {
        let places = asked.get().map_or(0, |same| same.places.len());
        (places > ROWS).then(|| format!("and {} more", count(places - ROWS, "place")))
    });
    let is_empty = move || asked.get().is_none_or(|same| same.places.is_empty());
    view! {
        <Dialog
            id="label-equal"
            title="Label all equal strings"
            open=Signal::derive(move || asked.read().is_some())
            on_close=close
        >
            <p dir="auto">{question.clone()}</p>
            <ol class="equal">{rows.clone()}</ol>
            <p class="soft">{more.clone()}</p>
            <div class="row">
                <button
                    type="button"
                    class="primary"
                    autofocus
                    hidden=is_empty
                    on:click=move |_| editor.label_all()
                >
                    "Label all"
                </button>
                <button type="button" on:click=move |_| close.run(())>"Close"</button>
            </div>
        </Dialog>
    }
}
