//! The table of the matrix: labelers, then reviewers in a band of their own, in rows and columns.

use domain::{Rater, Role};
use leptos::prelude::*;

use super::{
    board::Board,
    cell::cell,
    pooled::{pooled, pooled_name},
};
use crate::view::view;

/// The bands in the order in which they stand.
const BANDS: [Role; 2] = [Role::Labeler, Role::Reviewer];

/// The matrix as a table of links that the arrow keys walk through.
pub(crate) fn grid(board: &Board) -> AnyView {
    let class = if board.is_large() { "matrix large" } else { "matrix" };
    let heads = BANDS.map(|role| band_head(board, role));
    let columns = BANDS.map(|role| column_heads(board, role));
    let rows = BANDS.map(|role| band_rows(board, role));
    view! {
        <div class="matrix-region" role="region" aria-labelledby="matrix-caption" tabindex="0">
            <table class=class aria-describedby="matrix-keys">
                <caption id="matrix-caption" class="visually-hidden">"Agreement of every two raters"</caption>
                <thead>
                    <tr class="bands" hidden=board.is_large()>
                        <td class="corner"></td>
                        {heads.into_iter().collect_view()}
                    </tr>
                    <tr>
                        <th scope="col" class="corner">"Rater"</th>
                        {columns.into_iter().collect_view()}
                    </tr>
                </thead>
                {rows.into_iter().collect_view()}
            </table>
        </div>
        <p id="matrix-keys" class="soft keys">
            <kbd>"←"</kbd>" "<kbd>"↑"</kbd>" "<kbd>"→"</kbd>" "<kbd>"↓"</kbd>
            " move between cells, "<kbd>"Enter"</kbd>" opens the pair behind a number."
        </p>
    }
}

/// The head over the columns of a band and of its average; none where the band is empty.
fn band_head(board: &Board, role: Role) -> Option<AnyView> {
    let width = board.band(role).count();
    let class = if role == Role::Reviewer { "band-head reviewers" } else { "band-head" };
    (width > 0).then(|| {
        view! { <th scope="colgroup" colspan=(width + 1).to_string() class=class>{band_name(role)}</th> }
    })
}

/// The heads of a band's columns and of its average.
fn column_heads(board: &Board, role: Role) -> AnyView {
    let heads = board.band(role).map(|rater| {
        let (name, title) = (rater.name.clone(), rater.name.clone());
        view! { <th scope="col" dir="auto" title=title><span class="name">{name}</span></th> }
    });
    let average = board.has_band(role).then(|| {
        view! { <th scope="col" class="pooled"><span class="name">{pooled_name(role)}</span></th> }
    });
    view! { {heads.collect_view()} {average} }
}

/// The rows of a band under its name.
fn band_rows(board: &Board, role: Role) -> AnyView {
    let span = (board.size() + 3).to_string();
    let rows = board.band(role).map(|rater| row(board, rater)).collect_view();
    view! {
        <tbody class="band">
            <tr class="band-row" hidden=!board.has_band(role)>
                <th scope="rowgroup" colspan=span><span>{band_name(role)}</span></th>
            </tr>
            {rows}
        </tbody>
    }
}

/// A rater's row: the cells of each band, and the average over it.
fn row(board: &Board, rater: &Rater) -> AnyView {
    let (name, title) = (rater.name.clone(), rater.name.clone());
    let bands = BANDS.map(|role| {
        let cells = board.band(role).map(|column| cell(board, rater, column)).collect_view();
        let average = board.has_band(role).then(|| pooled(board, rater.id, role));
        view! { {cells} {average} }
    });
    view! {
        <tr>
            <th scope="row" dir="auto" title=title><span class="name">{name}</span></th>
            {bands.into_iter().collect_view()}
        </tr>
    }
}

const fn band_name(role: Role) -> &'static str {
    match role {
        Role::Reviewer => "Reviewers",
        Role::Labeler | Role::Manager => "Labelers",
    }
}
