//! Distances between sets of labels, for positions that may carry several.
//!
//! Two empty sets are equal. An empty and a non-empty set share nothing, so that [`Jaccard`] and
//! [`Masi`] put them furthest apart; [`MasiProduct`] and [`SetThirds`] follow `DKPro`, where the
//! empty set is a subset of every other.

use std::collections::BTreeSet;

use super::Distance;

/// `1 − J`, where `J = |A ∩ B| / |A ∪ B|` (Jaccard 1901).
#[derive(Clone, Copy, Debug, Default)]
pub struct Jaccard;

/// `1 − J · M`, where `M` is 1 for equal sets, ⅔ if one holds the other, ⅓ if they overlap, and
/// else 0.
///
/// Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
/// pragmatic annotation. *LREC 2006*, 831–836. So also in NLTK.
#[derive(Clone, Copy, Debug, Default)]
pub struct Masi;

/// `(1 − J)(1 − M)`: what `DKPro` Agreement calls MASI.
///
/// Meyer, C. M. et al. (2014). `DKPro` Agreement. *COLING 2014 System Demonstrations*, 105–109.
#[derive(Clone, Copy, Debug, Default)]
pub struct MasiProduct;

/// `1 − M`: 0 for equal sets, ⅓ if one holds the other, ⅔ if they overlap, and else 1.
///
/// `DKPro`'s `SetAnnotationDistanceFunction`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetThirds;

impl<T: Ord> Distance<BTreeSet<T>> for Jaccard {
    fn between(&self, a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
        1.0 - jaccard(a, b)
    }
}

impl<T: Ord> Distance<BTreeSet<T>> for Masi {
    fn between(&self, a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
        1.0 - jaccard(a, b) * monotonicity(a, b)
    }
}

impl<T: Ord> Distance<BTreeSet<T>> for MasiProduct {
    fn between(&self, a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
        (1.0 - jaccard(a, b)) * (1.0 - monotonicity(a, b))
    }
}

impl<T: Ord> Distance<BTreeSet<T>> for SetThirds {
    fn between(&self, a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
        1.0 - monotonicity(a, b)
    }
}

/// `J`: the share of the labels in either set that are in both.
fn jaccard<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let in_both = a.intersection(b).count();
    let in_either = a.len() + b.len() - in_both;
    if in_either == 0 { 1.0 } else { of_sizes(in_both, in_either) }
}

/// `M`: how much the one set follows from the other.
fn monotonicity<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    if a == b {
        1.0
    } else if a.is_subset(b) || b.is_subset(a) {
        2.0 / 3.0
    } else if a.is_disjoint(b) {
        0.0
    } else {
        1.0 / 3.0
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "sets in memory are far smaller than 2^53"
)]
fn of_sizes(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Distance, Jaccard, Masi, MasiProduct, SetThirds};

    fn assert_near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-15, "{actual} is not {expected}");
    }

    /// {a} and {a, b}: .667 by the paper's definition, .167 by `DKPro`'s.
    #[test]
    fn passonneau_2006_and_dkpro_differ_on_subsets() {
        let (one, two) = (BTreeSet::from(["a"]), BTreeSet::from(["a", "b"]));
        assert_near(Masi.between(&one, &two), 2.0 / 3.0);
        assert_near(MasiProduct.between(&one, &two), 1.0 / 6.0);
        assert_near(Jaccard.between(&one, &two), 0.5);
        assert_near(SetThirds.between(&one, &two), 1.0 / 3.0);
    }

    #[test]
    fn empty_set_shares_nothing_but_is_a_subset() {
        let (empty, one) = (BTreeSet::new(), BTreeSet::from(["a"]));
        assert_near(Masi.between(&empty, &one), 1.0);
        assert_near(Jaccard.between(&empty, &one), 1.0);
        assert_near(MasiProduct.between(&empty, &one), 1.0 / 3.0);
        assert_near(SetThirds.between(&empty, &one), 1.0 / 3.0);
        assert_near(Masi.between(&empty, &empty), 0.0);
        assert_near(Jaccard.between(&empty, &empty), 0.0);
    }
}
