//! A rater against all labelers, or all reviewers: the average of a row, from pooled counts.

use domain::{Measured, MemberId, PooledCell, Role};

use super::{board::Board, face::in_short};
use crate::pages::components::prelude::*;

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
        Measured::Undefined(reason) => Some(reason.sentence()),
        Measured::Value { .. } => None,
    });
    view! {
        <td class="cell pooled" title=title>
            <span class="value">{cell.map(|cell| display::coefficient(cell.measured))}</span>
            <span class="basis">{cell.map(|cell| basis(&cell, board.is_large()))}</span>
        </td>
    }
}

/// "n=1,200"; "one category, n=12" where there is no value. In a large matrix there is room
/// for n only.
fn basis(cell: &PooledCell, is_large: bool) -> String {
    let n = (cell.n > 0).then(|| format!("n={}", display::thousands(cell.n)));
    match (cell.measured, n) {
        (_, n) if is_large => n.unwrap_or_default(),
        (Measured::Undefined(reason), Some(n)) => format!("{}, {n}", in_short(reason)),
        (Measured::Undefined(reason), None) => in_short(reason).to_owned(),
        (Measured::Value { .. }, n) => n.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use domain::{CoverageView, UndefinedReason};

    use super::*;

    #[test]
    fn an_average_says_what_it_rests_on_or_why_there_is_none() {
        let cell = |measured, n| PooledCell {
            rater: MemberId(1),
            with: Role::Labeler,
            measured,
            n,
            coverage: CoverageView::default(),
        };
        let value = Measured::Value { value: 0.5, observed: 0.7, expected: 0.4 };
        let none = Measured::Undefined(UndefinedReason::OneCategory);
        let never = Measured::Undefined(UndefinedReason::NoSharedDocuments);
        assert_eq!(basis(&cell(value, 1200), false), "n=1,200");
        assert_eq!(basis(&cell(value, 1200), true), "n=1,200");
        assert_eq!(basis(&cell(none, 12), false), "one category, n=12");
        assert_eq!(basis(&cell(never, 0), false), "never compared");
        assert_eq!(basis(&cell(never, 0), true), "");
    }
}
