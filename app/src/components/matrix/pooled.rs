//! A rater against all labelers, or all reviewers: the average of a row, from pooled counts.

use domain::{MemberId, PooledCell, Role};
use leptos::prelude::*;

use super::board::Board;
use crate::{display, view::view};

/// What the column of a band's average is called.
pub(crate) const fn pooled_name(role: Role) -> &'static str {
    match role {
        Role::Reviewer => "All reviewers",
        Role::Labeler | Role::Manager => "All labelers",
    }
}

/// A row's average over a band.
#[component]
pub(crate) fn Pooled(board: Board, row: MemberId, with: Role) -> impl IntoView {
    let cell = Memo::new(move |_| {
        board.shown.with(|shown| {
            let of_row = shown.pooled.iter().find(|cell| cell.rater == row && cell.with == with);
            of_row.copied()
        })
    });
    let value =
        move || cell.get().map_or_else(String::new, |cell| display::coefficient(cell.measured));
    let basis = move || cell.get().map_or_else(String::new, |cell| basis(&cell));
    let title = move || {
        cell.get().and_then(|cell| match cell.measured {
            domain::Measured::Undefined(reason) => Some(reason.sentence()),
            domain::Measured::Value { .. } => None,
        })
    };
    view! {
        <td class="cell pooled" title=title>
            <span class="value">{value}</span>
            <span class="basis">{basis}</span>
        </td>
    }
}

/// "n=1,200 pooled".
fn basis(cell: &PooledCell) -> String {
    match cell.n {
        0 => String::new(),
        n => format!("n={} pooled", display::thousands(n)),
    }
}
