//! Spans that the limits of their labels forbid: they are not drawn, and one is told what is in the way.

use domain::{LabelDetail, Span, are_limited, count, fitting, in_the_way, may_stand_together};

use super::{
    editor::Editor,
    items::Item,
    saving::change::{Change, all_spans},
};
use crate::islands::{editor::text_view::focus_text, prelude::*};

/// How much of the text of a span in the way is told.
const TOLD: u32 = 40;

/// Looks at the spans that are there with what their labels allow.
type Look<'a, T> = dyn FnMut(&[LabelDetail], &[Span]) -> Option<T> + 'a;

impl Editor {
    /// Tells why something was not done, where everybody sees and hears it.
    pub(super) fn refuse(self, why: String) {
        self.said.set(why.clone());
        self.refused.set(why);
    }

    /// Changes the spans, unless the limits of a label forbid what is to be added; whether anything is
    /// different now. What stood in the way of a span that is replaced is in nobody's way.
    pub(super) fn change(self, change: &Change) -> bool {
        let replaced: Vec<Span> = change.removed.iter().map(|fact| fact.span).collect();
        let found = self.with_spans(&mut |details, spans| {
            change.added.iter().find_map(|fact| {
                let stays = |other: &Span| {
                    let was_broken = |old: &Span| !may_stand_together(details, *old, *other);
                    !(replaced.contains(other) || replaced.iter().any(was_broken))
                };
                let mut others = spans.iter().copied().filter(stays);
                in_the_way(details, fact.span, &mut others).map(|other| (fact.span, other))
            })
        });
        let Some((span, other)) = found.filter(|_| !self.is_read_only.get_untracked()) else {
            return self.carry_out(change);
        };
        self.refuse(format!(
            "{} is not allowed here: it overlaps {} \"{}\".",
            self.label_name(span.label),
            self.label_name(other.label),
            self.quote(other.range, TOLD),
        ));
        false
    }

    /// Adds those of these spans that the limits of labels allow, and tells what was `done` with how
    /// many, and how many were left.
    pub(super) fn add_all(self, spans: Vec<Span>, done: &str) -> bool {
        let all = spans.len();
        let taken = self.with_spans(&mut |details, present| {
            Some(fitting(details, present.to_vec(), spans.clone()))
        });
        let taken = taken.unwrap_or_default();
        let left = all - taken.len();
        let words = format!("{done}: {}.", taken.len());
        let is_done = self.carry_out(&Change::of(taken, vec![]));
        if left > 0 && !self.is_read_only.get_untracked() {
            let left = count(left, "place");
            self.refuse(format!("{words} {left} skipped: overlaps other spans."));
        } else if is_done {
            self.said.set(words);
        }
        is_done
    }

    /// Looks at the spans that are there with what their labels allow; at none where every label
    /// allows all. (One type of closure for all: a browser loads code for each.)
    fn with_spans<T>(self, look: &mut Look<'_, T>) -> Option<T> {
        self.view.with_value(|view| {
            let spans: Vec<Span> = if are_limited(&view.details) {
                self.history.with_untracked(|history| all_spans(history.spans()).collect())
            } else {
                Vec::new()
            };
            look(&view.details, &spans)
        })
    }

    /// Shows why the assignment was not handed in, and goes to what is to be mended first.
    pub(super) fn show_unfit(self) {
        let unfit = self.sync.try_update_untracked(|sync| sync.unfit.take()).flatten();
        let Some((at, why)) = unfit else { return };
        let found = self.marked.with_untracked(|marked| {
            let is_there = |item: &&Item| !item.is_suggestion && item.span.range == at;
            marked.items.iter().find(is_there).copied()
        });
        self.selection.set(None);
        self.active.set(found);
        self.refuse(why);
        focus_text();
    }
}

/// What was refused last, until something else is done.
#[component]
pub(crate) fn Refused(editor: Editor) -> impl IntoView {
    let refused = editor.refused;
    view! {
        <div class="notice warn refused" hidden=move || refused.read().is_empty()>
            <p dir="auto">{move || refused.get()}</p>
            <button
                type="button"
                class="small"
                on:click=move |_| {
                    refused.set(String::new());
                    focus_text();
                }
            >
                "Close"
            </button>
        </div>
    }
}
