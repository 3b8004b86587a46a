//! The head of a column that sorts by it.

use domain::Sorting;

use crate::pages::components::prelude::*;

/// A head with a link that sorts by its column, or the other way round.
#[component]
pub(crate) fn SortHead<O, F>(
    text: &'static str,
    order: O,
    sorting: Sorting<O>,
    /// The address of the page under another order.
    address: F,
    /// Whether the column has numbers.
    #[prop(optional)]
    number: bool,
) -> impl IntoView
where
    O: PartialEq + Copy + 'static,
    F: Fn(&Sorting<O>) -> String,
{
    let (state, arrow) = match (sorting.order == order, sorting.descending) {
        (false, _) => (None, ""),
        (true, false) => (Some("ascending"), " ▲"),
        (true, true) => (Some("descending"), " ▼"),
    };
    let address = address(&sorting.sorted_by(order));
    view! {
        <th scope="col" aria-sort=state class:number=number>
            <a href=address>{text}<span aria-hidden="true">{arrow}</span></a>
        </th>
    }
}
