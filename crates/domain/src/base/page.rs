//! One page of a longer list.

use serde::{Deserialize, Serialize};

/// A page of a list, with what is needed to say "51 to 100 of 1,234".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

/// In which order a list is wanted, and which page of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sorting<O> {
    pub order: O,
    /// The order turned round; what has no value still comes last.
    pub descending: bool,
    /// From 0.
    pub page: u64,
}

impl<O: PartialEq> Sorting<O> {
    /// Sorted by this from the first page on; the order that it has already is turned round.
    #[must_use]
    pub fn sorted_by(&self, order: O) -> Self {
        let descending = self.order == order && !self.descending;
        Self { order, descending, page: 0 }
    }
}
