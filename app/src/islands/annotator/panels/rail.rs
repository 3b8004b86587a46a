//! The rail beside the text: the labels and spans, or the guidelines.

use crate::islands::prelude::*;

/// The panels; where there are guidelines, tabs lead to them and back.
#[component]
pub(crate) fn Rail(
    /// What the labels mean in this project; the server has made the HTML safe.
    guidelines: String,
    children: Children,
) -> impl IntoView {
    let reads = RwSignal::new(false);
    let tab = move |name: &'static str, of_guidelines: bool| {
        view! {
            <button
                type="button"
                class="small"
                aria-pressed=move || (reads.get() == of_guidelines).to_string()
                on:click=move |_| reads.set(of_guidelines)
            >
                {name}
            </button>
        }
    };
    let has_guidelines = !guidelines.is_empty();
    let tabs = has_guidelines.then(|| {
        view! {
            <div class="segmented rail-tabs" role="group" aria-label="Beside the text">
                {tab("Labels", false)}
                {tab("Guidelines", true)}
            </div>
        }
    });
    let guidelines = has_guidelines.then(|| {
        view! {
            <section class="annotate-panel guidelines" aria-label="Guidelines" hidden=move || !reads.get()>
                <div class="prose" dir="auto" inner_html=guidelines></div>
            </section>
        }
    });
    view! {
        <div class="annotate-side" class:reads=move || reads.get()>
            {tabs}
            {children()}
            {guidelines}
        </div>
    }
}
