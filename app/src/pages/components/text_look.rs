//! How documents look: the size of their letters, numbers at their lines, letters of one width. The
//! page's script keeps it in the browser, as it does the colours.

use leptos::prelude::*;

use crate::view::view;

/// The script's name for each button, what it shows, what a person is told, and its key.
const LOOKS: [(&str, &str, &str, &str); 4] = [
    ("smaller", "A−", "Smaller text", "Alt+-"),
    ("larger", "A+", "Larger text", "Alt+="),
    ("lines", "1.", "Line numbers", "Alt+L"),
    ("fixed", "ii", "Letters of one width, for tables", "Alt+M"),
];

/// The script shows it on pages with a document's text.
#[component]
pub(crate) fn TextLook() -> impl IntoView {
    let buttons = LOOKS.map(|(name, face, label, keys)| {
        view! {
            <button
                type="button"
                class="quiet small"
                title=label
                aria-label=label
                aria-keyshortcuts=keys
                data-look=name
            >
                {face}
            </button>
        }
    });
    view! {
        <div class="segmented text-look" role="group" aria-label="Look of the text" hidden>
            {buttons.into_iter().collect_view()}
        </div>
    }
}
