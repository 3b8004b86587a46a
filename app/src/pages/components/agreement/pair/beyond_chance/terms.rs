//! Each category's term of the expected agreement, as a table.

use crate::pages::components::prelude::*;

/// A category, what each of the two gave it, and two columns that the measure has of that.
pub(super) type Term = (String, u64, u64, [String; 2]);

/// The terms under the heads of all columns but the first.
pub(super) fn terms_table(heads: [AnyView; 4], terms: Vec<Term>, sum: Option<AnyView>) -> AnyView {
    let heads = heads.map(|head| view! { <th scope="col" class="number">{head}</th> });
    let rows = terms.into_iter().map(|(name, row, column, own)| {
        let given = [row, column].map(display::thousands);
        let numbers = given.into_iter().chain(own);
        let cells = numbers.map(|number| view! { <td class="number">{number}</td> });
        view! { <tr><th scope="row" dir="auto">{name}</th>{cells.collect_view()}</tr> }
    });
    let rows = rows.collect_view();
    view! {
        <Table label="Terms of the expected agreement" class="rows terms">
            <thead><tr><th scope="col">"Category "<i>"k"</i></th>{heads.into_iter().collect_view()}</tr></thead>
            <tbody>{rows}</tbody>
            {sum.map(|sum| view! { <tfoot>{sum}</tfoot> })}
        </Table>
    }
}
