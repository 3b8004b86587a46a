//! The table of the matrix: labelers, then reviewers in a band of their own, in rows and columns.

use domain::{Rater, Role};
use leptos::tachys::view::RenderHtml;
use services::agreement::SharedSnapshot;

use super::{
    board::{BANDS, Board, Column},
    cell::cell,
    pooled::{pooled, pooled_name},
    window::Window,
};
use crate::pages::components::prelude::*;

/// The matrix as a table of links that the arrow keys walk through. Many look at the same numbers
/// at once, and all of them again after every change: the table is rendered for all of them.
pub(crate) fn grid(board: &Board, snapshot: &SharedSnapshot) -> AnyView {
    let so = board.arrangement.written() + &board.window.written();
    let table = snapshot.rendered(so, || table(board).to_html());
    view! {
        <div
            class="matrix-region"
            role="region"
            aria-labelledby="matrix-caption"
            tabindex="0"
            inner_html=table.to_string()
        ></div>
        {board.is_large().then(|| windows(board))}
        <p id="matrix-keys" class="soft keys">
            <kbd>"←"</kbd>" "<kbd>"↑"</kbd>" "<kbd>"→"</kbd>" "<kbd>"↓"</kbd>
            " move between cells, "<kbd>"Enter"</kbd>" opens the pair behind a number, "<kbd>"Esc"</kbd>" closes it."
        </p>
    }
}

fn table(board: &Board) -> AnyView {
    let class = if board.is_large() { "matrix large" } else { "matrix" };
    let written = board.is_large().then(|| board.window.written());
    let heads = BANDS.map(|role| band_head(board, role));
    let columns = board.columns();
    let column_heads = columns.iter().map(column_head).collect_view();
    let rows = BANDS.map(|role| band_rows(board, role, &columns));
    view! {
        <table class=class aria-describedby="matrix-keys" data-window=written>
            <caption id="matrix-caption" class="visually-hidden">"Agreement of every two raters"</caption>
            <thead>
                <tr class="bands" hidden=board.is_large()>
                    <td class="corner"></td>
                    {heads.into_iter().collect_view()}
                </tr>
                <tr>
                    <th scope="col" class="corner">"Rater"</th>
                    {column_heads}
                </tr>
            </thead>
            {rows.into_iter().collect_view()}
        </table>
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

/// The head of a column.
fn column_head(column: &Column<'_>) -> AnyView {
    match column {
        Column::Rater(rater) => {
            let (name, title) = (rater.name.clone(), rater.name.clone());
            view! { <th scope="col" dir="auto" title=title><span class="name">{name}</span></th> }
        }
        Column::Pooled(role) => {
            view! { <th scope="col" class="pooled"><span class="name">{pooled_name(*role)}</span></th> }
        }
    }
}

/// The rows of a band under its name.
fn band_rows(board: &Board, role: Role, columns: &[Column<'_>]) -> AnyView {
    let span = (columns.len() + 1).to_string();
    let rows = board.rows().filter(|(_, rater)| rater.role == role);
    let rows = rows.map(|(place, rater)| row(board, place, rater, columns)).collect_view();
    view! {
        <tbody class="band">
            <tr class="band-row" hidden=!board.has_band(role)>
                <th scope="rowgroup" colspan=span><span>{band_name(role)}</span></th>
            </tr>
            {rows}
        </tbody>
    }
}

/// A rater's row: the cells of the window, and what is left out on both sides.
fn row(board: &Board, place: usize, rater: &Rater, columns: &[Column<'_>]) -> AnyView {
    let (name, title) = (rater.name.clone(), rater.name.clone());
    let Window { rows, columns: shown } = &board.window;
    let shown = if rows.contains(&place) { shown.clone() } else { 0..0 };
    let cells = columns.iter().skip(shown.start).take(shown.len()).map(|column| match column {
        Column::Rater(other) => cell(board, rater, other),
        Column::Pooled(role) => pooled(board, rater.id, *role),
    });
    let cells = cells.collect_view();
    view! {
        <tr>
            <th scope="row" dir="auto" title=title data-rater=rater.id.to_string()>
                <span class="name">{name}</span>
            </th>
            {left_out(shown.start)}
            {cells}
            {left_out(columns.len() - shown.end)}
        </tr>
    }
}

/// The place of cells that are not in the page.
fn left_out(cells: usize) -> Option<AnyView> {
    (cells > 0).then(|| {
        view! {
            <td class="left-out" colspan=cells.to_string()>
                <span class="visually-hidden">"not loaded yet"</span>
            </td>
        }
    })
}

/// What is shown of a large matrix, and the ways on for browsers that run no script.
fn windows(board: &Board) -> AnyView {
    let columns = board.columns().len();
    let snapshot = &board.snapshot;
    let address = query::matrix_address(snapshot.project, snapshot.switches);
    let address = address + &board.arrangement.written();
    let words = ["Rows before", "Rows after", "Columns before", "Columns after"];
    let neighbours = board.window.neighbours(board.size(), columns);
    let links = neighbours.into_iter().zip(words).map(|(window, words)| {
        let href = window.map(|window| format!("{address}{}", window.written()))?;
        Some(view! { <a class="button small" href=href data-noscroll="">{words}</a> })
    });
    let Window { rows, columns: shown } = &board.window;
    view! {
        <nav class="windows row" aria-label="Parts of the matrix">
            <span class="number">{format!(
                "Rows {} to {} of {}, columns {} to {} of {columns}",
                rows.start + 1, rows.end, board.size(), shown.start + 1, shown.end,
            )}</span>
            {links.collect_view()}
        </nav>
    }
}

const fn band_name(role: Role) -> &'static str {
    match role {
        Role::Reviewer => "Reviewers",
        Role::Labeler | Role::Manager => "Labelers",
    }
}
