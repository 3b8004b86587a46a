//! Giving a submitted assignment back to its labeler with a note.

use domain::{
    DocumentAssignments, DocumentId, LONGEST_NOTE, ProjectId, ReviewedAssignment, WorkState,
};

use crate::{api::work::flags::SendBack, pages::components::prelude::*};

#[component]
pub(crate) fn SendBackPage() -> impl IntoView {
    let document = in_path("document");
    let assignments = load_with(move |services, actor| async move {
        services::work::flags::assignments(&services, &actor, document).await
    });
    view! {
        <Title text="Send back"/>
        <div class="page">
            <Loaded resource=assignments view=move |assignments| view! { <Assignments document assignments/> }/>
        </div>
    }
}

#[component]
fn Assignments(document: DocumentId, assignments: DocumentAssignments) -> impl IntoView {
    let DocumentAssignments { project, document_name, assignments } = assignments;
    let send = ServerAction::<SendBack>::new();
    let (submitted, others): (Vec<_>, Vec<_>) = assignments
        .into_iter()
        .partition(|(assignment, _)| assignment.state == WorkState::Submitted);
    let content = if submitted.is_empty() {
        view! { <p class="empty">"No submitted assignment to send back."</p> }
    } else {
        form(project, document, &submitted, send)
    };
    let back: Vec<_> = others
        .iter()
        .filter_map(|(assignment, note)| {
            let note = note.clone()?;
            let name = assignment.rater.name.clone();
            Some(view! {
                <li><bdi>{name}</bdi>" has it again: "<q class="words" dir="auto">{note}</q></li>
            })
        })
        .collect();
    let back = (!back.is_empty()).then(|| {
        view! { <h3>"Sent back"</h3><ul class="plain-list stack tight">{back}</ul> }
    });
    view! {
        <h1><bdi>{document_name}</bdi></h1>
        <div class="stack comments-part send-back" data-part="">
            <h2>"Send back"</h2>
            <p class="soft">"The document reopens for the labeler with your note, showing your role, not your name. Agreement counts it as saved, not submitted."</p>
            {content}
            {back}
        </div>
    }
}

fn form(
    project: ProjectId,
    document: DocumentId,
    submitted: &[(ReviewedAssignment, Option<String>)],
    send: ServerAction<SendBack>,
) -> AnyView {
    let choices: Vec<_> = submitted
        .iter()
        .enumerate()
        .map(|(place, (assignment, _))| {
            let (member, name) = (assignment.rater.id.to_string(), assignment.rater.name.clone());
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
            {hidden_fields([("project", &project), ("document", &document)])}
            <fieldset class="stack tight">
                <legend>"Labeler"</legend>
                {choices}
            </fieldset>
            <div class="field">
                <label for="back-note">"Note to the labeler"</label>
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
            <div class="actions"><button class="primary">"Send back"</button></div>
        </ActionForm>
    }
}
