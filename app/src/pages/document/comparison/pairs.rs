//! Each pair's table and where its number comes from.

use domain::{MemberId, PairView};

use crate::pages::components::{
    agreement::pair::{
        share::{column_totals, heat, row_totals},
        steps::filled,
    },
    prelude::*,
};

/// What a pair's section is known by in the page.
pub(super) fn pair_id(first: MemberId, second: MemberId) -> String {
    format!("pair-{}-{}", first.min(second), first.max(second))
}

#[component]
pub(super) fn Pairs(pairs: Vec<PairView>) -> impl IntoView {
    let pairs = pairs.into_iter().map(|pair| view! { <Pair pair/> });
    view! {
        <Section title_id="pairs-title" title="Contingency tables">
            <Lead line="Rows: the first rater; columns: the second. Framed cells: same label." about="contingency tables">
                <p>"∅ means no label."</p>
            </Lead>
            {pairs.collect_view()}
        </Section>
    }
}

#[component]
fn Pair(pair: PairView) -> impl IntoView {
    let id = pair_id(pair.first.id, pair.second.id);
    let title = format!("{id}-title");
    let named_by = title.clone();
    let (first, second) = (pair.first.name.clone(), pair.second.name.clone());
    let table = if pair.categories.is_empty() {
        view! { <p class="soft">"No counted positions."</p> }
    } else {
        view! { <Contingency pair=pair.clone() labelled_by=title.clone()/> }
    };
    view! {
        <section class="card" id=id aria-labelledby=named_by tabindex="-1">
            <h3 id=title><bdi>{first}</bdi>" × "<bdi>{second}</bdi></h3>
            {table}
            <details class="guide">
                <summary>"Why this number"</summary>
                <div class="stack">{filled(pair)}</div>
            </details>
        </section>
    }
}

#[component]
fn Contingency(pair: PairView, labelled_by: String) -> impl IntoView {
    let PairView { first, second, categories, counts, .. } = pair;
    let largest = counts.iter().flatten().copied().max().unwrap_or(0);
    let columns = column_totals(&counts, categories.len());
    let total: u64 = columns.iter().sum();
    let heads = categories.iter().map(|category| {
        view! { <th scope="col" dir="auto"><span class="name">{category.name.clone()}</span></th> }
    });
    let heads = heads.collect_view();
    let rows = categories.iter().zip(counts.iter().zip(row_totals(&counts))).enumerate();
    let rows = rows.map(|(row, (category, (in_row, sum)))| {
        let cells = in_row.iter().enumerate().map(|(column, &count)| {
            let class = format!("heat-{}", heat(count, largest));
            let same = row == column;
            view! {
                <td class=class class:same=same>
                    {display::thousands(count)}
                    {same.then(|| view! { <span class="visually-hidden">" the same"</span> })}
                </td>
            }
        });
        view! {
            <tr>
                <th scope="row" dir="auto"><span class="name">{category.name.clone()}</span></th>
                {cells.collect_view()}
                <td class="total">{display::thousands(sum)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let sums =
        columns.into_iter().map(|sum| view! { <td class="total">{display::thousands(sum)}</td> });
    let width = (categories.len() + 1).to_string();
    view! {
        <Table labelled_by=labelled_by class="contingency">
            <thead>
                <tr>
                    <td></td>
                    <th scope="colgroup" colspan=width class="rater"><bdi>{second.name}</bdi></th>
                </tr>
                <tr>
                    <th scope="col" class="rater"><bdi>{first.name}</bdi></th>
                    {heads}
                    <th scope="col" class="total">"Total"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row" class="total">"Total"</th>
                    {sums.collect_view()}
                    <td class="total">{display::thousands(total)}</td>
                </tr>
            </tfoot>
        </Table>
    }
}
