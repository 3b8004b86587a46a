//! Cross tables as papers print them.

use agreement::Contingency;

/// A printed table: `counts[row][column]`, both in the order of `categories`.
pub(crate) fn crossed<const N: usize>(
    categories: [&'static str; N],
    counts: [[u64; N]; N],
) -> Contingency<&'static str> {
    let mut table = Contingency::new();
    for (row, row_counts) in categories.into_iter().zip(counts) {
        for (column, count) in categories.into_iter().zip(row_counts) {
            table.add_count(row, column, count);
        }
    }
    table
}
