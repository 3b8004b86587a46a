//! What answers an address that leads nowhere.

use leptos::prelude::*;

use crate::view::view;
use leptos_meta::Title;

#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    view! {
        <Title text="Not found"/>
        <section class="failure">
            <h1>"There is no such page"</h1>
            <p>"The link may be old, or an address mistyped."</p>
            <a class="button" href="/">"Your projects"</a>
        </section>
    }
}
