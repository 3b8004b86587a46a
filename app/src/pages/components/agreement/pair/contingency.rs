//! The contingency table of a pair: who said what where the other said what.

use domain::{PairView, PositionQuery, Whose};

use super::{
    cell::Cell,
    share::{column_totals, row_totals},
};
use crate::{
    pages::components::{agreement::counted::Counted, prelude::*},
    query::PairLook,
};

/// The counts behind the value: rows are the first rater's categories, columns the second's.
#[component]
pub(crate) fn ContingencyTable(pair: PairView, look: PairLook) -> impl IntoView {
    let (project, switches) = (pair.project, pair.switches);
    let two = (pair.first.id, pair.second.id);
    let looks = [(false, "Numbers"), (true, "Squares")].map(|(squares, text)| {
        let address = PairLook { squares, ..look }.address(project, two, switches);
        let current = (squares == look.squares).then_some("true");
        view! { <a class="button" href=address aria-current=current>{text}</a> }
    });
    view! {
        <section class="stack" id="table" aria-labelledby="table-title">
            <div class="row spread">
                <h2 id="table-title">"Contingency table"</h2>
                <div class="segmented" role="group" aria-label="Show counts as">{looks.collect_view()}</div>
            </div>
            <Lead line="Framed cells: both gave the same label. Each count opens its positions." about="contingency table">
                <p>"Rows are the labels of the first person, columns those of the second. The larger a count outside the frames, the more often the two labels are confused."</p>
                <p>"∅ means no label. In the view “Squares”, area is the count (Hinton diagram)."</p>
            </Lead>
            <Counts pair look/>
        </section>
    }
}

/// The table alone.
#[component]
pub(crate) fn Counts(pair: PairView, look: PairLook) -> impl IntoView {
    if pair.categories.is_empty() {
        return view! { <p class="soft">"No counted positions."</p> };
    }
    let PairView { project, switches, first, second, categories, counts, .. } = pair.clone();
    let all = PositionQuery::of(Whose::Pair(first.id, second.id), switches);
    let largest = counts.iter().flatten().copied().max().unwrap_or(0);
    let sums = column_totals(&counts, categories.len());
    let total: u64 = sums.iter().sum();
    let heads = categories.iter().map(|category| {
        view! { <th scope="col" dir="auto"><span class="name">{category.name.clone()}</span></th> }
    });
    let rows = categories.iter().zip(counts.iter().zip(row_totals(&counts))).enumerate().map(
        |(row, (category, (in_row, sum)))| {
            let cells = in_row.iter().enumerate().map(|(column, &count)| {
                let (pair, squares) = (pair.clone(), look.squares);
                view! { <Cell pair row column count largest squares/> }
            });
            let query = PositionQuery { said: Some(category.labels.clone()), ..all.clone() };
            let of = format!("positions: {} said {}", first.name, category.name);
            view! {
                <tr>
                    <th scope="row" dir="auto"><span class="name">{category.name.clone()}</span></th>
                    {cells.collect_view()}
                    <td class="total"><Counted project count=sum query of/></td>
                </tr>
            }
        },
    );
    let sums = categories.iter().zip(sums).map(|(category, sum)| {
        let query = PositionQuery { against: Some(category.labels.clone()), ..all.clone() };
        let of = format!("positions: {} said {}", second.name, category.name);
        view! { <td class="total"><Counted project count=sum query of/></td> }
    });
    let (heads, rows, sums) = (heads.collect_view(), rows.collect_view(), sums.collect_view());
    let (row_name, column_name) = (first.name.clone(), second.name.clone());
    let width = (categories.len() + 1).to_string();
    view! {
        <Table label="Contingency table" class="contingency">
            <thead>
                <tr>
                    <td></td>
                    <th scope="colgroup" colspan=width class="rater"><bdi>{column_name}</bdi></th>
                </tr>
                <tr>
                    <th scope="col" class="rater"><bdi>{row_name}</bdi></th>
                    {heads}
                    <th scope="col" class="total">"Total"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row" class="total">"Total"</th>
                    {sums}
                    <td class="total">{display::thousands(total)}</td>
                </tr>
            </tfoot>
        </Table>
    }
}
