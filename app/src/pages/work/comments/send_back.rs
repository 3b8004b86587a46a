//! Giving a submitted copy back to its labeler with a note.

use domain::{DocumentCopies, DocumentId, LONGEST_NOTE, ProjectId, ReviewedCopy, WorkState};
use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;

use crate::{
    ApiError,
    api::work::flags::SendBack,
    context::{answer, request},
    loading::load,
    pages::{
        base::address::in_path,
        components::{
            field::{Problem, refusal},
            loaded::Loaded,
            text_area::TextArea,
        },
    },
    view::view,
};

#[component]
pub(crate) fn SendBackPage() -> impl IntoView {
    let document = in_path("document");
    let copies = load(load_copies(document));
    view! {
        <Title text="Send a copy back"/>
        <div class="page">
            <Loaded resource=copies view=move |copies| view! { <Copies document copies/> }/>
        </div>
    }
}

async fn load_copies(document: DocumentId) -> Result<DocumentCopies, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::flags::copies(&services, &actor, document).await)
}

#[component]
fn Copies(document: DocumentId, copies: DocumentCopies) -> impl IntoView {
    let DocumentCopies { project, document_name, copies } = copies;
    let send = ServerAction::<SendBack>::new();
    let (submitted, others): (Vec<_>, Vec<_>) =
        copies.into_iter().partition(|(copy, _)| copy.state == WorkState::Submitted);
    let content = if submitted.is_empty() {
        view! { <p class="empty">"No copy of this document is submitted: there is nothing to send back."</p> }
    } else {
        form(project, document, &submitted, send)
    };
    let back: Vec<_> = others
        .iter()
        .filter_map(|(copy, note)| {
            let note = note.clone()?;
            let name = copy.rater.name.clone();
            Some(view! {
                <li><bdi>{name}</bdi>" has it back: "<q class="words" dir="auto">{note}</q></li>
            })
        })
        .collect();
    let back = (!back.is_empty()).then(|| {
        view! { <h3>"With their labelers again"</h3><ul class="plain-list stack tight">{back}</ul> }
    });
    view! {
        <h1>"Send a copy of "<bdi>{document_name}</bdi>" back"</h1>
        <div class="stack talk-part" data-part="">
            <h2>"Send a copy back"</h2>
            <p class="soft">"The labeler has it before them again, as saved and not submitted, with your note at its top until they submit it. They learn your role, not your name. Agreement moves with it."</p>
            {content}
            {back}
        </div>
    }
}

fn form(
    project: ProjectId,
    document: DocumentId,
    submitted: &[(ReviewedCopy, Option<String>)],
    send: ServerAction<SendBack>,
) -> AnyView {
    let choices: Vec<_> = submitted
        .iter()
        .enumerate()
        .map(|(place, (copy, _))| {
            let (member, name) = (copy.rater.id.to_string(), copy.rater.name.clone());
            let is_first = place == 0;
            view! {
                <label class="check">
                    <input type="radio" name="member" value=member required=true checked=is_first/>
                    <bdi>{name}</bdi>
                </label>
            }
        })
        .collect();
    view! {
        <ActionForm action=send attr:class="stack tight">
            <input type="hidden" name="project" value=project.to_string()/>
            <input type="hidden" name="document" value=document.to_string()/>
            <fieldset class="stack tight">
                <legend>"Whose copy"</legend>
                {choices}
            </fieldset>
            <div class="field">
                <label for="back-note">"What they are to look at"</label>
                <TextArea
                    id="back-note"
                    class="short"
                    name="note"
                    rows="3"
                    required=true
                    longest=LONGEST_NOTE
                />
                <p class="error" role="alert" data-said=""></p>
            </div>
            <Problem refusal=refusal(send.into())/>
            <div class="actions"><button class="primary">"Send it back"</button></div>
        </ActionForm>
    }
}
