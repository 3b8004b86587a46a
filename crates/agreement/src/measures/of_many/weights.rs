//! Gwet's weights: how much a partial agreement is worth.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::arithmetic::number::count64;
use crate::arithmetic::wide::Wide;
use crate::measures::of_many::percent::{agreeing_pairs, pairable_items};
use crate::{CoincidenceTally, Score, Undefined};

/// How the weights follow from the categories' scores `x`, of which `span = max − min`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Only equal categories agree.
    Identity,
    /// `1 − |x_k − x_l| / span`
    Linear,
    /// `1 − (x_k − x_l)² / span²`
    Quadratic,
    /// `1 − √|x_k − x_l| / √span`
    Radical,
    /// `1 − ((x_k − x_l) / (x_k + x_l))² / ((max − min) / (max + min))²`
    Ratio,
    /// `1 − sin²(π (x_k − x_l) / (span + 1))`, the sine's square divided by the largest one
    Circular,
    /// `1 − (x_k − x_l)² / (x_k + x_l − 2 min)(2 max − x_k − x_l)`, the quotient divided by the
    /// largest one
    Bipolar,
    /// `1 − d (d − 1) / 2`, where `d = |rank_k − rank_l| + 1`, the product divided by the largest
    /// one
    Ordinal,
}

/// The worth, from 0 to 1, of one rater's category where another chose a different one.
///
/// Weights are made for a set of categories, used or not: the measures expect chance to reach all
/// of them. The schemes are those of Gwet (2014), chapter 3, and of irrCAC.
///
/// ```
/// # use agreement::{Scheme, Weights};
/// let weights = Weights::by_rank(Scheme::Linear, ["poor", "fair", "good"])?;
/// assert_eq!(weights.between(&"poor", &"fair"), Some(0.5));
/// assert_eq!(weights.between(&"poor", &"unheard of"), None);
/// # Ok::<(), agreement::Undefined>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights<C> {
    ranks: BTreeMap<C, usize>,
    /// `weights[k][l]`, in the order of ranks.
    weights: Vec<Vec<f64>>,
}

impl<C: Ord + Clone> Weights<C> {
    /// Weights of categories that are numbers, which may come in any order.
    ///
    /// # Undefined when
    /// There are fewer than two categories ([`Undefined::OneCategory`]), or the scheme gives two
    /// of them no weight ([`Undefined::NoDistance`]), as ratios of negative numbers have none.
    pub fn by_value(
        scheme: Scheme,
        categories: impl IntoIterator<Item = C>,
    ) -> Result<Self, Undefined>
    where
        C: Score,
    {
        let mut scored: Vec<(C, f64)> =
            categories.into_iter().map(|c| (c.clone(), c.score())).collect();
        scored.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        scored.dedup_by(|a, b| a.0 == b.0);
        Self::by_score(scheme, scored)
    }

    /// Weights of categories that come in their order, and score 1, 2, 3 and so on.
    ///
    /// # Undefined when
    /// There are fewer than two categories ([`Undefined::OneCategory`]), or one is repeated
    /// ([`Undefined::NoDistance`]).
    pub fn by_rank(
        scheme: Scheme,
        categories: impl IntoIterator<Item = C>,
    ) -> Result<Self, Undefined> {
        let scores = std::iter::successors(Some(1.0), |score| Some(score + 1.0));
        Self::by_score(scheme, categories.into_iter().zip(scores).collect())
    }

    /// Weights of one's own, asked for once per pair of categories, the earlier first.
    ///
    /// # Undefined when
    /// There are fewer than two categories ([`Undefined::OneCategory`]), one is repeated, or a
    /// weight is not between 0 and 1 ([`Undefined::NoDistance`]).
    pub fn custom(
        categories: impl IntoIterator<Item = C>,
        weight: impl Fn(&C, &C) -> f64,
    ) -> Result<Self, Undefined> {
        let categories: Vec<C> = categories.into_iter().collect();
        let ranks: BTreeMap<C, usize> = categories.iter().cloned().zip(0..).collect();
        if ranks.len() < categories.len() {
            return Err(Undefined::NoDistance);
        }
        Self::of(ranks, |k, l| match (categories.get(k), categories.get(l)) {
            (Some(first), Some(second)) => weight(first, second),
            _ => f64::NAN,
        })
    }

