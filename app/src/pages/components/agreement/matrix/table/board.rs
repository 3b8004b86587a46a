//! What the grid and all its cells look at: a snapshot, its cells by pair, its raters as somebody
//! has arranged them.

use std::collections::HashMap;

use domain::{AgreementSnapshot, MemberId, PairCell, PooledCell, Rater, Role};

use super::window::Window;
use crate::{pages::components::agreement::matrix::controls::arrangement::Arrangement, query};

/// With more raters than this, cells are small and only some of them are in the page.
const SMALL: usize = 24;

/// The bands in the order in which they stand.
pub(crate) const BANDS: [Role; 2] = [Role::Labeler, Role::Reviewer];

/// A snapshot of the matrix, ready to be drawn.
pub(crate) struct Board {
    pub(crate) snapshot: AgreementSnapshot,
    pub(crate) arrangement: Arrangement,
    /// The raters that are shown, labelers first.
    raters: Vec<Rater>,
    /// The rows and columns that are in the page.
    pub(crate) window: Window,
    cells: HashMap<(MemberId, MemberId), usize>,
    pooled: HashMap<(MemberId, Role), PooledCell>,
    /// The pair whose cell the keyboard comes to first.
    pub(crate) first_pair: Option<(MemberId, MemberId)>,
}

impl Board {
    /// `window` says what is shown of a matrix that is too large to be shown at once.
    pub(crate) fn new(
        snapshot: AgreementSnapshot,
        arrangement: Arrangement,
        window: &Window,
    ) -> Self {
        let raters = arrangement.arranged(&snapshot.raters);
        let columns = columns(&raters);
        let window = if raters.len() > SMALL {
            window.within(raters.len(), columns.len())
        } else {
            Window::whole(raters.len(), columns.len())
        };
        let mut shown = columns.iter().skip(window.columns.start).filter_map(Column::rater);
        let first_pair = raters.get(window.rows.start).and_then(|row| {
            shown.find(|column| column.id != row.id).map(|column| (row.id, column.id))
        });
        let cells = snapshot.cells.iter().enumerate();
        let cells = cells.map(|(place, cell)| (pair_key(cell.first, cell.second), place)).collect();
        let pooled = snapshot.pooled.iter().map(|cell| ((cell.rater, cell.with), *cell)).collect();
        Self { snapshot, arrangement, raters, window, cells, pooled, first_pair }
    }

    /// The raters that are shown of the labelers' band, or of the reviewers'.
    pub(crate) fn band(&self, role: Role) -> impl Iterator<Item = &Rater> {
        self.raters.iter().filter(move |rater| rater.role == role)
    }

    pub(crate) fn has_band(&self, role: Role) -> bool {
        self.band(role).next().is_some()
    }

    /// The columns of the whole matrix: each band, then its average.
    pub(crate) fn columns(&self) -> Vec<Column<'_>> {
        columns(&self.raters)
    }

    /// The raters that are shown, with the place of each row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &Rater)> {
        self.raters.iter().enumerate()
    }

    /// How many raters are shown.
    pub(crate) fn size(&self) -> usize {
        self.raters.len()
    }

    /// Whether there are too many raters for cells in full.
    pub(crate) fn is_large(&self) -> bool {
        self.size() > SMALL
    }

    /// The window's part of an address; nothing where all is in the page.
    pub(crate) fn kept_window(&self) -> String {
        if self.is_large() { self.window.written() } else { String::new() }
    }

    /// The cell of a pair, in whichever order the two are named.
    pub(crate) fn cell(&self, a: MemberId, b: MemberId) -> Option<&PairCell> {
        self.snapshot.cells.get(*self.cells.get(&pair_key(a, b))?)
    }

    /// A rater against all labelers, or against all reviewers.
    pub(crate) fn pooled(&self, rater: MemberId, with: Role) -> Option<PooledCell> {
        self.pooled.get(&(rater, with)).copied()
    }

    /// The address of a pair.
    pub(crate) fn address(&self, row: MemberId, column: MemberId) -> String {
        query::pair_address(self.snapshot.project, row, column, self.snapshot.switches)
    }
}

/// What stands in a column.
#[derive(Clone, Copy)]
pub(crate) enum Column<'a> {
    /// A rater against the row's.
    Rater(&'a Rater),
    /// All raters of a band against the row's.
    Pooled(Role),
}

impl<'a> Column<'a> {
    const fn rater(&self) -> Option<&'a Rater> {
        match self {
            Self::Rater(rater) => Some(rater),
            Self::Pooled(_) => None,
        }
    }
}

fn columns(raters: &[Rater]) -> Vec<Column<'_>> {
    let band = |role| {
        let of_band = raters.iter().filter(move |rater| rater.role == role);
        let average = of_band.clone().next().map(|_| Column::Pooled(role));
        of_band.map(Column::Rater).chain(average)
    };
    BANDS.into_iter().flat_map(band).collect()
}

/// What a pair is known by, in whichever order the two are named.
pub(crate) fn pair_key(a: MemberId, b: MemberId) -> (MemberId, MemberId) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use domain::{
        Confidence, CoverageView, Measured, ProjectId, Revision, Switches, UndefinedReason,
    };

    use super::*;

    #[test]
    fn a_pair_has_one_cell_in_both_orders() {
        let rater = |(id, role)| Rater { id: MemberId(id), name: format!("rater {id}"), role };
        let cell = PairCell {
            first: MemberId(4),
            second: MemberId(2),
            measured: Measured::Undefined(UndefinedReason::NoSharedPositions),
            confidence: Confidence::Pending,
            n: 3,
            coverage: CoverageView::default(),
            documents: 1,
        };
        let snapshot = AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(1),
            switches: Switches::default(),
            raters: [(2, Role::Reviewer), (4, Role::Labeler)].map(rater).into(),
            cells: vec![cell],
            pooled: Vec::new(),
            several: None,
            last_change: None,
        };
        let board = Board::new(snapshot, Arrangement::default(), &Window::whole(0, 0));
        assert_eq!(board.cell(MemberId(2), MemberId(4)).map(|cell| cell.n), Some(3));
        assert_eq!(board.cell(MemberId(4), MemberId(2)).map(|cell| cell.n), Some(3));
        assert_eq!(board.first_pair, Some((MemberId(4), MemberId(2))));
    }
}
