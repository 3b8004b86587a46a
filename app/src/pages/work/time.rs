//! The viewer's own time on task, and what is measured of it.

use domain::{OwnTime, ProjectId};

use crate::pages::components::{
    prelude::*,
    text::time_spent::{MEASURED, time_words},
};

pub(crate) async fn load_own_time(project: ProjectId) -> Result<OwnTime, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::focus::own(&services, &actor, project).await)
}

/// One's own time; where it is not measured, that it is not.
#[component]
pub(crate) fn OwnTimeView(own: OwnTime) -> impl IntoView {
    let OwnTime { is_measured, time } = own;
    let words = (is_measured || time.minutes > 0).then(|| time_words(&time));
    let what = if is_measured {
        view! { <Lead line="Minutes at work on a document." about="time on task"><p>{MEASURED}</p></Lead> }
    } else {
        view! { <p class="soft">"Not measured in this project."</p> }
    };
    view! {
        <Section title_id="time-title" title="Time on task" class="card" id="time">
            <p class="number">{words}</p>
            {what}
        </Section>
    }
}
