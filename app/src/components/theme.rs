//! The choice between light, dark and whatever the system says, kept in the browser.

use leptos::prelude::*;

use crate::view::view;

use crate::components::icon::{Glyph, Icon};

/// Where the browser keeps the choice; the page's head reads it before the first paint.
const KEY: &str = "concord.theme";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Theme {
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Auto => "Colours as the system says",
            Self::Light => "Light colours",
            Self::Dark => "Dark colours",
        }
    }

    const fn glyph(self) -> Glyph {
        match self {
            Self::Auto => Glyph::Screen,
            Self::Light => Glyph::Sun,
            Self::Dark => Glyph::Moon,
        }
    }

    /// The choice made before; a browser that keeps nothing gets the system's colours.
    fn stored() -> Self {
        let storage = window().local_storage().ok().flatten();
        let name = storage.and_then(|storage| storage.get_item(KEY).ok().flatten());
        Self::ALL
            .into_iter()
            .find(|theme| Some(theme.name()) == name.as_deref())
            .unwrap_or_default()
    }

    /// Shows and keeps the choice. Where the browser refuses to keep it, it holds for this page.
    fn choose(self) {
        let Some(root) = document().document_element() else { return };
        let storage = window().local_storage().ok().flatten();
        let chosen = (self != Self::Auto).then(|| self.name());
        // A browser may refuse to keep anything; the page has its colours all the same.
        drop(match chosen {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        });
        drop(storage.map(|storage| match chosen {
            Some(name) => storage.set_item(KEY, name),
            None => storage.remove_item(KEY),
        }));
    }
}

/// Three buttons, one of them pressed.
#[component]
pub(crate) fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(Theme::default());
    Effect::new(move |_| theme.set(Theme::stored()));
    let button = move |choice: Theme| {
        view! {
            <button
                type="button"
                class="quiet small"
                title=choice.label()
                aria-label=choice.label()
                data-theme-choice=choice.name()
                aria-pressed=move || if theme.get() == choice { "true" } else { "false" }
                on:click=move |_| {
                    choice.choose();
                    theme.set(choice);
                }
            >
                <Icon glyph=choice.glyph()/>
            </button>
        }
    };
    view! {
        <div class="segmented theme-switch" role="group" aria-label="Colour scheme">
            {Theme::ALL.map(button)}
        </div>
    }
}
