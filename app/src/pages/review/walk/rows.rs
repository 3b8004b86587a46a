//! What each rater said on a position: the labels there, and spans that overlap it.

use std::sync::Arc;

use domain::{Judgement, Label, MemberId, OverlappingPosition, Rater, WalkStep};

use crate::pages::components::{
    agreement::disagreements::{chips::LabelChips, row::Said},
    prelude::*,
};

/// A row for each rater who judged the position or marked something beside it; the others in one
/// line.
#[component]
pub(super) fn Rows(
    step: WalkStep,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
    of_documents: bool,
) -> impl IntoView {
    let overlaps = |id: MemberId| {
        step.overlapping.iter().filter(move |position| position.rater == id).cloned()
    };
    let (silent, said): (Vec<_>, Vec<_>) =
        raters.iter().zip(&step.judgements).partition(|(rater, judgement)| {
            **judgement == Judgement::NotJudged && overlaps(rater.id).next().is_none()
        });
    let rows = said
        .into_iter()
        .map(|(rater, judgement)| {
            let overlapping = overlaps(rater.id).collect();
            let (rater, judgement) = (rater.clone(), judgement.clone());
            view! { <Row rater judgement overlapping labels=labels.clone() of_documents/> }
        })
        .collect_view();
    let silent: Vec<_> = silent.into_iter().map(|(rater, _)| rater.name.clone()).collect();
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
    overlapping: Vec<OverlappingPosition>,
    labels: Arc<[Label]>,
    of_documents: bool,
) -> impl IntoView {
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
            <td data-head=here><Said judgement labels/></td>
            {(!of_documents).then(|| view! { <td class="beside" data-head="Overlapping it">{beside}</td> })}
        </tr>
    }
}
