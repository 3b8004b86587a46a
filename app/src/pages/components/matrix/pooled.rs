//! A rater against all labelers, or all reviewers: the average of a row, from pooled counts.

use domain::{MemberId, PooledCell, Role};
use leptos::prelude::*;

use super::board::Board;
use crate::{display, view::view};

/// What the column of a band's average is called.
pub(super) const fn pooled_name(role: Role) -> &'static str {
    match role {
        Role::Reviewer => "All reviewers",
        Role::Labeler | Role::Manager => "All labelers",
    }
}

/// A row's average over a band.
pub(super) fn pooled(board: &Board, row: MemberId, with: Role) -> AnyView {
    let cell = board.pooled(row, with);
    let title = cell.and_then(|cell| match cell.measured {
        domain::Measured::Undefined(reason) => Some(reason.sentence()),
        domain::Measured::Value { .. } => None,
    });
    view! {
        <td class="cell pooled" title=title>
            <span class="value">{cell.map(|cell| display::coefficient(cell.measured))}</span>
            <span class="basis">{cell.map(|cell| basis(&cell, board.is_large()))}</span>
        </td>
    }
}

/// "n=1,200 pooled"; the second word only where there is room.
fn basis(cell: &PooledCell, is_large: bool) -> String {
    match cell.n {
        0 => String::new(),
        n if is_large => format!("n={}", display::thousands(n)),
        n => format!("n={} pooled", display::thousands(n)),
    }
}
