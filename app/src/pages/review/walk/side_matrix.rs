//! The matrix beside the walk, as small as it can be: it moves as one decides.

use domain::{AgreementSnapshot, Rater, Role};

use crate::pages::components::{
    agreement::matrix::{
        controls::{arrangement::Arrangement, switch_bar::measure_name},
        table::{
            board::{Board, pair_key},
            face::face,
            window::Window,
        },
    },
    prelude::*,
};

/// With more raters than this there is room for the reviewers' columns only: it is those that a
/// decision moves most.
const ALL_COLUMNS: usize = 8;

/// Every rater with every other, by numbers that the rows give names to.
pub(super) fn side_matrix(snapshot: AgreementSnapshot) -> AnyView {
    let measure = measure_name(snapshot.switches.measure);
    let board = Board::new(snapshot, Arrangement::default(), &Window::whole(0, 0));
    if board.size() < 2 {
        return ().into_any();
    }
    let raters: Vec<(usize, &Rater)> = board.rows().collect();
    let is_small = raters.len() <= ALL_COLUMNS;
    let columns: Vec<_> = raters
        .iter()
        .copied()
        .filter(|(_, rater)| is_small || rater.role == Role::Reviewer)
        .collect();
    let heads = columns.iter().map(|(place, rater)| {
        let (name, title) = (rater.name.clone(), rater.name.clone());
        view! {
            <th scope="col" class="number" title=title>
                <span aria-hidden="true">{place + 1}</span>
                <span class="visually-hidden" dir="auto">{name}</span>
            </th>
        }
    });
    let rows = raters.iter().map(|(place, row)| {
        let cells = columns.iter().map(|(_, column)| small_cell(&board, row, column));
        view! {
            <tr>
                <th scope="row">
                    <span class="number soft" aria-hidden="true">{place + 1}</span>
                    " "
                    <bdi>{row.name.clone()}</bdi>
                </th>
                {cells.collect_view()}
            </tr>
        }
    });
    view! {
        <div class="side-matrix" tabindex="0" role="region" aria-label="Matrix">
            <table class="matrix mini">
                <caption>{format!("{measure} by pair")}</caption>
                <thead><tr><td></td>{heads.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

/// The value of two raters, and all that is known of it where one points at it.
fn small_cell(board: &Board, row: &Rater, column: &Rater) -> AnyView {
    if row.id == column.id {
        return view! { <td class="same"><span class="visually-hidden">"same person"</span></td> };
    }
    let cell = board.cell(row.id, column.id);
    let face = cell.map(|cell| face(cell, board.snapshot.switches.scale));
    let (first, second) = pair_key(row.id, column.id);
    let (class, value, title) = match face {
        Some(face) => (format!("pair number {}", face.class), face.value, face.sentence),
        None => ("pair number undefined".to_owned(), "–".to_owned(), String::new()),
    };
    view! { <td class=class title=title data-pair=format!("{first}-{second}")>{value}</td> }
}
