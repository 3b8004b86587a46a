//! Every position on which people differ: the beginning of the adjudication list.

use std::sync::Arc;

use domain::{Disagreement, DisagreementList, Label, Page, Rater};
use leptos::prelude::*;

use crate::{
    display,
    pages::components::{
        disagreements::{
            kind::kind_words,
            row::{Said, after, before, grouped},
        },
        table::{Text, heads},
    },
    view::view,
};

#[component]
pub(super) fn Differing(list: DisagreementList, labels: Arc<[Label]>) -> impl IntoView {
    let DisagreementList { raters, page: Page { rows, total, .. } } = list;
    let shown = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let words = match total {
        0 => "They differ nowhere.".to_owned(),
        _ if shown < total => format!(
            "The first {shown} of {}; the files above have them all.",
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
                <caption class="visually-hidden">"Positions on which people differ"</caption>
                {heads([Text("Position"), Text("Kind"), Text("Who said what")])}
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
    });
    view! {
        <section class="stack" id="differing" aria-labelledby="differing-title">
            <h2 id="differing-title">"Where they differ"</h2>
            <p class="soft">{words}</p>
            {table}
        </section>
    }
}

#[component]
fn Row(row: Disagreement, raters: Vec<Rater>, labels: Arc<[Label]>) -> impl IntoView {
    let (icon, kind, meaning) = kind_words(row.kind);
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
                    <span class="soft number" title="characters from and to">{place}</span>
                </span>
            </th>
            <td data-head="Kind"><span class="kind" title=meaning><span aria-hidden="true">{icon}</span>{kind}</span></td>
            <td data-head="Who said what"><ul class="judgements">{said.collect_view()}</ul></td>
        </tr>
    }
}
