//! Any history of a tally: what is refused changes nothing, what is accepted is a recount.
#![no_main]

use agreement::{CoincidenceTally, Item};
use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Change {
    Add(Vec<u8>),
    AddTimes(Vec<(u8, u64)>, u64),
    Remove(Vec<u8>),
    Replace(Vec<u8>, Vec<u8>),
    MergeItself,
    SubtractItself,
}

fuzz_target!(|changes: Vec<Change>| {
    let item = |ratings: Vec<u8>| ratings.into_iter().collect::<Item<u8>>();
    let mut tally = CoincidenceTally::new();
    for change in changes {
        let before = tally.clone();
        let changed = match change {
            Change::Add(ratings) => tally.add(&item(ratings)),
            Change::AddTimes(counts, times) => match Item::from_counts(counts) {
                Ok(item) => tally.add_times(&item, times),
                Err(_) => continue,
            },
            Change::Remove(ratings) => tally.remove(&item(ratings)),
            Change::Replace(ratings, others) => tally.replace(&item(ratings), &item(others)),
            Change::MergeItself => tally.merge(&before),
            Change::SubtractItself => tally.subtract(&before),
        };
        if changed.is_err() {
            assert_eq!(tally, before);
        }
    }
});
