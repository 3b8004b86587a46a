//! What is asked of the document.

use domain::{Attribute, LabelId, Span};

use crate::islands::{
    prelude::*,
    reviewer::{panels::answers::Asked, session::Session},
};

/// The questions about the document, if there are any.
#[component]
pub(crate) fn OfDocument(session: Session) -> impl IntoView {
    let of_document = |attribute: &Attribute| attribute.label == LabelId::DOCUMENT;
    session.facts().attributes.iter().any(of_document).then(|| {
        let asked = dynamic(move || {
            view! { <Asked session span=Span::DOCUMENT chosen=session.of_document.get()/> }
        });
        view! {
            <section class="card" aria-labelledby="of-document-title">
                <h2 id="of-document-title">"Document"</h2>
                {asked}
            </section>
        }
    })
}
