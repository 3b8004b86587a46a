//! Releasing agreement to the labelers: they see it as of the moment of the release.

use chrono::{DateTime, Utc};
use domain::{ProjectId, ReleaseLevel};
use leptos::prelude::*;

use crate::{
    api::projects::release_agreement,
    components::field::{Problem, refusal},
    display,
    view::{dynamic, view},
};

#[component]
pub(super) fn Release(
    project: ProjectId,
    /// What labelers are shown, as it is stored.
    level: Signal<ReleaseLevel>,
    /// The last release before this page was loaded.
    released_at: Option<DateTime<Utc>>,
) -> impl IntoView {
    let release = Action::new(move |(): &()| release_agreement(project));
    let last = move || match release.value().get() {
        Some(Ok(at)) => Some(at),
        _ => released_at,
    };
    let is_useful = move || level.get() == ReleaseLevel::AfterRelease;
    let state = dynamic(move || match last() {
        Some(at) => format!("Last released {}.", display::time(at)),
        None => "Not released yet.".to_owned(),
    });
    view! {
        <section class="card" aria-labelledby="release-title">
            <h2 id="release-title">"Release"</h2>
            <p>
                "Agreement moves with every save. A release shows the labelers where theirs stands now, and nothing of what comes after."
            </p>
            <div class="row">
                <button
                    type="button"
                    disabled=move || !is_useful() || release.pending().get()
                    on:click=move |_| {
                        release.dispatch(());
                    }
                >
                    "Release agreement to labelers now"
                </button>
                <span role="status" class="number">{state}</span>
            </div>
            {move || {
                (!is_useful()).then(|| {
                    view! {
                        <p class="soft">"To use releases, choose “After a release” above and save."</p>
                    }
                })
            }}
            <Problem refusal=refusal(release)/>
        </section>
    }
}
