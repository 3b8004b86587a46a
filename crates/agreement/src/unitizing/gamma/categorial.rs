//! The part of a best alignment's disorder that is about categories: gamma-cat and gamma-k.
#![expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "units are numbered by their list, and pairs are few"
)]

use crate::arithmetic::sum::compensated;
use crate::unitizing::gamma::dissimilarity::{Dissimilarity, Item};

/// Weighted sums over the pairs of aligned units, of all and per category of one of the two.
#[derive(Clone, Debug, Default)]
pub(crate) struct CategorialSums {
    pub(crate) all: CategorialSum,
    pub(crate) per_category: Vec<CategorialSum>,
}

/// `Σ w d_cat` and `Σ w`, and how many units faced an empty one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CategorialSum {
    pub(crate) disorder: f64,
    pub(crate) weight: f64,
    pub(crate) unaligned: u64,
}

impl CategorialSum {
    /// The mean categorial dissimilarity; `None` where no pair has any weight.
    pub(crate) fn disorder(&self, empty: f64, count_unaligned: bool) -> Option<f64> {
        let unaligned = if count_unaligned { self.unaligned as f64 } else { 0.0 };
        let weight = self.weight + unaligned * empty;
        let disorder = self.disorder * empty + unaligned * empty * empty;
        (weight > 0.0).then(|| disorder / weight)
    }
}

/// Sums over one alignment: a pair weighs `max(0, 1 − α d_pos Δ_∅) / (n_v − 1)`, where `n_v` units
/// are aligned together.
pub(crate) fn categorial_sums(
    items: &[Item],
    unitary: &[Vec<usize>],
    raters: usize,
    categories: usize,
    dissimilarity: &Dissimilarity,
    empty: f64,
) -> CategorialSums {
    let mut terms: Vec<Vec<(f64, f64)>> = vec![Vec::new(); categories + 1];
    let mut unaligned = vec![0_u64; categories + 1];
    for members in unitary {
        let missing = (raters - members.len()) as u64;
        for (place, &a) in members.iter().enumerate() {
            let a = &items[a];
            unaligned[categories] += missing;
            unaligned[a.category] += missing;
            for &b in &members[place + 1..] {
                let b = &items[b];
                let apart = dissimilarity.positional * Dissimilarity::by_position(a, b) * empty;
                let weight = (1.0 - apart).max(0.0) / (members.len() - 1) as f64;
                let term = (weight * dissimilarity.by_category(a, b), weight);
                terms[categories].push(term);
                terms[a.category].push(term);
                if b.category != a.category {
                    terms[b.category].push(term);
                }
            }
        }
    }
    let mut sums: Vec<CategorialSum> = terms
        .iter()
        .zip(unaligned)
        .map(|(terms, unaligned)| CategorialSum {
            disorder: compensated(terms.iter().map(|term| term.0)),
            weight: compensated(terms.iter().map(|term| term.1)),
            unaligned,
        })
        .collect();
    let all = sums.pop().unwrap_or_default();
    CategorialSums { all, per_category: sums }
}
