//! The contingency table of a pair: who said what where the other said what.

use domain::PairView;
use leptos::prelude::*;

use super::share::{column_totals, heat, row_totals};
use crate::display;
use crate::view::view;

/// The counts behind the value: rows are the first rater's categories, columns the second's.
#[component]
pub(crate) fn ContingencyTable(pair: PairView) -> impl IntoView {
    let PairView { first, second, categories, counts, .. } = pair;
    if categories.is_empty() {
        return view! {
            <section class="stack" aria-labelledby="table-title">
                <h2 id="table-title">"Contingency table"</h2>
                <p class="soft">"Empty: no position is counted."</p>
            </section>
        };
    }
    let largest = counts.iter().flatten().copied().max().unwrap_or(0);
    let sums = column_totals(&counts, categories.len());
    let total: u64 = sums.iter().sum();
    let heads = categories.iter().map(|category| {
        view! { <th scope="col" dir="auto"><span class="name">{category.name.clone()}</span></th> }
    });
    let rows = categories.iter().zip(counts.iter().zip(row_totals(&counts))).enumerate().map(
        |(index, (category, (row, sum)))| {
            let cells = row.iter().enumerate().map(|(column, &count)| {
                let class = format!("heat-{}", heat(count, largest));
                let same = column == index;
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
        },
    );
    let sums =
        sums.into_iter().map(|sum| view! { <td class="total">{display::thousands(sum)}</td> });
    let width = (categories.len() + 1).to_string();
    view! {
        <section class="stack" aria-labelledby="table-title">
            <h2 id="table-title">"Contingency table"</h2>
            <p class="soft">
                "Positions by what "<bdi>{first.name.clone()}</bdi>" (rows) and "<bdi>{second.name.clone()}</bdi>
                " (columns) said. Framed cells are those on which they said the same; ∅ is no label."
            </p>
            <div class="scroll-x" role="region" aria-labelledby="table-title" tabindex="0">
                <table class="contingency">
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="colgroup" colspan=width class="rater"><bdi>{second.name}</bdi></th>
                        </tr>
                        <tr>
                            <th scope="col" class="rater"><bdi>{first.name}</bdi></th>
                            {heads.collect_view()}
                            <th scope="col" class="total">"Total"</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                    <tfoot>
                        <tr>
                            <th scope="row" class="total">"Total"</th>
                            {sums.collect_view()}
                            <td class="total">{display::thousands(total)}</td>
                        </tr>
                    </tfoot>
                </table>
            </div>
        </section>
    }
}
