//! The choice between light, dark and whatever the system says; the page's script keeps it in the
//! browser.

use crate::pages::components::prelude::*;

use crate::islands::icon::{Glyph, Icon};

/// What can be chosen: the script's name for it, what a person is told, and its picture.
const THEMES: [(&str, &str, Glyph); 3] = [
    ("auto", "System colours", Glyph::Screen),
    ("light", "Light colours", Glyph::Sun),
    ("dark", "Dark colours", Glyph::Moon),
];

/// Three buttons; the script presses the one that holds.
#[component]
pub(crate) fn ThemeSwitch() -> impl IntoView {
    let buttons = THEMES.map(|(name, label, glyph)| {
        view! {
            <button
                type="button"
                class="quiet small"
                title=label
                aria-label=label
                data-theme-choice=name
                aria-pressed="false"
            >
                <Icon glyph/>
            </button>
        }
    });
    view! {
        <div class="segmented theme-switch" role="group" aria-label="Colour scheme">
            {buttons.into_iter().collect_view()}
        </div>
    }
}
