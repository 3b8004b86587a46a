//! The matrix of a comparison. Its cells lead to the pair further down the page.

use domain::{AgreementSnapshot, Rater};

use super::pairs::pair_id;
use crate::pages::components::{
    agreement::matrix::table::{cell::texts, face::face},
    prelude::*,
};

#[component]
pub(super) fn Matrix(
    matrix: AgreementSnapshot,
    /// Whether each pair has a section on the page.
    has_pairs: bool,
) -> impl IntoView {
    let heads = matrix.raters.iter().map(|rater| {
        let (name, title) = (rater.name.clone(), rater.name.clone());
        view! { <th scope="col" dir="auto" title=title><span class="name">{name}</span></th> }
    });
    let heads = heads.collect_view();
    let rows = matrix.raters.iter().map(|row| {
        let cells = matrix.raters.iter().map(|column| cell(&matrix, row, column, has_pairs));
        let (name, title) = (row.name.clone(), row.name.clone());
        view! {
            <tr>
                <th scope="row" dir="auto" title=title><span class="name">{name}</span></th>
                {cells.collect_view()}
            </tr>
        }
    });
    view! {
        <div class="matrix-region" role="region" aria-labelledby="matrix-title" tabindex="0">
            <table class="matrix">
                <caption class="visually-hidden">"Agreement by pair"</caption>
                <thead><tr><th scope="col" class="corner">"Rater"</th>{heads}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

fn cell(matrix: &AgreementSnapshot, row: &Rater, column: &Rater, has_pairs: bool) -> AnyView {
    if row.id == column.id {
        return view! { <td class="cell same">"—"<span class="visually-hidden">"same person"</span></td> };
    }
    let Some(cell) = matrix.cell(row.id, column.id) else {
        return view! { <td class="cell pair undefined"></td> };
    };
    let face = face(cell, matrix.switches.scale);
    let weak = if face.few.is_some() { " weak" } else { "" };
    let class = format!("cell pair {}{weak}", face.class);
    let names = format!("{} and {}: ", row.name, column.name);
    let address = if has_pairs {
        format!("#{}", pair_id(cell.first, cell.second))
    } else {
        "#differing".to_owned()
    };
    let (sentence, shown) = texts(face);
    view! {
        <td class=class>
            <a href=address title=sentence><span class="visually-hidden">{names}</span>{shown}</a>
        </td>
    }
}
