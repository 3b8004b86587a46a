//! A study as it was read.

use agreement::consensus::Sequences;
use agreement::{Continuum, Ratings};

use super::{Understood, Warning};

/// A study, and what was understood of the file it comes from.
#[derive(Clone, Debug)]
pub struct Study {
    /// What the file was taken for.
    pub understood: Understood,
    /// What the raters did.
    pub data: Data,
    /// What each category stands for on a scale of numbers; nothing below that level.
    pub scores: Option<Vec<f64>>,
    /// The names of the items, if they were asked for and the file has any.
    pub items: Option<Vec<String>>,
    /// Which items follow each other, if a column was asked for that says so.
    pub sequences: Option<Sequences>,
    /// The evidence against what the file was taken for.
    pub warnings: Vec<Warning>,
}

impl Study {
    /// The name of an item, or its number from 1.
    pub(crate) fn item_name(&self, item: usize) -> String {
        let name = self.items.as_ref().and_then(|names| names.get(item));
        name.cloned().unwrap_or_else(|| (item + 1).to_string())
    }
}

/// What the raters did; a category is its place in [`Understood::categories`].
#[derive(Clone, Debug)]
pub enum Data {
    /// They put items into categories.
    Coding(Ratings<u32>),
    /// They marked units on a continuum.
    Unitizing(Continuum<u32>),
}
