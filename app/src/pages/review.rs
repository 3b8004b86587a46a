//! One document under review.

use domain::DocumentId;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use crate::{
    api::reviewing::load_review, islands::reviewer::Reviewer, loading::load,
    pages::components::loaded::Loaded, view::view,
};

/// The document that the address names; one that names none leads to "not found".
#[component]
pub(crate) fn ReviewPage() -> impl IntoView {
    let params = use_params_map();
    let document = Memo::new(move |_| -> DocumentId {
        let named = params.read().get("document").and_then(|id| id.parse().ok());
        named.unwrap_or_default()
    });
    let review = load(move || document.get(), load_review);
    view! {
        <Loaded resource=review view=|review| {
            let title = format!("Review of {}", review.document_name);
            view! {
                <Title text=title/>
                <Reviewer review/>
            }
        }/>
    }
}
