//! One document under review.

pub(crate) mod consensus;
pub(crate) mod gold;
pub(crate) mod list;
pub(crate) mod rules;
pub(crate) mod second_reviews;
pub(crate) mod side_by_side;
pub(crate) mod walk;

use leptos::nonce::use_nonce;
use leptos_meta::Body;

use super::{
    account::key_bindings::load_keys,
    components::frame::{focus::Focus, island::Island},
    work::comments::ReviewLine,
};
use crate::{api::review::load_review, islands::reviewer::Reviewer, pages::components::prelude::*};

/// The document that the address names; one that names none leads to "not found".
#[component]
pub(crate) fn ReviewPage() -> impl IntoView {
    let document = in_path("document");
    let review = load(async move { Ok((load_review(document).await?, load_keys().await?)) });
    view! {
        <Body attr:class="editing"/>
        <Loaded resource=review view=move |(review, keys)| {
            let title = format!("Review of {}", review.document_name);
            let project = review.project;
            view! {
                <Title text=title/>
                <ReviewLine document reasons=review.reasons.clone()/>
                <Island name="reviewer" data=(review.clone(), keys.clone())><Reviewer review keys/></Island>
                <Focus project/>
                <script type="module" src="/side.js" nonce=use_nonce()></script>
            }
        }/>
    }
}
