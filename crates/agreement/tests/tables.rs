//! What a contingency table counts, and when it refuses.

use agreement::{Contingency, NotCounted};

fn sample() -> Contingency<&'static str> {
    Contingency::from_iter([("a", "a"), ("a", "b"), ("a", "b"), ("c", "a"), ("b", "b")])
}

#[test]
fn counts_and_totals_of_a_small_table() {
    let table = sample();
    assert_eq!((table.count(&"a", &"b"), table.count(&"b", &"a")), (2, 0));
    assert_eq!((table.total(), table.agreements()), (5, 2));
    assert_eq!((table.row_total(&"a"), table.column_total(&"a")), (3, 2));
    assert_eq!((table.row_total(&"z"), table.column_total(&"z")), (0, 0));
    assert_eq!(table.categories(), [&"a", &"b", &"c"]);
    assert_eq!(
        table.cells().collect::<Vec<_>>(),
        [(&"a", &"a", 1), (&"a", &"b", 2), (&"b", &"b", 1), (&"c", &"a", 1)]
    );
}

#[test]
fn empty_cells_are_not_kept() {
    let mut table = Contingency::new();
    table.add_count("a", "b", 0);
    assert_eq!(table, Contingency::new());
    table.add("a", "b");
    assert!(!table.is_empty());
    table.remove(&"a", &"b").unwrap();
    assert!(table.is_empty());
    assert_eq!(table, Contingency::new());
    assert_eq!(table.categories(), Vec::<&&str>::new());
}

#[test]
fn uncounted_pair_cannot_be_removed() {
    let mut table = sample();
    assert_eq!(table.remove(&"b", &"a"), Err(NotCounted));
    assert_eq!(table.remove(&"z", &"a"), Err(NotCounted));
    assert_eq!(table, sample());
}

#[test]
fn subtraction_is_all_or_nothing() {
    let mut table = sample();
    let partly_counted = Contingency::from_iter([("a", "a"), ("c", "a"), ("c", "a")]);
    assert_eq!(table.subtract(&partly_counted), Err(NotCounted));
    assert_eq!(table, sample());
}

#[test]
fn table_is_full_rather_than_wrong() {
    let mut table = Contingency::new();
    table.add_count("a", "a", Contingency::<&str>::CAPACITY);
    let full = table.clone();
    for overflow in [
        std::panic::catch_unwind(|| full.clone().add("a", "a")),
        std::panic::catch_unwind(|| full.clone().add_count("b", "b", u64::MAX)),
        std::panic::catch_unwind(|| full.clone().merge(&full)),
    ] {
        assert!(overflow.is_err());
    }
}
