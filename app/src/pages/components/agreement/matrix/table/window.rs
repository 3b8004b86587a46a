//! The part of a large matrix that is in the page. The rest is fetched when somebody comes there,
//! so that a hundred raters weigh no more than twenty. It stands in the page's address.

use std::ops::Range;

/// How many rows and columns a page has that asks for no others.
const START: [usize; 2] = [24, 20];

/// The most rows or columns that a page is given: more than the largest screen has room for.
const MOST: usize = 80;

/// No project has as many raters: further on there is nothing to ask for.
const FURTHEST: usize = 1_000_000;

/// The name of the window in addresses.
const NAME: &str = "window";

/// Rows and columns of the matrix, counted from zero in the order in which they are shown. The
/// columns include those of the averages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
}

impl Window {
    /// Everything, of a matrix of this size.
    pub(crate) const fn whole(rows: usize, columns: usize) -> Self {
        Self { rows: 0..rows, columns: 0..columns }
    }

    /// The window that a query string names as first row, first column, rows and columns; the upper
    /// left corner where it names none.
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let named = get(NAME).unwrap_or_default();
        let mut numbers = named.split('.').map(str::parse::<usize>);
        let mut next = |otherwise| numbers.next().and_then(Result::ok).unwrap_or(otherwise);
        let [row, column] = [next(0), next(0)].map(|place| place.min(FURTHEST));
        let [rows, columns] = START.map(|start| next(start).clamp(1, MOST));
        Self {
            rows: row..row.saturating_add(rows),
            columns: column..column.saturating_add(columns),
        }
    }

    /// The same, moved into a matrix of this size.
    pub(crate) fn within(&self, rows: usize, columns: usize) -> Self {
        let fit = |range: &Range<usize>, size: usize| {
            let start = range.start.min(size.saturating_sub(range.len()));
            start..start.saturating_add(range.len()).min(size)
        };
        Self { rows: fit(&self.rows, rows), columns: fit(&self.columns, columns) }
    }

    /// Its part of a query string, with an ampersand before it.
    pub(crate) fn written(&self) -> String {
        let Self { rows, columns } = self;
        format!("&{NAME}={}.{}.{}.{}", rows.start, columns.start, rows.len(), columns.len())
    }

    /// The windows of the same size above, below, to the left and to the right, in a matrix of this
    /// size; none where there is nothing further.
    pub(crate) fn neighbours(&self, rows: usize, columns: usize) -> [Option<Self>; 4] {
        let back = |range: &Range<usize>| {
            (range.start > 0).then(|| {
                let start = range.start.saturating_sub(range.len());
                start..start.saturating_add(range.len())
            })
        };
        let on = |range: &Range<usize>, size: usize| {
            (range.end < size).then(|| range.end..range.end.saturating_add(range.len()))
        };
        let in_rows = |rows| Self { rows, ..self.clone() };
        let in_columns = |columns| Self { columns, ..self.clone() };
        let all = [
            back(&self.rows).map(in_rows),
            on(&self.rows, rows).map(in_rows),
            back(&self.columns).map(in_columns),
            on(&self.columns, columns).map(in_columns),
        ];
        all.map(|window| window.map(|window| window.within(rows, columns)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Window {
        Window::read(|name| (name == NAME && !text.is_empty()).then(|| text.to_owned()))
    }

    #[test]
    fn an_address_names_a_window_or_the_upper_left_corner() {
        assert_eq!(read(""), Window { rows: 0..24, columns: 0..20 });
        assert_eq!(read("12.30.10.8"), Window { rows: 12..22, columns: 30..38 });
        assert_eq!(read("12.30.10.8").written(), "&window=12.30.10.8");
        assert_eq!(read("x.5"), Window { rows: 0..24, columns: 5..25 });
        assert_eq!(read("0.0.0.100000"), Window { rows: 0..1, columns: 0..MOST });
    }

    #[test]
    fn a_window_stays_within_the_matrix() {
        assert_eq!(
            read("95.95.10.10").within(100, 101),
            Window { rows: 90..100, columns: 91..101 }
        );
        assert_eq!(read("0.0.50.50").within(30, 31), Window::whole(30, 31));
        assert_eq!(read(&format!("{0}.{0}.10.10", usize::MAX)).within(100, 101).rows, 90..100);
    }

    #[test]
    fn the_neighbours_of_all_windows_cover_the_matrix() {
        let (mut window, mut seen) = (read("").within(100, 102), vec![0]);
        while let [_, Some(below), ..] = window.neighbours(100, 102) {
            assert!(below.rows.start <= window.rows.end);
            seen.push(below.rows.start);
            window = below;
        }
        assert_eq!(window.rows.end, 100);
        assert_eq!(seen, [0, 24, 48, 72, 76]);
        assert_eq!(
            read("").within(100, 102).neighbours(100, 102).map(|one| one.is_some()),
            [false, true, false, true]
        );
    }
}
