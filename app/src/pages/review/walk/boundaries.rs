//! The form that decides on positions that differ in their boundaries, all of them at once.

use std::sync::Arc;

use domain::{
    Alternative, Choice, Deciding, Group, GroupAnswer, GroupChoice, Label, LabelSet, ProjectId,
    Range, Rater, SeenPosition, WalkList, WalkStep,
};

use super::{
    choices::DIGITS,
    note::{LetterKeys, Note},
};
use crate::{
    api::review::walk::DecideBoundaries,
    pages::components::{
        agreement::disagreements::{
            chips::LabelChips,
            group::{Bounds, answer_chips, answer_words, people},
        },
        prelude::*,
    },
};

/// Lets one answer stand, and rejects the others unless that is switched off.
#[component]
pub(super) fn BoundaryForm(
    project: ProjectId,
    list: WalkList,
    step: WalkStep,
    group: Group,
    deciding: Deciding,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
) -> impl IntoView {
    let (decide, refused) = form_action::<DecideBoundaries>();
    let (quote, whole) = (step.quote, group.range());
    let document = step.position.document;
    let base = deciding.base;
    let seen_at =
        move |range| SeenPosition { position: domain::Position { document, range }, base };
    let seen: Vec<_> = group
        .positions
        .iter()
        .enumerate()
        .map(|(place, position)| {
            let value = seen_at(position.range).to_string();
            view! { <input type="hidden" name=format!("seen[{place}]") value=value/> }
        })
        .collect();
    let buttons: Vec<_> = group
        .alternatives
        .iter()
        .enumerate()
        .map(|(place, Alternative { answer, by })| {
            let key = (place < DIGITS).then(|| (place + 1).to_string());
            let hint = key.clone().map(|key| view! { <kbd aria-hidden="true">{key}</kbd> });
            let n = u64::try_from(by.len()).unwrap_or(u64::MAX);
            let given = display::count(n, "labeler");
            let names = people(by, &raters);
            let words = answer_words(&quote, whole, answer, &labels);
            let name = format!("Accept {words}, given by {given}: {names}");
            let pressed = stands(&group, answer).then_some("true");
            let value = also(answer.clone());
            let chips = answer_chips(answer, &labels);
            let (quote, answer) = (quote.clone(), answer.clone());
            view! {
                <li>
                    <button name="choice" value=value data-key=key aria-label=name aria-current=pressed>
                        <Bounds quote whole answer/>
                        {chips}
                        <span class="soft">{given}</span>
                        {hint}
                    </button>
                    <p class="soft names"><bdi>{names}</bdi></p>
                </li>
            }
        })
        .collect();
    let without = people(&group.without, &raters);
    let without = (!without.is_empty()).then(|| {
        view! { <p class="soft">"No span here: "<bdi>{without}</bdi></p> }
    });
    let take_back = group.positions.iter().any(|position| position.own.is_some()).then(|| {
        view! {
            <button class="quiet" name="choice" value="back" data-key="t">
                "Undo decision "<kbd aria-hidden="true">"T"</kbd>
            </button>
        }
    });
    let relabel: Vec<_> = group
        .positions
        .iter()
        .map(|position| relabels(&quote, whole, position.range, &labels))
        .collect();
    let note = deciding.note;
    view! {
        <Section title_id="walk-decide" title="Your decision" class="card stack">
            <ActionForm action=decide attr:class="stack" attr:data-step="">
                {hidden_fields([("project", &project), ("walk", &query::write_walk(&list))])}
                {seen}
                <ol class="plain-list alternatives" aria-label="Boundaries">{buttons}</ol>
                <label class="check">
                    <input type="checkbox" name="reject_others" value="true" checked=""/>
                    " Reject the others"
                </label>
                {without}
                <div class="row">
                    <button class="danger" name="choice" value=none_of_them() data-key="r">
                        "Reject all "<kbd aria-hidden="true">"R"</kbd>
                    </button>
                    {take_back}
                </div>
                <details>
                    <summary>"Other labels"</summary>
                    <div class="stack">{relabel}</div>
                </details>
                <Note project form="walk" note/>
                <Problem refusal=refused/>
            </ActionForm>
            <LetterKeys/>
        </Section>
    }
}

/// One of the boundaries, with every label.
fn relabels(quote: &str, whole: Range, range: Range, labels: &Arc<[Label]>) -> AnyView {
    let buttons: Vec<_> = labels
        .iter()
        .map(|label| {
            let answer = GroupAnswer::one(range, LabelSet::one(label.id));
            let name = format!("Give {}", answer_words(quote, whole, &answer, labels));
            let (value, set) = (also(answer), LabelSet::one(label.id));
            let labels = labels.clone();
            view! {
                <li>
                    <button class="small" name="choice" value=value aria-label=name>
                        <LabelChips set labels/>
                    </button>
                </li>
            }
        })
        .collect();
    let answer = GroupAnswer::one(range, LabelSet::EMPTY);
    let quote = quote.to_owned();
    view! {
        <div>
            <Bounds quote whole answer/>
            <ul class="plain-list row choices-row">{buttons}</ul>
        </div>
    }
}

/// An answer as a button sends it; the switch beside says what becomes of the others.
fn also(answer: GroupAnswer) -> String {
    Choice::Choose(GroupChoice { answer, reject_others: false }).to_string()
}

fn none_of_them() -> String {
    Choice::Choose(GroupChoice { answer: GroupAnswer::default(), reject_others: true }).to_string()
}

/// Whether the viewer has decided so, on all of the group.
fn stands(group: &Group, answer: &GroupAnswer) -> bool {
    group.positions.iter().all(|position| match answer.0.get(&position.range) {
        Some(labels) => position.own.as_ref() == Some(labels),
        None => position.own.as_ref().is_some_and(LabelSet::is_empty),
    })
}
