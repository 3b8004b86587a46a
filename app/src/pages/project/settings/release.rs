//! Releasing agreement to the labelers: they see it as of the moment of the release.

use chrono::{DateTime, Utc};
use domain::{ProjectId, ReleaseLevel};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::ReleaseAgreement,
    display,
    pages::components::field::{Problem, refusal},
    view::view,
};

#[component]
pub(super) fn Release(
    project: ProjectId,
    /// What labelers are shown.
    level: ReleaseLevel,
    /// The last release, if there was one.
    released_at: Option<DateTime<Utc>>,
) -> impl IntoView {
    let release = ServerAction::<ReleaseAgreement>::new();
    let is_useful = level == ReleaseLevel::AfterRelease;
    let state = match released_at {
        Some(at) => format!("Last released {}.", display::time(at)),
        None => "Not released yet.".to_owned(),
    };
    let advice = (!is_useful).then(|| {
        view! { <p class="soft">"To use releases, choose “After a release” above and save."</p> }
    });
    view! {
        <section class="card" id="release" aria-labelledby="release-title">
            <h2 id="release-title">"Release"</h2>
            <p>
                "Agreement moves with every save. A release shows the labelers where theirs stands now, and nothing of what comes after."
            </p>
            <ActionForm action=release attr:class="row">
                <input type="hidden" name="project" value=project.to_string()/>
                <button disabled=!is_useful>"Release agreement to labelers now"</button>
                <span role="status" class="number">{state}</span>
            </ActionForm>
            {advice}
            <Problem refusal=refusal(release.into())/>
        </section>
    }
}
