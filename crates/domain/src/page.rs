//! One page of a longer list.

use serde::{Deserialize, Serialize};

/// A page of a list, with what is needed to say "51 to 100 of 1,234".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// How many rows the whole list has.
    pub total: u64,
    /// This page's number, from 0.
    pub number: u64,
    /// Rows on a full page.
    pub size: u64,
}

impl<T> Page<T> {
    /// How many pages the list has; at least one.
    pub fn pages(&self) -> u64 {
        self.total.div_ceil(self.size.max(1)).max(1)
    }
}
