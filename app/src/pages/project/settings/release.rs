//! Releasing agreement to the labelers: they see it as of the moment of the release.

use chrono::{DateTime, Utc};
use domain::{ProjectId, ReleaseLevel};

use crate::{api::project::ReleaseAgreement, pages::components::prelude::*};

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
        Some(at) => view! { "Last released "<Moment at/>"." },
        None => "Not released yet.".into_any(),
    };
    let advice = (!is_useful).then(|| {
        view! { <p class="soft">"Choose “After a release” above to use releases."</p> }
    });
    view! {
        <Section title_id="release-title" title="Release" class="card" id="release">
            <p>
                "A release shows labelers their agreement as of now; later changes stay hidden."
            </p>
            <ActionForm action=release attr:class="row">
                <input type="hidden" name="project" value=project.to_string()/>
                <button disabled=!is_useful>"Release agreement now"</button>
                <span role="status" class="number">{state}</span>
            </ActionForm>
            {advice}
            <Problem refusal=refusal(release.into())/>
        </Section>
    }
}
