//! Whether the project measures how long people are at their work.

use domain::ProjectId;

use crate::{api::work::focus::SetMeasured, pages::components::prelude::*};

pub(super) async fn load_measured(project: ProjectId) -> Result<bool, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::focus::is_measured(&services, &actor, project).await)
}

#[component]
pub(super) fn Time(project: ProjectId, is_measured: bool) -> impl IntoView {
    let set = ServerAction::<SetMeasured>::new();
    let (state, button) =
        if is_measured { ("On.", "Stop measuring") } else { ("Off.", "Start measuring") };
    view! {
        <Section title_id="time-title" title="Time on task" class="card" id="time">
            <p>
                "Whole active minutes per document and day. Members see their own; existing data stays when you stop."
            </p>
            <ActionForm action=set attr:class="row">
                {hidden_fields([("project", &project), ("measured", &!is_measured)])}
                <button>{button}</button>
                <span role="status">{state}</span>
            </ActionForm>
            <Problem refusal=refusal(set.into())/>
        </Section>
    }
}
