//! What answers an address that leads nowhere, and a form that cannot be read.

use crate::{context::UnreadableForm, pages::components::prelude::*};

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
            <h1>"Page not found"</h1>
            <p>"The link may be outdated or mistyped."</p>
            <a class="button" href="/">"Your projects"</a>
        </section>
    }
}

#[component]
fn UnreadablePage(why: String) -> impl IntoView {
    view! {
        <Title text="Form error"/>
        <section class="failure" role="alert">
            <h1>"This form could not be read"</h1>
            <p>"Nothing changed: " {why} ". Go back, reload the page and send it again."</p>
            <a class="button" href="/">"Your projects"</a>
        </section>
    }
}
