//! The reasons that reviewers choose from.

use domain::{MOST_REASONS, ProjectId};

use crate::{api::project::reasons::SaveReasons, pages::components::prelude::*};

#[component]
pub(super) fn Reasons(project: ProjectId, reasons: Vec<String>) -> impl IntoView {
    let save = ServerAction::<SaveReasons>::new();
    let rows = MOST_REASONS.to_string();
    view! {
        <Section title_id="reasons-title" title="Reasons for decisions" class="card stack" id="reasons">
            <ActionForm action=save attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <div class="field">
                    <label for="reasons-list">"One per line, at most nine"</label>
                    <TextArea
                        id="reasons-list"
                        class="short"
                        name="reasons"
                        rows
                        described_by="reasons-hint"
                        text=reasons.join("\n")
                    />
                    <p class="hint" id="reasons-hint">
                        "Reviewers pick one by its digit or write their own. Earlier decisions keep their reason. "
                        <a href=format!("/projects/{project}/agreement/reasons")>"Reasons by label"</a>
                    </p>
                </div>
                <Problem refusal=refusal(save.into())/>
                <div class="row"><button>"Save reasons"</button></div>
            </ActionForm>
        </Section>
    }
}
