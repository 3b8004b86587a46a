//! Which items follow each other.

use std::collections::BTreeMap;

/// Items in sequences, such as tokens in sentences: each item is in one.
///
/// ```
/// # use agreement::consensus::Sequences;
/// let sequences = Sequences::of(["first", "first", "second", "first"]);
/// assert_eq!(sequences.items(), 4);
/// assert_eq!(sequences.iter().collect::<Vec<_>>(), [&[0, 1, 3][..], &[2]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// Of each sequence its items, in their order.
    places: Vec<Vec<usize>>,
    items: usize,
}

impl Sequences {
    /// From the name of each item's sequence, item by item. The items of a sequence need not lie side by
    /// side.
    pub fn of<N: Ord>(names: impl IntoIterator<Item = N>) -> Self {
        let mut known: BTreeMap<N, usize> = BTreeMap::new();
        let mut places: Vec<Vec<usize>> = Vec::new();
        let mut items = 0;
        for name in names {
            let sequence = *known.entry(name).or_insert(places.len());
            match places.get_mut(sequence) {
                Some(of_it) => of_it.push(items),
                None => places.push(vec![items]),
            }
            items += 1;
        }
        Self { places, items }
    }

    /// How many items there are in all.
    pub fn items(&self) -> usize {
        self.items
    }

    /// How many sequences there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The items of each sequence, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> + ExactSizeIterator {
        self.places.iter().map(Vec::as_slice)
    }

    /// The items of one sequence, in their order.
    pub(super) fn sequence(&self, sequence: usize) -> &[usize] {
        self.places.get(sequence).map_or(&[], Vec::as_slice)
    }
}
