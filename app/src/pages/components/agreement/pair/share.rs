//! Shares and shades of counts.

/// How strongly a count is shaded: 0 for nothing, then four steps up to the largest count.
pub(crate) fn heat(count: u64, largest: u64) -> u64 {
    match count {
        0 => 0,
        _ => 1 + (count.saturating_mul(4) - 1) / largest.max(1),
    }
}

/// A part of a whole; the caller has ruled out a whole of zero.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "std has no From<u128> for f64; the cast rounds to nearest, for four decimals on screen"
)]
pub(crate) fn share(part: u128, whole: u128) -> f64 {
    part as f64 / whole as f64
}

/// The total of each row.
pub(crate) fn row_totals(counts: &[Vec<u64>]) -> Vec<u64> {
    counts.iter().map(|row| row.iter().sum()).collect()
}

/// The total of each of `columns` columns.
pub(crate) fn column_totals(counts: &[Vec<u64>], columns: usize) -> Vec<u64> {
    let column = |index| counts.iter().filter_map(|row: &Vec<u64>| row.get(index)).sum();
    (0..columns).map(column).collect()
}

/// On how many positions the two said the same: the diagonal.
pub(crate) fn agreements(counts: &[Vec<u64>]) -> u64 {
    counts.iter().enumerate().filter_map(|(index, row)| row.get(index)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cohen (1960), page 45.
    fn cohen() -> Vec<Vec<u64>> {
        vec![vec![88, 14, 18], vec![10, 40, 10], vec![2, 6, 12]]
    }

    #[test]
    fn totals_and_diagonal_are_those_of_the_printed_table() {
        assert_eq!(row_totals(&cohen()), [120, 60, 20]);
        assert_eq!(column_totals(&cohen(), 3), [100, 60, 40]);
        assert_eq!(agreements(&cohen()), 140);
        assert_eq!(column_totals(&[], 2), [0, 0]);
    }

    #[test]
    fn only_nothing_is_unshaded_and_only_the_top_quarter_is_darkest() {
        assert_eq!([0, 1, 25, 26, 75, 76, 100].map(|n| heat(n, 100)), [0, 1, 1, 2, 3, 4, 4]);
        assert_eq!(heat(1, 1), 4);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "powers of two divide exactly")]
    fn a_share_is_divided_beyond_64_bits() {
        assert_eq!(share(3 << 90, 4 << 90), 0.75);
    }
}
