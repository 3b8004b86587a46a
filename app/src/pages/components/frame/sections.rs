//! What pages are divided into: a page with its title, and sections with their headings.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::view::view;

/// A page whose heading is its title, and the way back from it.
#[component]
pub(crate) fn PageBody(
    title: &'static str,
    class: &'static str,
    /// An address, and the words of the link that leads there.
    #[prop(optional)]
    back: Option<(String, &'static str)>,
    children: Children,
) -> impl IntoView {
    view! {
        <Title text=title/>
        <div class=class>
            {back.map(|(href, words)| view! { <p><a href=href>{words}</a></p> })}
            <h1>{title}</h1>
            {children()}
        </div>
    }
}

/// A section that is called by its heading.
#[component]
pub(crate) fn Section(
    title: &'static str,
    /// The id of the heading.
    title_id: &'static str,
    #[prop(default = "stack")] class: &'static str,
    #[prop(optional)] id: Option<&'static str>,
    children: Children,
) -> impl IntoView {
    view! {
        <section class=class id=id aria-labelledby=title_id>
            <h2 id=title_id>{title}</h2>
            {children()}
        </section>
    }
}
