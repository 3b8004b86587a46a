//! The reasons that reviewers choose from.

use domain::{MOST_REASONS, ProjectId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::reasons::SaveReasons,
    pages::components::{
        field::{Problem, refusal},
        text_area::TextArea,
    },
    view::view,
};

#[component]
pub(super) fn Reasons(project: ProjectId, reasons: Vec<String>) -> impl IntoView {
    let save = ServerAction::<SaveReasons>::new();
    let rows = MOST_REASONS.to_string();
    view! {
        <section class="card stack" id="reasons" aria-labelledby="reasons-title">
            <h2 id="reasons-title">"Reasons for decisions"</h2>
            <ActionForm action=save attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <div class="field">
                    <label for="reasons-list">"One a line, at most nine"</label>
                    <TextArea
                        id="reasons-list"
                        class="short"
                        name="reasons"
                        rows
                        described_by="reasons-hint"
                        text=reasons.join("\n")
                    />
                    <p class="hint" id="reasons-hint">
                        "Reviewers pick one by its digit, or write their own words. What was given before stays as it was given. "
                        <a href=format!("/projects/{project}/agreement/reasons")>"How often each is given"</a>
                    </p>
                </div>
                <Problem refusal=refusal(save.into())/>
                <div class="row"><button>"Save reasons"</button></div>
            </ActionForm>
        </section>
    }
}
