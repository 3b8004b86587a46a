//! Names as small integers, given out as they come.

use std::collections::HashMap;

/// Names in the order in which they were first seen.
#[derive(Default)]
pub(in crate::read) struct Names {
    places: HashMap<Box<str>, usize>,
}

impl Names {
    /// The place of a name, a new one if it was not seen before.
    pub(in crate::read) fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.places.len();
        self.places.insert(name.into(), place);
        place
    }

    /// How many there are.
    pub(in crate::read) fn len(&self) -> usize {
        self.places.len()
    }

    /// All of them, in that order.
    pub(in crate::read) fn names(&self) -> Vec<String> {
        let mut names: Vec<(usize, String)> =
            self.places.iter().map(|(name, &place)| (place, name.to_string())).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}
