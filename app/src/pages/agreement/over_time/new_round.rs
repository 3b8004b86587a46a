//! The form that starts the next round: a plain one, with the present guidelines to be changed.

use domain::{NextRound, ProjectId};

use crate::{api::project::rounds::StartRound, pages::components::prelude::*};

#[component]
pub(super) fn NewRoundForm(
    project: ProjectId,
    /// The number of the round that is under way.
    present: u64,
    next: NextRound,
) -> impl IntoView {
    let (start, refused) = form_action::<StartRound>();
    let what_moves = match next.untouched {
        0 => "No untouched documents. New imports join the round.".to_owned(),
        n => format!(
            "{} without saved work move into it; later imports join it. Documents with saved work \
             stay in their round.",
            display::count(n, "document")
        ),
    };
    view! {
        <Section title_id="new-round" title="New round" class="card stack">
            <p class="soft">{what_moves}</p>
            <ActionForm action=start attr:class="stack">
                {hidden_fields([("project", &project), ("after", &present)])}
                <Field form="round" name="title" label="Title" longest=120 required=false refusal=refused.clone()/>
                <div class="field">
                    <label for="round-note">"What changed, and why (optional)"</label>
                    <TextArea
                        id="round-note"
                        class="short"
                        name="note"
                        longest=2_000
                        described_by="round-note-hint"
                    />
                    <p class="hint" id="round-note-hint">
                        "One change per line. Everyone in the project reads this: name no people."
                    </p>
                </div>
                <div class="field">
                    <label for="round-guidelines">"New guidelines"</label>
                    <TextArea
                        id="round-guidelines"
                        name="guidelines"
                        spellcheck="true"
                        described_by="round-guidelines-hint"
                        text=next.guidelines
                    />
                    <p class="hint" id="round-guidelines-hint">
                        "Markdown. Unchanged text keeps its version."
                    </p>
                </div>
                <Problem refusal=refused fields=&["title"]/>
                <div class="actions">
                    <button class="primary">{format!("Start round {}", present + 1)}</button>
                </div>
            </ActionForm>
        </Section>
    }
}
