//! Every position on which people differ: the beginning of the adjudication list.

use std::sync::Arc;

use domain::{Disagreement, DisagreementList, Label, Page, Rater};

use crate::pages::components::{
    agreement::disagreements::{
        kind::kind_told,
        row::{Said, after, before, grouped},
    },
    prelude::*,
};

#[component]
pub(super) fn Differing(list: DisagreementList, labels: Arc<[Label]>) -> impl IntoView {
    let DisagreementList { raters, page: Page { rows, total, .. } } = list;
    let shown = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let words = match total {
        0 => "No differences.".to_owned(),
        _ if shown < total => format!(
            "First {shown} of {}; the exports above have all.",
            display::count(total, "position")
        ),
        _ => display::count(total, "position") + ".",
    };
    let rows = rows
        .into_iter()
        .map(|row| view! { <Row row raters=raters.clone() labels=labels.clone()/> });
    let table = (total > 0).then(|| {
        view! {
            <table class="rows disagreements">
                <caption class="visually-hidden">"Positions with differences"</caption>
                {heads([Text("Position"), Text("Kind"), Text("Who said what")])}
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
    });
    view! {
        <Section title_id="differing-title" title="Differences" id="differing">
            <p class="soft">{words}</p>
            {table}
        </Section>
    }
}

#[component]
fn Row(row: Disagreement, raters: Vec<Rater>, labels: Arc<[Label]>) -> impl IntoView {
    let (icon, kind, meaning) = kind_told(row.kind, &row.judgements);
    let place = format!("{}–{}", row.range.start, row.range.end);
    let said = grouped(&raters, row.judgements).into_iter().map(|(judgement, names)| {
        view! { <li><Said judgement labels=labels.clone()/><bdi class="names">{names.join(", ")}</bdi></li> }
    });
    view! {
        <tr>
            <th scope="row" data-head="Position">
                <span class="quote" dir="auto">
                    {before(&row.left)}<mark>{row.quote}</mark>{after(&row.right)}
                </span>
                <span class="where">
                    <bdi>{row.document_name}</bdi>" "
                    <span class="soft number" title=OFFSETS>{place}</span>
                </span>
            </th>
            <td data-head="Kind"><span class="kind" title=meaning><span aria-hidden="true">{icon}</span>{kind}</span></td>
            <td data-head="Who said what"><ul class="judgements">{said.collect_view()}</ul></td>
        </tr>
    }
}
