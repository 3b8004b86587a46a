//! What answers an address that leads nowhere, and a form that cannot be read.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{context::UnreadableForm, view::view};

/// Stands where no page does: a form that cannot be read has only the address of its function.
#[component]
pub(crate) fn NoPage() -> impl IntoView {
    match use_context::<UnreadableForm>() {
        Some(UnreadableForm(why)) => view! { <UnreadablePage why/> }.into_any(),
        None => view! { <NotFoundPage/> }.into_any(),
    }
}

#[component]
fn NotFoundPage() -> impl IntoView {
    view! {
        <Title text="Not found"/>
        <section class="failure">
            <h1>"There is no such page"</h1>
            <p>"The link may be old, or an address mistyped."</p>
            <a class="button" href="/">"Your projects"</a>
        </section>
    }
}

#[component]
fn UnreadablePage(why: String) -> impl IntoView {
    view! {
        <Title text="Not understood"/>
        <section class="failure" role="alert">
            <h1>"This form was not understood"</h1>
            <p>"Nothing was changed: " {why} ". Go back, load the page again and send it once more."</p>
            <a class="button" href="/">"Your projects"</a>
        </section>
    }
}
