//! How unlike two units are: by place and by category, in parts of the cost of an empty unit.
#![expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "offsets become real numbers here; up to 2^53 that is exact"
)]

/// A unit as the alignment sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) category: usize,
    pub(crate) rater: usize,
}

/// Distances between categories, from 0 to 1.
pub(crate) enum Categories {
    Nominal,
    /// Row by row, over the categories that occur.
    Matrix(Vec<Vec<f64>>),
}

/// `d = α d_pos + β d_cat`, both in parts of `Δ_∅`.
pub(crate) struct Dissimilarity {
    pub(crate) positional: f64,
    pub(crate) categorical: f64,
    pub(crate) categories: Categories,
}

impl Dissimilarity {
    /// `((|Δstart| + |Δend|) / (sum of lengths))²`.
    pub(crate) fn by_position(a: &Item, b: &Item) -> f64 {
        let apart = a.start.abs_diff(b.start) as f64 + a.end.abs_diff(b.end) as f64;
        let part = apart / ((a.end - a.start) as f64 + (b.end - b.start) as f64);
        part * part
    }

    pub(crate) fn by_category(&self, a: &Item, b: &Item) -> f64 {
        match &self.categories {
            Categories::Nominal => f64::from(u8::from(a.category != b.category)),
            Categories::Matrix(rows) => {
                let row = rows.get(a.category).map_or(&[][..], Vec::as_slice);
                row.get(b.category).copied().unwrap_or(1.0)
            }
        }
    }

    pub(crate) fn between(&self, a: &Item, b: &Item) -> f64 {
        self.positional * Self::by_position(a, b) + self.categorical * self.by_category(a, b)
    }

    /// How far apart starts may be for units of these lengths to stay below a dissimilarity.
    pub(crate) fn reach(&self, below: f64, length: u64, longest: u64) -> f64 {
        (below / self.positional).sqrt() * (length as f64 + longest as f64)
    }
}
