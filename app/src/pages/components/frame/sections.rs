//! What pages are divided into: a page with its title, and sections with their headings.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::view::view;

/// What a page begins with: the way back from it, its heading, and what belongs to all of it.
#[component]
pub(crate) fn PageHead(
    /// What the page is called, as text or with marks around names.
    heading: impl IntoView + 'static,
    /// An address, and the words of the link that leads there.
    #[prop(optional_no_strip)]
    back: Option<(String, &'static str)>,
    /// What stands at the end of the heading's line.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <header class="page-head">
            {back.map(|(href, words)| view! { <a class="back" href=href>{words}</a> })}
            <h1>{heading.into_any()}</h1>
            {children.map(|children| view! { <div class="row page-head-end">{children()}</div> })}
        </header>
    }
}

/// A page whose heading is its title.
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
            <PageHead heading=title back/>
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
