//! The form for a project's name, guidelines and what is shown to whom.

use domain::{OwnValue, ProjectId, ProjectSettings, ReleaseLevel};

use crate::{api::project::SaveSettings, pages::components::prelude::*};

/// The level's name in the form.
const fn title(level: ReleaseLevel) -> &'static str {
    match level {
        ReleaseLevel::None => "Never",
        ReleaseLevel::GoldOnly => "Against reviewers only",
        ReleaseLevel::AfterRelease => "After a release",
        ReleaseLevel::Open => "Always",
    }
}

/// What the level means, in a sentence.
const fn meaning(level: ReleaseLevel) -> &'static str {
    match level {
        ReleaseLevel::None => "Labelers see no agreement.",
        ReleaseLevel::GoldOnly => {
            "Labelers see their agreement with reviewer decisions, once a review is finished."
        }
        ReleaseLevel::AfterRelease => {
            "Labelers see their agreement with others and with reviewers, as of your last release."
        }
        ReleaseLevel::Open => {
            "Labelers see it while they work, so their judgements are not quite independent."
        }
    }
}

/// The floor under what labelers see, whatever the level.
fn floor() -> String {
    format!(
        "Always rounded. Shown from {documents} documents and {positions} positions that both submitted, and updated in steps of that size. With only one other labeler: after a release only.",
        documents = OwnValue::FEWEST_DOCUMENTS,
        positions = OwnValue::FEWEST_POSITIONS
    )
}

#[component]
pub(super) fn SettingsForm(
    project: ProjectId,
    settings: ProjectSettings,
    /// Whether it has just been saved.
    is_saved: bool,
) -> impl IntoView {
    let (save, refused) = form_action::<SaveSettings>();
    let ProjectSettings {
        name,
        guidelines,
        release_level,
        reviewers_see_names,
        reviewers_see_consensus,
        requires_second_factor,
    } = settings;
    let levels =
        ReleaseLevel::ALL.map(|level| view! { <Level level chosen=release_level/> }).collect_view();
    view! {
        <ActionForm action=save attr:class="card">
            <input type="hidden" name="project" value=project.to_string()/>
            <Field form="settings" name="name" label="Name" longest=120 initial=name refusal=refused.clone()/>
            <div class="field">
                <label for="settings-guidelines">"Guidelines"</label>
                <TextArea
                    id="settings-guidelines"
                    name="guidelines"
                    spellcheck="true"
                    described_by="settings-guidelines-hint"
                    text=guidelines
                />
                <p class="hint" id="settings-guidelines-hint">
                    "Markdown, shown beside the text. Every change makes a new version."
                </p>
            </div>
            <fieldset class="stack">
                <legend>"Agreement shown to labelers"</legend>
                {levels}
                <p class="hint">{floor()}</p>
            </fieldset>
            <fieldset class="stack">
                <legend>"Shown to reviewers"</legend>
                <Check name="reviewers_see_names" value="true" checked=reviewers_see_names>
                    <span>
                        "Labelers' names" <br/>
                        <span class="soft">"Otherwise: “Labeler 1”, “Labeler 2” …"</span>
                    </span>
                </Check>
                <Check name="reviewers_see_consensus" value="true" checked=reviewers_see_consensus>
                    <span>
                        "The consensus, before they decide" <br/>
                        <span class="soft">"Otherwise: of what they have decided."</span>
                    </span>
                </Check>
            </fieldset>
            <fieldset class="stack">
                <legend>"Sign-in"</legend>
                <Check name="requires_second_factor" value="true" checked=requires_second_factor>
                    <span>
                        "Require a second factor" <br/>
                        <span class="soft">"Members without one set it up before the project opens."</span>
                    </span>
                </Check>
            </fieldset>
            <Problem refusal=refused fields=&["name"]/>
            <div class="row">
                <button class="primary">"Save settings"</button>
                <span role="status" data-until-typed="">{is_saved.then_some("Saved.")}</span>
            </div>
        </ActionForm>
    }
}

#[component]
fn Level(level: ReleaseLevel, chosen: ReleaseLevel) -> impl IntoView {
    view! {
        <Check kind="radio" name="release_level" value=level.name() checked={level == chosen}>
            <span>
                {title(level)}
                <br/>
                <span class="soft">{meaning(level)}</span>
            </span>
        </Check>
    }
}
