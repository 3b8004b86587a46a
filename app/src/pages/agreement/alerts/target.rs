//! The form for a project’s target.

use domain::{ProjectId, Target};

use crate::{
    api::agreement::target::SaveTarget,
    pages::components::{agreement::target::TargetFields, prelude::*},
};

#[component]
pub(super) fn TargetForm(
    project: ProjectId,
    target: Option<Target>,
    /// Whether it has just been saved.
    is_saved: bool,
) -> impl IntoView {
    let (save, refused) = form_action::<SaveTarget>();
    view! {
        <Section title_id="target-title" title="Target for agreement" class="card stack" id="target">
            <ActionForm action=save attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <TargetFields form="target" target refusal=refused.clone()/>
                <Problem refusal=refused fields=&["at_least"]/>
                <div class="row">
                    <button>"Save target"</button>
                    <span role="status" data-until-typed="">{is_saved.then_some("Saved.")}</span>
                </div>
            </ActionForm>
        </Section>
    }
}
