//! The script that counts the minutes of work on a page.

use domain::ProjectId;
use leptos::nonce::use_nonce;

use crate::pages::components::prelude::*;

/// Counts the minutes of work on this page, where the project measures them.
#[component]
pub(crate) fn Focus(project: ProjectId) -> impl IntoView {
    let measured = load_with(move |services, actor| async move {
        services::work::focus::is_measured(&services, &actor, project).await
    });
    view! {
        <Loaded resource=measured quiet=true view=|measured| measured.then(|| view! {
            <script type="module" src="/focus.js" nonce=use_nonce()></script>
        })/>
    }
}
