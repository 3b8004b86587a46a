//! Lists in an order that the address names, a page at a time.

use std::cmp::{Ordering, Reverse};

use domain::{Page, Sorting, saturating};

/// Rows on a page that is a list.
pub(crate) const PAGE_SIZE: u64 = 50;

/// What a row is sorted by; ties stay as they come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Key {
    /// Lowest first; rows without a value come last, also when the order is turned round.
    Lowest(Option<f64>),
    /// Highest first.
    Most(u64),
    /// As the rows come.
    Given,
}

/// Sorts by a key, or the other way round.
pub(crate) fn sort<T>(rows: &mut [T], descending: bool, key: impl Fn(&T) -> Key) {
    if descending {
        rows.reverse();
    }
    rows.sort_by(|one, other| {
        let turned = |order: Ordering| if descending { order.reverse() } else { order };
        match (key(one), key(other)) {
            (Key::Lowest(Some(one)), Key::Lowest(Some(other))) => turned(one.total_cmp(&other)),
            (Key::Lowest(one), Key::Lowest(other)) => other.is_some().cmp(&one.is_some()),
            (Key::Most(one), Key::Most(other)) => turned(Reverse(one).cmp(&Reverse(other))),
            _ => Ordering::Equal,
        }
    });
}

/// The page of a list that is wanted, of so many rows; of one that stays where it is, its rows borrowed.
pub(crate) fn page<T, O>(
    rows: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    sorting: &Sorting<O>,
    size: u64,
) -> Page<T> {
    let rows = rows.into_iter();
    let total = saturating::<u64>(rows.len());
    let skipped = saturating(sorting.page.saturating_mul(size));
    let rows = rows.skip(skipped).take(saturating(size)).collect();
    Page { rows, total, number: sorting.page, size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(descending: bool, key: fn(&(char, Option<f64>, u64)) -> Key) -> String {
        let mut rows = [('a', Some(0.5), 2), ('b', None, 9), ('c', Some(0.1), 2), ('d', None, 4)];
        sort(&mut rows, descending, key);
        rows.iter().map(|row| row.0).collect()
    }

    #[test]
    fn what_has_no_value_comes_last_both_ways() {
        assert_eq!(sorted(false, |row| Key::Lowest(row.1)), "cabd");
        assert_eq!(sorted(true, |row| Key::Lowest(row.1)), "acdb");
    }

    #[test]
    fn ties_stay_as_they_come_and_turn_round_with_the_order() {
        assert_eq!(sorted(false, |row| Key::Most(row.2)), "bdac");
        assert_eq!(sorted(true, |row| Key::Most(row.2)), "cadb");
        assert_eq!(sorted(false, |_| Key::Given), "abcd");
        assert_eq!(sorted(true, |_| Key::Given), "dcba");
    }
}
