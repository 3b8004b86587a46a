//! The script that counts the minutes of work on a page.

use domain::ProjectId;
use leptos::{nonce::use_nonce, prelude::*};

use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::components::loaded::Loaded,
    view::view,
};

/// Counts the minutes of work on this page, where the project measures them.
#[component]
pub(crate) fn Focus(project: ProjectId) -> impl IntoView {
    let measured = load(load_measured(project));
    view! {
        <Loaded resource=measured quiet=true view=|measured| measured.then(|| view! {
            <script type="module" src="/focus.js" nonce=use_nonce()></script>
        })/>
    }
}

async fn load_measured(project: ProjectId) -> Result<bool, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::focus::is_measured(&services, &actor, project).await)
}
