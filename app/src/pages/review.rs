//! One document under review.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    api::reviewing::load_review,
    islands::reviewer::Reviewer,
    loading::load,
    pages::address::in_path,
    pages::components::{island::Island, loaded::Loaded},
    view::view,
};

/// The document that the address names; one that names none leads to "not found".
#[component]
pub(crate) fn ReviewPage() -> impl IntoView {
    let review = load(load_review(in_path("document")));
    view! {
        <Loaded resource=review view=|review| {
            let title = format!("Review of {}", review.document_name);
            view! {
                <Title text=title/>
                <Island name="reviewer" data=review.clone()><Reviewer review/></Island>
            }
        }/>
    }
}
