//! The form for a project's name, guidelines and what is shown to whom.

use domain::{OwnValue, ProjectId, ProjectSettings, ReleaseLevel};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::SaveSettings,
    pages::components::{
        field::{Field, Problem, refusal},
        text_area::TextArea,
    },
    view::view,
};

/// The level's name in the form.
const fn title(level: ReleaseLevel) -> &'static str {
    match level {
        ReleaseLevel::None => "Never",
        ReleaseLevel::GoldOnly => "Against the reviewers only",
        ReleaseLevel::AfterRelease => "After a release",
        ReleaseLevel::Open => "Always",
    }
}

/// What the level means, in a sentence.
const fn meaning(level: ReleaseLevel) -> &'static str {
    match level {
        ReleaseLevel::None => "Labelers are shown no agreement at all.",
        ReleaseLevel::GoldOnly => {
            "Labelers see how far they agree with the reviewers' decisions, as reviews are ended."
        }
        ReleaseLevel::AfterRelease => {
            "Labelers see how far they agree with the others and with the reviewers, as of the moment you last released it."
        }
        ReleaseLevel::Open => {
            "Labelers see how far they agree with the others and with the reviewers while they work, so their judgements are no longer quite independent."
        }
    }
}

/// The floor under what labelers see, whatever the level.
fn floor() -> String {
    format!(
        "Always rounded, and only from {documents} documents and {positions} positions on that both have handed in. Each document counts once, and new ones move the numbers by {documents} and {positions} at a time, so that labelers cannot find out spans by trying. With one other labeler alone, only a release shows something.",
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
    let save = ServerAction::<SaveSettings>::new();
    let refused = refusal(save.into());
    let ProjectSettings {
        name,
        guidelines,
        release_level,
        reviewers_see_names,
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
                    "Markdown. Everybody in the project reads them beside the text that they mark. Every change makes a new version."
                </p>
            </div>
            <fieldset class="stack">
                <legend>"Agreement that labelers see"</legend>
                {levels}
                <p class="hint">{floor()}</p>
            </fieldset>
            <fieldset class="stack">
                <legend>"Names"</legend>
                <label class="check">
                    <input
                        type="checkbox"
                        name="reviewers_see_names"
                        value="true"
                        checked=reviewers_see_names
                    />
                    <span>
                        "Reviewers see the labelers' names" <br/>
                        <span class="soft">"Otherwise they see “Labeler 1”, “Labeler 2” and so on."</span>
                    </span>
                </label>
            </fieldset>
            <fieldset class="stack">
                <legend>"Signing in"</legend>
                <label class="check">
                    <input
                        type="checkbox"
                        name="requires_second_factor"
                        value="true"
                        checked=requires_second_factor
                    />
                    <span>
                        "Members need a second factor" <br/>
                        <span class="soft">"Whoever has none is led to set one up before the project opens."</span>
                    </span>
                </label>
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
        <label class="check">
            <input type="radio" name="release_level" value=level.name() checked=level == chosen/>
            <span>
                {title(level)}
                <br/>
                <span class="soft">{meaning(level)}</span>
            </span>
        </label>
    }
}
