//! How documents look: the size of their letters, numbers at their lines, letters of one width. The
//! page's script keeps it in the browser, as it does the colours.

use crate::pages::components::prelude::*;

/// The script's name for each button, what it shows, what a person is told, and its key.
const LOOKS: [(&str, &str, &str, &str); 4] = [
    ("smaller", "A−", "Smaller text", "Alt+-"),
    ("larger", "A+", "Larger text", "Alt+="),
    ("lines", "1.", "Line numbers", "Alt+L"),
    ("fixed", "ii", "Monospaced letters", "Alt+M"),
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
        <div class="segmented text-look" role="group" aria-label="Text appearance" hidden>
            {buttons.into_iter().collect_view()}
        </div>
    }
}
