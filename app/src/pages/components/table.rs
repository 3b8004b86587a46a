//! Tables that scroll by themselves where the page is too narrow for them.

use leptos::prelude::*;

use crate::view::view;

/// The rows of a table, in a region that can be scrolled with keys, too.
#[component]
pub(crate) fn Table(
    /// What it is called for people who do not see it.
    #[prop(optional, into)]
    label: Option<String>,
    /// The id of what it is called by, where that stands on the page.
    #[prop(optional, into)]
    labelled_by: Option<String>,
    #[prop(default = "rows")] class: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <div class="scroll-x" role="region" tabindex="0" aria-label=label aria-labelledby=labelled_by>
            <table class=class>{children()}</table>
        </div>
    }
}
