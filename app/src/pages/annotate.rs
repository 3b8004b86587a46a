//! The page on which a labeler marks a document.

use domain::AssignmentId;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use crate::{
    api::annotating::load_assignment, islands::annotator::Annotator, loading::load,
    pages::components::loaded::Loaded, view::view,
};

#[component]
pub(crate) fn AnnotatePage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| {
        let id = params.read().get("assignment").and_then(|id| id.parse::<AssignmentId>().ok());
        id.unwrap_or_default()
    });
    let assignment = load(move || id.get(), load_assignment);
    view! {
        <Loaded
            resource=assignment
            view=|view| {
                let title = view.document_name.clone();
                view! {
                    <Title text=title/>
                    <Annotator view/>
                }
            }
        />
    }
}
