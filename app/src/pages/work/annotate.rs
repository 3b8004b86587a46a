//! The page on which a labeler marks a document.

use leptos_meta::Body;

use super::comments::AnnotateLine;
use crate::{
    api::work::load_assignment,
    islands::annotator::Annotator,
    pages::components::{
        frame::{focus::Focus, island::Island},
        prelude::*,
    },
};

#[component]
pub(crate) fn AnnotatePage() -> impl IntoView {
    let id = in_path("assignment");
    let assignment = load(load_assignment(id));
    view! {
        // At once: what is known only later comes after the page's head.
        <Body attr:class="editing"/>
        <Loaded
            resource=assignment
            view=move |view| {
                let (title, project) = (view.document_name.clone(), view.project);
                view! {
                    <Title text=title/>
                    <AnnotateLine assignment=id/>
                    <Island name="annotator" data=view.clone()><Annotator view/></Island>
                    <Focus project/>
                }
            }
        />
    }
}
