//! The form for what labelers are offered as suggestions, and why it matters.

use domain::{ProjectId, SuggestionSettings};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::labels::SaveSuggestions,
    pages::components::field::{Problem, refusal},
    view::view,
};

#[component]
pub(super) fn Suggestions(
    project: ProjectId,
    settings: SuggestionSettings,
    /// Whether it has just been saved.
    is_saved: bool,
) -> impl IntoView {
    let save = ServerAction::<SaveSuggestions>::new();
    let SuggestionSettings { agreed, shields_agreed, shields_imported } = settings;
    view! {
        <section class="card" id="suggestions" aria-labelledby="suggestions-title">
            <h2 id="suggestions-title">"Suggestions"</h2>
            <p>
                "A suggestion counts as nobody's judgement until a labeler takes it. But who is told what others have marked agrees with them more: agreement among labelers who saw the same suggestions says little about your labels and guidelines. So documents that measure agreement should go without."
            </p>
            <ActionForm action=save attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <Switch
                    name="agreed"
                    label="Suggest what is agreed elsewhere"
                    meaning="Strings that everybody who submitted a document marked with the same label, in at least two places of other documents and with at most one place in ten that says otherwise. Not in repeats."
                    checked=agreed
                />
                <Switch
                    name="shields_agreed"
                    label="But not in documents that two or more label"
                    meaning="These are what agreement is measured on. Switch this off only where nobody will read agreement from them."
                    checked=shields_agreed
                />
                <Switch
                    name="shields_imported"
                    label="No imported suggestions in documents that two or more label, either"
                    meaning="Spans that came with imported files are offered in every document otherwise."
                    checked=shields_imported
                />
                <div class="row">
                    <button class="primary">"Save suggestions"</button>
                    <span role="status" data-until-typed="">{is_saved.then_some("Saved.")}</span>
                </div>
            </ActionForm>
            <Problem refusal=refusal(save.into())/>
        </section>
    }
}

#[component]
fn Switch(
    name: &'static str,
    label: &'static str,
    meaning: &'static str,
    checked: bool,
) -> impl IntoView {
    view! {
        <label class="check">
            <input type="checkbox" name=name value="true" checked=checked/>
            <span>{label} <br/> <span class="soft">{meaning}</span></span>
        </label>
    }
}