    fn by_score(scheme: Scheme, places: Vec<(C, f64)>) -> Result<Self, Undefined> {
        let (categories, scores): (Vec<C>, Vec<f64>) = places.into_iter().unzip();
        let size = categories.len();
        let ranks: BTreeMap<C, usize> = categories.into_iter().zip(0..).collect();
        if ranks.len() < size {
            return Err(Undefined::NoDistance);
        }
        let (Some(&min), Some(&max)) = (scores.first(), scores.last()) else {
            return Err(Undefined::OneCategory);
        };
        let place = |rank: usize| scores.get(rank).copied().unwrap_or(f64::NAN);
        let ordinals: Vec<f64> =
            std::iter::successors(Some(0.0), |rank| Some(rank + 1.0)).take(size).collect();
        let rank = |rank: usize| ordinals.get(rank).copied().unwrap_or(f64::NAN);
        let loss = |k: usize, l: usize| {
            let ranks_apart = rank(k) - rank(l);
            scheme.loss(place(k), place(l), ranks_apart.abs(), (min, max))
        };
        let largest = (0..size)
            .flat_map(|k| (0..k).map(move |l| (k, l)))
            .map(|(k, l)| loss(k, l))
            .fold(0.0, f64::max);
        let unit = if scheme.is_relative() { largest } else { 1.0 };
        Self::of(ranks, |k, l| 1.0 - loss(k, l) / unit)
    }

    fn of(
        ranks: BTreeMap<C, usize>,
        weight: impl Fn(usize, usize) -> f64,
    ) -> Result<Self, Undefined> {
        let size = ranks.len();
        if size < 2 {
            return Err(Undefined::OneCategory);
        }
        let between = |k: usize, l: usize| match k.cmp(&l) {
            std::cmp::Ordering::Less => weight(k, l),
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => weight(l, k),
        };
        let weights: Vec<Vec<f64>> =
            (0..size).map(|k| (0..size).map(|l| between(k, l)).collect()).collect();
        // Rounding may leave a weight a hair below 0.
        if weights.iter().flatten().all(|weight| (-1e-12..=1.0).contains(weight)) {
            Ok(Self { ranks, weights })
        } else {
            Err(Undefined::NoDistance)
        }
    }

    /// The weight of two categories, if both are among those the weights were made for.
    pub fn between(&self, a: &C, b: &C) -> Option<f64> {
        let row = self.weights.get(*self.ranks.get(a)?)?;
        row.get(*self.ranks.get(b)?).copied()
    }

    /// How many categories there are.
    pub(crate) fn len(&self) -> u64 {
        count64(self.ranks.len())
    }

    /// The sum of all weights.
    pub(crate) fn total(&self) -> Wide {
        Wide::sum(self.weights.iter().flatten().map(|&weight| Wide::from(weight)))
    }

    /// The mean weight of two ratings of an item, over items with two or more.
    pub(crate) fn observed(&self, tally: &CoincidenceTally<C>) -> Result<Wide, Undefined> {
        let nominal = tally.nominal();
        let items = pairable_items(nominal);
        if items == 0 {
            return Err(Undefined::NoSharedPositions);
        }
        if nominal.categories().into_iter().any(|category| !self.ranks.contains_key(category)) {
            return Err(Undefined::UndeclaredCategory);
        }
        let of_pairs = |raters: u64| u128::from(raters) * u128::from(raters - 1);
        let alike =
            agreeing_pairs(nominal).map(|(raters, pairs)| Wide::ratio(pairs, of_pairs(raters)));
        let unlike = tally.unlike_cells().map(|(raters, a, b, pairs)| {
            let weight = Wide::from(self.between(a, b).unwrap_or(0.0));
            weight * Wide::ratio(2 * pairs, of_pairs(raters))
        });
        Ok(Wide::sum(alike.chain(unlike)) / Wide::from(items))
    }
}

impl Scheme {
    /// How much less than 1 the weight of two different categories is, in a unit of the scheme's.
    fn loss(self, k: f64, l: f64, ranks_apart: f64, (min, max): (f64, f64)) -> f64 {
        let apart = (k - l).abs();
        let span = max - min;
        match self {
            Self::Identity => 1.0,
            Self::Linear => apart / span,
            Self::Quadratic => (apart / span).powi(2),
            Self::Radical => (apart / span).sqrt(),
            Self::Ratio if min < 0.0 => f64::NAN,
            Self::Ratio => ((apart / (k + l)) / (span / (max + min))).powi(2),
            Self::Circular => (PI * apart / (span + 1.0)).sin().powi(2),
            Self::Bipolar => apart.powi(2) / ((k + l - 2.0 * min) * (2.0 * max - k - l)),
            Self::Ordinal => (ranks_apart + 1.0) * ranks_apart / 2.0,
        }
    }

    /// Whether its unit is the largest loss.
    fn is_relative(self) -> bool {
        matches!(self, Self::Circular | Self::Bipolar | Self::Ordinal)
    }
}
