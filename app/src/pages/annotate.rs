//! The page on which a labeler marks a document.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    api::annotating::load_assignment,
    islands::annotator::Annotator,
    loading::load,
    pages::address::in_path,
    pages::components::{island::Island, loaded::Loaded},
    view::view,
};

#[component]
pub(crate) fn AnnotatePage() -> impl IntoView {
    let assignment = load(load_assignment(in_path("assignment")));
    view! {
        <Loaded
            resource=assignment
            view=|view| {
                let title = view.document_name.clone();
                view! {
                    <Title text=title/>
                    <Island name="annotator" data=view.clone()><Annotator view/></Island>
                }
            }
        />
    }
}
