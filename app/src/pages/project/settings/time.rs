//! Whether the project measures how long people are at their work.

use domain::ProjectId;
use leptos::{form::ActionForm, prelude::*};

use crate::{
    ApiError,
    api::work::focus::SetMeasured,
    context::{answer, request},
    pages::components::field::{Problem, refusal},
    view::view,
};

pub(super) async fn load_measured(project: ProjectId) -> Result<bool, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::focus::is_measured(&services, &actor, project).await)
}

#[component]
pub(super) fn Time(project: ProjectId, is_measured: bool) -> impl IntoView {
    let set = ServerAction::<SetMeasured>::new();
    let (state, button) = if is_measured {
        ("Time on task is measured.", "Stop measuring time")
    } else {
        ("Time on task is not measured.", "Measure time")
    };
    view! {
        <section class="card" id="time" aria-labelledby="time-title">
            <h2 id="time-title">"Time on task"</h2>
            <p>
                "Counts the minutes in which a document is in front of somebody who works on it, in whole minutes per document and day; everybody reads on their own page what is measured. What was measured stays when it is switched off."
            </p>
            <ActionForm action=set attr:class="row">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="measured" value=(!is_measured).to_string()/>
                <button>{button}</button>
                <span role="status">{state}</span>
            </ActionForm>
            <Problem refusal=refusal(set.into())/>
        </section>
    }
}
