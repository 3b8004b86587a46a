//! The form for what labelers are offered as suggestions, and why it matters.

use domain::{ProjectId, SuggestionSettings};

use crate::{api::project::labels::SaveSuggestions, pages::components::prelude::*};

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
        <Section title_id="suggestions-title" title="Suggestions" class="card" id="suggestions">
            <Lead line="Suggestions bias labelers toward each other: leave them out where you measure agreement." about="suggestions">
                <p>"A suggestion is nobody's judgement until a labeler accepts it. Agreement among labelers who saw the same suggestions says little about your labels and guidelines."</p>
                <p>"“Agreed elsewhere”: everyone who submitted gave this string the same label in at least two places of other documents, and at most one place in ten says otherwise. Never in repeats."</p>
            </Lead>
            <ActionForm action=save attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <Switch
                    name="agreed"
                    label="Suggest labels agreed elsewhere"
                    meaning="Strings that got the same label from everyone in other documents."
                    checked=agreed
                />
                <Switch
                    name="shields_agreed"
                    label="Not in documents with two or more labelers"
                    meaning="Agreement is measured on these. Turn this off only if nobody will rely on it."
                    checked=shields_agreed
                />
                <Switch
                    name="shields_imported"
                    label="No imported suggestions there either"
                    meaning="Otherwise, imported spans are suggested in every document."
                    checked=shields_imported
                />
                <div class="row">
                    <button class="primary">"Save suggestions"</button>
                    <span role="status" data-until-typed="">{is_saved.then_some("Saved.")}</span>
                </div>
            </ActionForm>
            <Problem refusal=refusal(save.into())/>
        </Section>
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
        <Check name=name value="true" checked=checked><span>{label} <br/> <span class="soft">{meaning}</span></span></Check>
    }
}
