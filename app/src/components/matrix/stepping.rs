//! Where the arrow keys lead in the matrix: from one link to the next, past cells without one.

/// A step in a square of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Up,
    Down,
    Left,
    Right,
    RowStart,
    RowEnd,
    First,
    Last,
}

impl Step {
    /// The step that a key asks for.
    pub(crate) fn of_key(key: &str, control: bool) -> Option<Self> {
        Some(match (key, control) {
            ("ArrowUp", false) => Self::Up,
            ("ArrowDown", false) => Self::Down,
            ("ArrowLeft", false) => Self::Left,
            ("ArrowRight", false) => Self::Right,
            ("Home", false) => Self::RowStart,
            ("End", false) => Self::RowEnd,
            ("Home", true) => Self::First,
            ("End", true) => Self::Last,
            _ => return None,
        })
    }
}

/// The cell (row, column) that a step leads to in a square of `size`, if there is a link that way.
pub(crate) fn target(
    (row, column): (usize, usize),
    step: Step,
    size: usize,
    is_link: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    let link = |&(row, column): &(usize, usize)| is_link(row, column);
    let in_row = |column| (row, column);
    let in_column = |row| (row, column);
    match step {
        Step::Up => (0..row).rev().map(in_column).find(link),
        Step::Down => (row + 1..size).map(in_column).find(link),
        Step::Left => (0..column).rev().map(in_row).find(link),
        Step::Right => (column + 1..size).map(in_row).find(link),
        Step::RowStart => (0..size).map(in_row).find(link),
        Step::RowEnd => (0..size).rev().map(in_row).find(link),
        Step::First => cells(size).find(link),
        Step::Last => cells(size).rev().find(link),
    }
}

/// All cells of a square, row by row.
fn cells(size: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
    (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three labelers and two reviewers: no link on the diagonal or between the reviewers.
    fn is_link(row: usize, column: usize) -> bool {
        row != column && (row < 3 || column < 3)
    }

    fn walk(from: (usize, usize), step: Step) -> Option<(usize, usize)> {
        target(from, step, 5, is_link)
    }

    #[test]
    fn an_arrow_passes_over_the_diagonal() {
        assert_eq!(walk((1, 0), Step::Right), Some((1, 2)));
        assert_eq!(walk((0, 1), Step::Down), Some((2, 1)));
        assert_eq!(walk((2, 1), Step::Up), Some((0, 1)));
        assert_eq!(walk((1, 2), Step::Left), Some((1, 0)));
    }

    #[test]
    fn at_the_edge_an_arrow_leads_nowhere() {
        assert_eq!(walk((0, 4), Step::Right), None);
        assert_eq!(walk((0, 1), Step::Left), None);
        assert_eq!(walk((3, 2), Step::Right), None);
        assert_eq!(walk((2, 4), Step::Down), None);
    }

    #[test]
    fn home_and_end_stay_in_the_row_and_with_control_span_the_matrix() {
        assert_eq!(walk((0, 3), Step::RowStart), Some((0, 1)));
        assert_eq!(walk((4, 0), Step::RowEnd), Some((4, 2)));
        assert_eq!(walk((4, 0), Step::First), Some((0, 1)));
        assert_eq!(walk((0, 1), Step::Last), Some((4, 2)));
    }

    #[test]
    fn keys_of_the_browser_are_left_to_it() {
        assert_eq!(Step::of_key("ArrowLeft", true), None);
        assert_eq!(Step::of_key("Enter", false), None);
        assert_eq!(Step::of_key("End", true), Some(Step::Last));
    }
}
