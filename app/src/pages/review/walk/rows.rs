//! What each rater said on a position: the labels there, and spans that overlap it.

use std::sync::Arc;

use domain::{Judgement, LabelSet, MemberId, OverlappingPosition, Rater, WalkStep};

use super::choices::Subject;
use crate::pages::components::{
    agreement::disagreements::{chips::LabelChips, row::Said},
    prelude::*,
};

/// A row for each rater who judged the position or marked something beside it; the others in one
/// line.
#[component]
pub(super) fn Rows(step: WalkStep, raters: Arc<[Rater]>, subject: Subject) -> impl IntoView {
    let of_documents = subject.is_of_documents();
    let overlaps = |id: MemberId| {
        step.overlapping.iter().filter(move |position| position.rater == id).cloned()
    };
    let (silent, said): (Vec<_>, Vec<_>) =
        raters.iter().enumerate().zip(&step.judgements).partition(|((_, rater), judgement)| {
            **judgement == Judgement::NotJudged && overlaps(rater.id).next().is_none()
        });
    let rows = said
        .into_iter()
        .map(|((place, rater), judgement)| {
            let label = step.labels.get(place).filter(|_| *judgement == Judgement::Nothing);
            let label = label.and_then(|label| match label {
                Judgement::Labels(set) if !set.is_empty() => Some(set.clone()),
                _ => None,
            });
            let overlapping = overlaps(rater.id).collect();
            let (rater, judgement) = (rater.clone(), judgement.clone());
            view! { <Row rater judgement label overlapping subject=subject.clone()/> }
        })
        .collect_view();
    let silent: Vec<_> = silent.into_iter().map(|((_, rater), _)| rater.name.clone()).collect();
    let silent = (!silent.is_empty()).then(|| {
        view! { <p class="soft">"Not judged by "<bdi>{silent.join(", ")}</bdi>"."</p> }
    });
    let heads = if of_documents {
        heads([Text("Rater"), Text("Answer")]).into_any()
    } else {
        heads([Text("Rater"), Text("On this position"), Text("Overlapping it")]).into_any()
    };
    view! {
        <table class="rows walk-marks">
            <caption class="visually-hidden">"Answers by rater"</caption>
            {heads}
            <tbody>{rows}</tbody>
        </table>
        {silent}
    }
}

#[component]
fn Row(
    rater: Rater,
    judgement: Judgement,
    /// The labels of somebody who has not answered what is asked about them.
    label: Option<LabelSet>,
    overlapping: Vec<OverlappingPosition>,
    subject: Subject,
) -> impl IntoView {
    let (labels, of_documents) = (Arc::clone(&subject.categories), subject.is_of_documents());
    let said = match label {
        None => view! { <Said judgement labels=labels.clone()/> }.into_any(),
        Some(set) => {
            view! { <LabelChips set labels=subject.labels/>" "<span class="soft">"no answer"</span> }
                .into_any()
        }
    };
    let beside = if overlapping.is_empty() {
        view! { <span class="soft">"–"</span> }
    } else {
        let overlapping = overlapping
            .into_iter()
            .map(|position| {
                let place = format!("{}–{}", position.range.start, position.range.end);
                view! {
                    <li>
                        <LabelChips set=position.labels labels=labels.clone()/>
                        <q dir="auto">{position.quote}</q>
                        <span class="soft number">{place}</span>
                    </li>
                }
            })
            .collect_view();
        view! { <ul class="plain-list stack tight">{overlapping}</ul> }
    };
    let role = rater.role.name();
    let here = if of_documents { "Answer" } else { "On this position" };
    view! {
        <tr>
            <th scope="row"><bdi>{rater.name}</bdi>" "<span class="soft">{role}</span></th>
            <td data-head=here>{said}</td>
            {(!of_documents).then(|| view! { <td class="beside" data-head="Overlapping it">{beside}</td> })}
        </tr>
    }
}
