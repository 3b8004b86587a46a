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
        view! { <BoundaryForm project list step group deciding raters labels=subject.labels/> }
    } else if subject.is_of_spans() && deciding.comes_with.is_none() {
        view! { <LabelFirst position is_against=deciding.own.is_some()/> }
    } else {
        view! { <DecidePosition project list position deciding subject/> }
    })
}

/// Why there is no answer to decide on a span.
#[component]
fn LabelFirst(position: Position, is_against: bool) -> impl IntoView {
    let words = if is_against {
        "You decided against this label here."
    } else {
        "Labelers differ on the span. Decide it first."
    };
    view! {
        <Section title_id="walk-decide" title="Your decision" class="card stack">
            <p class="soft">{words}</p>
            <p><a href=query::review_address(position)>"Open in the review"</a></p>
            <LetterKeys/>
        </Section>
    }
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
    let is_asked = subject.asked.is_some();
    let take_back = own.is_some().then(|| {
        view! {
            <button class="quiet" name="choice" value="back" data-key="Delete Backspace" formnovalidate="">
                "Undo decision "<kbd aria-hidden="true">"Del"</kbd>
            </button>
        }
    });
    // Spans are rejected where their labels are decided, with a reason.
    let reject = (!is_asked).then(|| {
        view! {
            <button class="danger" name="choice" value="none" data-key="r" disabled=given.is_empty()>
                "Reject "<kbd aria-hidden="true">"R"</kbd>
            </button>
        }
    });
    let note = (!is_asked).then(|| view! { <Note project form="walk" note/> });
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
