//! The form that decides on a position, by buttons that have keys.

use std::sync::Arc;

use domain::{
    Deciding, Label, LabelSet, Position, ProjectId, Rater, SeenPosition, WalkList, WalkStep,
    WorkState,
};

use super::{
    boundaries::BoundaryForm,
    note::{LetterKeys, Note},
};
use crate::{
    api::review::walk::Decide,
    pages::components::{agreement::disagreements::chips::LabelChips, prelude::*},
};

/// Choices that have a digit as their key.
const DIGITS: usize = 9;

/// What a reviewer decides at a step.
#[component]
pub(super) fn DecideHere(
    project: ProjectId,
    list: WalkList,
    step: WalkStep,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
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
        view! { <BoundaryForm project list step group deciding raters labels/> }
    } else {
        view! { <DecidePosition project list position deciding labels/> }
    })
}

/// Decides on a position, or on everything like it.
#[component]
fn DecidePosition(
    project: ProjectId,
    list: WalkList,
    position: Position,
    deciding: Deciding,
    labels: Arc<[Label]>,
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
    let note = deciding.own.as_ref().map(|own| own.note.clone()).unwrap_or_default();
    let take_back = deciding.own.is_some().then(|| {
        view! {
            <button class="quiet" name="choice" value="back" data-key="Delete Backspace">
                "Undo decision "<kbd aria-hidden="true">"Del"</kbd>
            </button>
        }
    });
    view! {
        <Section title_id="walk-decide" title="Your decision" class="card stack">
            <ActionForm action=decide attr:class="stack" attr:data-step="">
                {hidden_fields([("project", &project), ("walk", &query::write_walk(&list)), ("seen", &seen)])}
                <Choices deciding=deciding.clone() labels/>
                <div class="row">
                    <button class="danger" name="choice" value="none" data-key="r" disabled=deciding.given.is_empty()>
                        "Reject "<kbd aria-hidden="true">"R"</kbd>
                    </button>
                    {take_back}
                </div>
                <Note project form="walk" note/>
                <Problem refusal=refused/>
            </ActionForm>
            {alike}
            <LetterKeys/>
        </Section>
    }
}

/// A button for each set of labels that was given, then one for each other label.
#[component]
pub(super) fn Choices(deciding: Deciding, labels: Arc<[Label]>) -> impl IntoView {
    let own = deciding.own.map(|own| own.labels);
    let buttons = choices(&deciding.given, &labels)
        .into_iter()
        .enumerate()
        .map(|(place, (set, given))| {
            let key = (place < DIGITS).then(|| (place + 1).to_string());
            let hint = key.clone().map(|key| view! { <kbd aria-hidden="true">{key}</kbd> });
            let by = (given > 0).then(|| {
                view! { <span class="soft">{display::count(given, "labeler")}</span> }
            });
            let pressed = (own.as_ref() == Some(&set)).then_some("true");
            let verb = if given > 0 { "Accept" } else { "Give" };
            let name = format!("{verb} {}", naming::category(&set, &labels));
            let (value, labels) = (set.to_string(), labels.clone());
            view! {
                <li>
                    <button name="choice" value=value data-key=key aria-label=name aria-current=pressed>
                        <LabelChips set labels/>{by}{hint}
                    </button>
                </li>
            }
        })
        .collect_view();
    view! { <ul class="plain-list row choices-row" aria-label="Labels">{buttons}</ul> }
}

/// What can be chosen: what labelers gave, most first, then every label that nobody gave alone.
pub(super) fn choices(given: &[(LabelSet, u64)], labels: &[Label]) -> Vec<(LabelSet, u64)> {
    let others = labels.iter().map(|label| LabelSet::one(label.id));
    let others = others.filter(|set| given.iter().all(|(other, _)| other != set));
    given.iter().cloned().chain(others.map(|set| (set, 0))).collect()
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, NewLabel};

    use super::*;

    #[test]
    fn what_labelers_gave_comes_before_the_other_labels() {
        let labels: Vec<_> = (1..=3)
            .map(|id| {
                let NewLabel { name, colour, hotkey } = NewLabel::numbered("L", 0);
                Label { id: LabelId(id), name, colour, hotkey }
            })
            .collect();
        let one = |id| LabelSet::one(LabelId(id));
        let both: LabelSet = [LabelId(1), LabelId(2)].into_iter().collect();
        let given = [(one(3), 2), (both.clone(), 1)];
        assert_eq!(choices(&given, &labels), [(one(3), 2), (both, 1), (one(1), 0), (one(2), 0)]);
    }
}
