//! Which part of a large matrix is on screen: of ten thousand cells a browser draws only those that
//! can be seen, and some around them.

use std::ops::Range;

/// Up to so many raters all cells are drawn.
pub(crate) const SMALL: usize = 24;

/// The height and the width of a cell of a large matrix, as `matrix.css` has them, in CSS pixels.
pub(crate) const CELL: (f64, f64) = (48.0, 96.0);

/// How many rows and columns are drawn beyond each edge.
const BEYOND: usize = 3;

/// What the region of the matrix shows, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) top: f64,
    pub(crate) left: f64,
    pub(crate) height: f64,
    pub(crate) width: f64,
}

impl Default for View {
    /// What the server draws, which knows no screen: a large one at its beginning.
    fn default() -> Self {
        Self { top: 0.0, left: 0.0, height: 900.0, width: 1_800.0 }
    }
}

impl View {
    /// The rows that are drawn, of `size`.
    pub(crate) fn rows(self, size: usize) -> Range<usize> {
        part(self.top, self.height, CELL.0, size)
    }

    /// The columns that are drawn, of `size`.
    pub(crate) fn columns(self, size: usize) -> Range<usize> {
        part(self.left, self.width, CELL.1, size)
    }

    /// Where to scroll to, top and left, so that a cell is in the middle, unless it is in sight.
    pub(crate) fn showing(self, row: usize, column: usize) -> (f64, f64) {
        (along(self.top, self.height, CELL.0, row), along(self.left, self.width, CELL.1, column))
    }
}

fn part(from: f64, extent: f64, each: f64, size: usize) -> Range<usize> {
    let first = cells(from / each).saturating_sub(BEYOND).min(size);
    let last = cells((from + extent) / each).saturating_add(BEYOND + 1).min(size);
    first..last
}

fn along(from: f64, extent: f64, each: f64, place: usize) -> f64 {
    let at = f64::from(u32::try_from(place).unwrap_or(u32::MAX)) * each;
    // The heads cover the beginning.
    let is_in_sight = from <= at && at + 4.0 * each <= from + extent;
    if is_in_sight { from } else { (at - extent / 2.0).max(0.0) }
}

/// How many whole cells; a number that is no length is none.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float to an integer saturates, and these are clamped to what a screen can be"
)]
const fn cells(count: f64) -> usize {
    count.clamp(0.0, 1e6) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_is_drawn_and_a_little_around_it() {
        let view = View { top: 480.0, left: 0.0, height: 480.0, width: 960.0 };
        assert_eq!(view.rows(100), 7..24);
        assert_eq!(view.columns(100), 0..14);
    }

    #[test]
    fn a_cell_out_of_sight_is_brought_to_the_middle() {
        let view = View { top: 480.0, left: 0.0, height: 480.0, width: 960.0 };
        assert_eq!(view.showing(12, 2), (480.0, 0.0));
        assert_eq!(view.showing(50, 2), (50.0 * 48.0 - 240.0, 0.0));
        assert_eq!(view.showing(1, 50), (0.0, 50.0 * 96.0 - 480.0));
    }

    #[test]
    fn nothing_is_drawn_past_the_end() {
        let view = View { top: 4_700.0, left: f64::NAN, height: 480.0, width: 960.0 };
        assert_eq!(view.rows(100), 94..100);
        assert_eq!(view.rows(3), 3..3);
        assert!(view.columns(2).end <= 2);
    }
}
