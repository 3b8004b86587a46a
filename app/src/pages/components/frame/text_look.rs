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
                aria-label=label
                aria-keyshortcuts=keys
                data-look=name
            >
                <span class="text-look-face" aria-hidden="true">{face}</span>
                <span>{label}</span>
                <kbd aria-hidden="true">{keys.replace('+', " ")}</kbd>
            </button>
        }
    });
    view! {
        <div class="text-look" hidden>
            <button
                type="button"
                class="quiet small"
                popovertarget="text-look"
                title="Text appearance"
                aria-label="Text appearance"
            >
                "Aa"
            </button>
            <div class="menu-choices" popover="auto" id="text-look" role="group" aria-label="Text appearance">
                {buttons.into_iter().collect_view()}
            </div>
        </div>
    }
}
