//! What all forms of the walk have: the reason for a decision, and the switch for keys.

use domain::ProjectId;

use crate::pages::{components::prelude::*, project::reasons::load_reasons};

/// The reason for a decision.
#[component]
pub(super) fn Note(project: ProjectId, form: &'static str, note: String) -> impl IntoView {
    let id = format!("{form}-note");
    let reasons = load(load_reasons(project));
    let list = move |reasons: Vec<String>| {
        let id = format!("{form}-reason");
        let options: Vec<_> = reasons
            .into_iter()
            .map(|reason| {
                let value = reason.clone();
                view! { <option value=value>{reason}</option> }
            })
            .collect();
        view! {
            <div class="field">
                <label for=id.clone()>"Reason"</label>
                <select id=id name="why[reason]" dir="auto">
                    <option value="">"–"</option>
                    {options}
                </select>
            </div>
        }
    };
    view! {
        <Loaded resource=reasons quiet=true view=list/>
        <div class="field">
            <label for=id.clone()>"Reason in your own words"</label>
            <TextArea id class="short" name="why[note]" rows="2" longest=domain::LONGEST_NOTE text=note/>
        </div>
    }
}

/// The switch for keys that are letters or digits; without a script there are no keys at all.
#[component]
pub(super) fn LetterKeys() -> impl IntoView {
    view! {
        <p class="soft keys scripted">
            <label>
                <input type="checkbox" checked="" data-letter-keys=""/>
                " Use single-key shortcuts"
            </label>
        </p>
    }
}
