//! The form that decides on a position, by buttons that have keys.

use std::sync::Arc;

use domain::{Deciding, Position, ProjectId, Rater, SeenPosition, WalkList, WalkStep, WorkState};

use super::{
    boundaries::BoundaryForm,
    choices::{Choices, Subject},
    note::{LetterKeys, Note},
};
use crate::{api::review::walk::Decide, pages::components::prelude::*};

/// What a reviewer decides at a step.
#[component]
pub(super) fn DecideHere(
    project: ProjectId,
    list: WalkList,
    step: WalkStep,
    raters: Arc<[Rater]>,
    subject: Subject,
) -> impl IntoView {
    let position = step.position;
    let deciding = step.deciding.clone()?;
    Some(if deciding.state == WorkState::Submitted {
        let review = format!("/documents/{}/review", position.document);
        view! {
            <Section title_id="walk-decide" title="Your decision" class="card stack">
                <p class="soft">
                    "Review finished. "
                    <a href=review>"Reopen it"</a>" to decide again."
                </p>
            </Section>
        }
    } else if let Some(group) = step.group.clone() {
        view! { <BoundaryForm project list step group deciding raters subject/> }
    } else {
        view! { <DecidePosition project list position deciding subject/> }
    })
}

/// Decides on a position, or on everything like it.
#[component]
fn DecidePosition(
    project: ProjectId,
    list: WalkList,
    position: Position,
    deciding: Deciding,
    subject: Subject,
) -> impl IntoView {
    let (decide, refused) = form_action::<Decide>();
    let alike = (deciding.alike > 1).then(|| {
        let address = query::alike_address(project, &list, position);
        let n = display::thousands(deciding.alike);
        view! {
            <p>
                <a href=address data-key="s">{format!("Same decision for all {n} like this …")}</a>
                " "<kbd aria-hidden="true">"S"</kbd>
            </p>
        }
    });
    let seen = SeenPosition { position, base: deciding.base };
    let Deciding { own, given, note, .. } = deciding;
    let take_back = own.is_some().then(|| {
        view! {
            <button class="quiet" name="choice" value="back" data-key="Delete Backspace">
                "Undo decision "<kbd aria-hidden="true">"Del"</kbd>
            </button>
        }
    });
    let is_of_documents = subject.is_of_documents();
    let reject = (!is_of_documents).then(|| {
        let words = if subject.asked.is_some() { "Reject span " } else { "Reject " };
        view! {
            <button class="danger" name="choice" value="none" data-key="r" disabled=given.is_empty()>
                {words}<kbd aria-hidden="true">"R"</kbd>
            </button>
        }
    });
    // What is answered about a document has no reason.
    let note = (!is_of_documents).then(|| view! { <Note project form="walk" note/> });
    view! {
        <Section title_id="walk-decide" title="Your decision" class="card stack">
            <ActionForm action=decide attr:class="stack" attr:data-step="">
                {hidden_fields([("project", &project), ("walk", &query::write_walk(&list)), ("seen", &seen)])}
                <Choices subject given own of=position.to_string()/>
                <div class="row">{reject}{take_back}</div>
                {note}
                <Problem refusal=refused/>
            </ActionForm>
            {alike}
            <LetterKeys/>
        </Section>
    }
}
