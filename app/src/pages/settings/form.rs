//! The form for a project's name, guidelines and what is shown to whom.

use domain::{ProjectId, ProjectSettings, ReleaseLevel};
use leptos::prelude::*;

use crate::{
    api::projects::save_settings,
    components::field::{Field, FormValues, Problem, refusal},
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
            "Labelers see how far they agree with the reviewers' decisions, as these are made."
        }
        ReleaseLevel::AfterRelease => {
            "Labelers see how far they agree with the others and with the reviewers, as of the moment you last released it."
        }
        ReleaseLevel::Open => {
            "Labelers see how far they agree with the others and with the reviewers while they work, so their judgements are no longer quite independent."
        }
    }
}

#[component]
pub(super) fn SettingsForm(
    project: ProjectId,
    /// What is stored; follows what is saved.
    settings: RwSignal<ProjectSettings>,
    /// Called when settings have been saved.
    on_change: Callback<()>,
) -> impl IntoView {
    let save = Action::new(move |new: &ProjectSettings| {
        let new = new.clone();
        async move {
            let saved = save_settings(project, new.clone()).await;
            if saved.is_ok() {
                settings.set(new);
                on_change.run(());
            }
            saved
        }
    });
    let refused = refusal(save);
    let submit = move |event| {
        let values = FormValues::take(&event);
        let Ok(release_level) = values.text("release_level").parse() else { return };
        save.dispatch(ProjectSettings {
            name: values.text("name"),
            guidelines: values.text("guidelines"),
            release_level,
            reviewers_see_names: values.is_ticked("reviewers_see_names"),
        });
    };
    let is_saved = move || matches!(save.value().get(), Some(Ok(())));
    let initial = settings.get_untracked();
    let levels = ReleaseLevel::ALL
        .map(|level| view! { <Level level chosen=initial.release_level/> })
        .collect_view();
    view! {
        <form class="card" on:submit=submit on:input=move |_| save.clear()>
            <Field form="settings" name="name" label="Name" longest=120 initial=initial.name refusal=refused/>
            <div class="field">
                <label for="settings-guidelines">"Guidelines"</label>
                <textarea
                    id="settings-guidelines"
                    name="guidelines"
                    dir="auto"
                    spellcheck="true"
                    aria-describedby="settings-guidelines-hint"
                    prop:value=initial.guidelines
                ></textarea>
                <p class="hint" id="settings-guidelines-hint">
                    "Markdown. Everybody in the project reads them beside the text that they mark. Every change makes a new version."
                </p>
            </div>
            <fieldset class="stack">
                <legend>"Agreement that labelers see"</legend>
                {levels}
            </fieldset>
            <fieldset class="stack">
                <legend>"Names"</legend>
                <label class="check">
                    <input
                        type="checkbox"
                        name="reviewers_see_names"
                        checked=initial.reviewers_see_names
                    />
                    <span>
                        "Reviewers see the labelers' names" <br/>
                        <span class="soft">"Otherwise they see “Labeler 1”, “Labeler 2” and so on."</span>
                    </span>
                </label>
            </fieldset>
            <Problem refusal=refused fields=&["name"]/>
            <div class="row">
                <button class="primary" disabled=save.pending()>"Save settings"</button>
                <span role="status">{move || is_saved().then_some("Saved.")}</span>
            </div>
        </form>
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
