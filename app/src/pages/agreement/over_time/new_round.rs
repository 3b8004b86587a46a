//! The form that starts the next round: a plain one, with the present guidelines to be changed.

use domain::{NextRound, ProjectId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::rounds::StartRound,
    display,
    pages::components::{
        field::{Field, Problem, refusal},
        text_area::TextArea,
    },
    view::view,
};

#[component]
pub(super) fn NewRoundForm(
    project: ProjectId,
    /// The number of the round that is under way.
    present: u64,
    next: NextRound,
) -> impl IntoView {
    let start = ServerAction::<StartRound>::new();
    let refused = refusal(start.into());
    let what_moves = match next.untouched {
        0 => {
            "Every document has saved work: those that you import from then on join the new round."
                .to_owned()
        }
        n => format!(
            "{} that nobody has saved work on will move into it; those that you import from then on join it. \
             Documents with saved work stay in their round.",
            display::count(n, "document")
        ),
    };
    view! {
        <section class="card stack" aria-labelledby="new-round">
            <h2 id="new-round">"Start a new round"</h2>
            <p class="soft">{what_moves}</p>
            <ActionForm action=start attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="after" value=present.to_string()/>
                <Field form="round" name="title" label="Title" longest=120 required=false refusal=refused.clone()/>
                <div class="field">
                    <label for="round-note">"What has changed, and why (optional)"</label>
                    <TextArea
                        id="round-note"
                        class="short"
                        name="note"
                        longest=2_000
                        described_by="round-note-hint"
                    />
                    <p class="hint" id="round-note-hint">
                        "One change to a line reads best. Everybody in the project reads this beside the guidelines: name no people."
                    </p>
                </div>
                <div class="field">
                    <label for="round-guidelines">"Guidelines from then on"</label>
                    <TextArea
                        id="round-guidelines"
                        name="guidelines"
                        spellcheck="true"
                        described_by="round-guidelines-hint"
                        text=next.guidelines
                    />
                    <p class="hint" id="round-guidelines-hint">
                        "Markdown. Left as they are, they stay the same version."
                    </p>
                </div>
                <Problem refusal=refused fields=&["title"]/>
                <div class="actions">
                    <button class="primary">{format!("Start round {}", present + 1)}</button>
                </div>
            </ActionForm>
        </section>
    }
}
