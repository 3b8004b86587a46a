//! What has changed since the page was opened, and the button that starts over.

use leptos::prelude::*;

use super::board::Board;
use crate::display;
use crate::view::{dynamic, view};

/// How many pairs have changed; always there, so that nothing moves when the first one does.
#[component]
pub(crate) fn SeenLine(board: Board) -> impl IntoView {
    let changes = Memo::new(move |_| board.changes());
    let text = dynamic(move || words(changes.get(), board.seen.with(|seen| seen.marked)));
    view! {
        <div class="seen">
            <p role="status" class="soft">{text}</p>
            <button
                type="button"
                class="small"
                disabled=move || changes.get() == 0
                on:click=move |_| board.mark_seen()
            >
                "Mark as seen"
            </button>
        </div>
    }
}

/// "2 pairs have changed since you came."
fn words(changes: usize, marked: bool) -> String {
    let since = if marked { "since you marked them as seen" } else { "since you came" };
    match u64::try_from(changes).unwrap_or(u64::MAX) {
        0 => format!("Nothing has changed {since}."),
        1 => format!("1 pair has changed {since}."),
        n => format!("{} have changed {since}.", display::count(n, "pair")),
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn changes_are_counted_from_the_last_mark() {
        assert_eq!(words(0, false), "Nothing has changed since you came.");
        assert_eq!(words(1, false), "1 pair has changed since you came.");
        assert_eq!(words(12, true), "12 pairs have changed since you marked them as seen.");
    }
}
