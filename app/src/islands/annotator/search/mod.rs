//! Searching in the text, by words or by a pattern, also for what is not marked yet only.

pub(crate) mod finding;
pub(crate) mod label_all;

use domain::{Range, count};
use leptos::task::{spawn_local, tick};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlInputElement, KeyboardEvent, SubmitEvent};

use self::finding::{Search, next_of, ranges_of_utf16};
use super::{editor::Editor, saving::change::all_spans};
use crate::islands::{
    editor::text_view::{Unit, focus_text, show_text},
    prelude::*,
};

#[wasm_bindgen(module = "/src/islands/annotator/search/search.js")]
extern "C" {
    fn find(text: &str, sought: &str, is_pattern: bool) -> Option<Vec<u32>>;
}

/// The id of the search box.
const BOX: &str = "text-search";

impl Editor {
    /// Opens the search, or goes to it.
    pub(crate) fn search(self) {
        self.searched.update(|search| search.is_open = true);
        // Before the next key is pressed, which may be sooner than the next frame.
        spawn_local(async {
            tick().await;
            let search = document().get_element_by_id(BOX);
            let search = search.and_then(|search| search.dyn_into::<HtmlInputElement>().ok());
            if let Some(search) = search {
                // It cannot fail for an element in the page.
                drop(search.focus());
                // What is typed takes the place of what was sought before.
                search.select();
            }
        });
    }

    /// Everything that is searched for, in order; none if the pattern cannot be read.
    fn matches(self) -> Option<Vec<Range>> {
        let Search { sought, is_pattern, is_unmarked, .. } = self.searched.get();
        if sought.is_empty() {
            return Some(Vec::new());
        }
        self.layout.with_value(|layout| {
            let found = find(layout.text(), &sought, is_pattern)?;
            let mut ranges = ranges_of_utf16(layout.text(), &found);
            if is_unmarked {
                self.history.with(|history| {
                    let spans = history.spans();
                    ranges
                        .retain(|range| !all_spans(spans).any(|span| span.range.overlaps(*range)));
                });
            }
            Some(ranges)
        })
    }

    /// Selects the next or previous match; the first time, searches.
    pub(crate) fn go_to_match(self, forward: bool) {
        if self.searched.with_untracked(|search| search.sought.is_empty()) {
            return self.search();
        }
        let from = self.place();
        match untrack(|| self.matches()).and_then(|ranges| next_of(&ranges, from, forward)) {
            Some(range) => self.select(range),
            None => self.said.set("No matches.".to_owned()),
        }
    }

    /// Where a search goes on from: the selection, else the active span, else the beginning.
    pub(crate) fn place(self) -> Range {
        let active = self.active.get_untracked().map(|item| item.span.range);
        self.selection.get_untracked().or(active).unwrap_or_default()
    }

    /// Selects a range, in whole units, and shows it.
    pub(crate) fn select(self, range: Range) {
        let unit = if self.by_token.get_untracked() { Unit::Token } else { Unit::Character };
        let snapped = self.layout.with_value(|layout| layout.snap(range, unit)).unwrap_or(range);
        self.active.set(None);
        self.selection.set(Some(snapped));
        focus_text();
        self.layout.with_value(|layout| show_text(layout, snapped));
    }
}

#[component]
pub(crate) fn SearchBar(editor: Editor) -> impl IntoView {
    let searched = editor.searched;
    let words = dynamic(move || match editor.matches() {
        _ if searched.read().sought.is_empty() => String::new(),
        None => "Invalid pattern.".to_owned(),
        Some(ranges) => count(ranges.len(), "place"),
    });
    let go = move |event: SubmitEvent| {
        event.prevent_default();
        editor.go_to_match(true);
    };
    let key = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "Escape" => {
                searched.update(|search| search.is_open = false);
                focus_text();
            }
            "Enter" if event.shift_key() => editor.go_to_match(false),
            _ => return,
        }
        event.prevent_default();
    };
    let check = move |name: &'static str, of: fn(&mut Search) -> &mut bool| {
        view! {
            <label>
                <input
                    type="checkbox"
                    on:change:target=move |event| {
                        let is_checked = event.target().checked();
                        searched.update(|search| *of(search) = is_checked);
                    }
                />
                {name}
            </label>
        }
    };
    view! {
        <form class="text-search" role="search" on:submit=go on:keydown=key>
            <input
                id=BOX
                type="search"
                autocomplete="off"
                aria-label="Search text"
                placeholder="Search text"
                prop:value=move || searched.read().sought.clone()
                on:input:target=move |event| {
                    let sought = event.target().value();
                    searched.update(|search| search.sought = sought);
                }
            />
            {check("Pattern", |search| &mut search.is_pattern)}
            {check("Without a label", |search| &mut search.is_unmarked)}
            <button class="small">"Next"</button>
            <span class="soft" role="status">{words}</span>
        </form>
    }
}
