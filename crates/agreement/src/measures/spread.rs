//! Differences summed over all pairs of categories without going through the pairs.

use crate::Undefined;
use crate::arithmetic::wide::Wide;

/// A category's place on a line, with how often the one and the other rater used it.
pub(super) type Place = (f64, u64, u64);

/// `Σ_ab row_a column_b |x_a − x_b|`, in one pass over the sorted places.
///
/// Each gap between neighbours is crossed by the pairs with one category on either side.
pub(super) fn absolute_differences(mut places: Vec<Place>) -> Result<Wide, Undefined> {
    all_finite(&places)?;
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total = |count: fn(&Place) -> u64| places.iter().map(count).map(i128::from).sum::<i128>();
    let (rows, columns) = (total(|place| place.1), total(|place| place.2));
    let (mut rows_below, mut columns_below) = (0_i128, 0_i128);
    let mut terms = Vec::new();
    for neighbours in places.windows(2) {
        if let [(here, row, column), (next, ..)] = neighbours {
            rows_below += i128::from(*row);
            columns_below += i128::from(*column);
            let crossing =
                rows_below * (columns - columns_below) + columns_below * (rows - rows_below);
            terms.push(Wide::from(crossing) * (Wide::from(*next) - Wide::from(*here)));
        }
    }
    within_range(Wide::sum(terms))
}

/// `Σ_ab row_a column_b (x_a − x_b)²`, for as many rows as columns.
///
/// With `x` counted from the mean of all, that is `n Σ_a (row_a + column_a) x_a² + 2 (Σ row_a x_a)²`,
/// in which nothing cancels out.
pub(super) fn squared_differences(places: &[Place]) -> Result<Wide, Undefined> {
    all_finite(places)?;
    let differ = places.windows(2).any(|two| matches!(two, [a, b] if a.0.total_cmp(&b.0).is_ne()));
    if !differ {
        // Rounding of the mean must not look like a difference.
        return Ok(Wide::ZERO);
    }
    let n = Wide::sum(places.iter().map(|&(_, row, _)| Wide::from(row)));
    let both = |row: u64, column: u64| Wide::from(i128::from(row) + i128::from(column));
    let weighted = places.iter().map(|&(x, row, column)| both(row, column) * Wide::from(x));
    let mean = Wide::sum(weighted) / (n + n);
    let from_mean = |x: f64| Wide::from(x) - mean;
    let squares = places.iter().map(|&(x, row, column)| both(row, column) * from_mean(x).squared());
    let rows = Wide::sum(places.iter().map(|&(x, row, _)| Wide::from(row) * from_mean(x)));
    within_range(n * Wide::sum(squares) + Wide::from(2_u64) * rows.squared())
}

fn all_finite(places: &[Place]) -> Result<(), Undefined> {
    let finite = places.iter().all(|(x, ..)| x.is_finite());
    finite.then_some(()).ok_or(Undefined::NoDistance)
}

fn within_range(sum: Wide) -> Result<Wide, Undefined> {
    if sum.value().is_finite() { Ok(sum) } else { Err(Undefined::NoDistance) }
}
