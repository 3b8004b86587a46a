//! The matrix at a glance: every pair as a coloured link.

use std::sync::Arc;

use domain::{MemberId, Rater};
use leptos::tachys::view::RenderHtml;
use services::agreement::SharedSnapshot;

use crate::pages::components::{
    agreement::matrix::table::face::{Face, face},
    prelude::*,
};

/// Above so many raters a cell has a colour and no number.
const NUMBERED: usize = 12;

/// Nothing where nobody is compared.
#[component]
pub(super) fn SmallMatrix(matrix: Arc<SharedSnapshot>) -> impl IntoView {
    if matrix.cells.iter().all(|cell| cell.n == 0) {
        return None;
    }
    let href = query::matrix_address(matrix.project, matrix.switches);
    // Rendered once for all who look at these numbers, as the large one is.
    let table = matrix.rendered("overview".to_owned(), || table(&matrix).to_html());
    Some(view! {
        <Section title_id="pairs-title" title="Pairs" class="stack small-matrix-section">
            <div class="scroll-x" role="region" tabindex="0" aria-labelledby="pairs-title" inner_html=table.to_string()></div>
            <p class="soft">"α of each pair, everything counted. "<a href=href>"Open matrix"</a></p>
        </Section>
    })
}

fn table(matrix: &SharedSnapshot) -> AnyView {
    let raters = &matrix.raters;
    let with_numbers = raters.len() <= NUMBERED;
    let heads: Vec<_> = raters
        .iter()
        .map(|rater| {
            let (name, title) = (rater.name.clone(), rater.name.clone());
            view! { <th scope="col" dir="auto" title=title><span>{name}</span></th> }
        })
        .collect();
    let rows: Vec<_> = raters
        .iter()
        .map(|row| {
            let cells: Vec<_> =
                raters.iter().map(|column| cell(matrix, row, column, with_numbers)).collect();
            let (name, title) = (row.name.clone(), row.name.clone());
            view! {
                <tr>
                    <th scope="row" dir="auto" title=title><span>{name}</span></th>
                    {cells}
                </tr>
            }
        })
        .collect();
    view! {
        <table class="small-matrix">
            <caption class="visually-hidden">"α of every two raters, everything counted"</caption>
            <thead><tr><td></td>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn cell(matrix: &SharedSnapshot, row: &Rater, column: &Rater, with_number: bool) -> AnyView {
    if row.id == column.id {
        return view! { <td class="same"></td> };
    }
    let Some(face) = find(matrix, row.id, column.id) else {
        return view! { <td class="undefined"></td> };
    };
    let Face { class, value, sentence, .. } = face;
    let href = query::pair_address(matrix.project, row.id, column.id, matrix.switches);
    let name = format!("{} and {}: {sentence}", row.name, column.name);
    let title = name.clone();
    view! {
        <td class=class>
            <a href=href title=title aria-label=name><span class="number">{with_number.then_some(value)}</span></a>
        </td>
    }
}

fn find(matrix: &SharedSnapshot, one: MemberId, other: MemberId) -> Option<Face> {
    let pair = [(one, other), (other, one)];
    let cell = matrix.cells.iter().find(|cell| pair.contains(&(cell.first, cell.second)))?;
    Some(face(cell, matrix.switches.scale))
}
