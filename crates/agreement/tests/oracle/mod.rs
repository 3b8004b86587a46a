//! Definitions of the measures, pair by pair, in exact fractions.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{FromPrimitive, One, Zero};

/// What each rater said, and how often.
#[derive(Clone, Debug)]
pub(crate) struct Study(pub(crate) Vec<(Vec<Option<u8>>, u64)>);

pub(crate) fn fraction(numerator: u64, denominator: u64) -> BigRational {
    BigRational::from_u64(numerator).unwrap() / BigRational::from_u64(denominator).unwrap()
}

pub(crate) fn nominal(a: u8, b: u8) -> BigRational {
    fraction(u64::from(a != b), 1)
}

pub(crate) fn identity(a: u8, b: u8) -> BigRational {
    fraction(u64::from(a == b), 1)
}

fn whole(count: usize) -> BigRational {
    BigRational::from_usize(count).unwrap()
}

fn divide(numerator: BigRational, denominator: &BigRational) -> Option<BigRational> {
    (!denominator.is_zero()).then(|| numerator / denominator)
}

fn corrected(observed: &BigRational, expected: &BigRational) -> Option<BigRational> {
    divide(observed - expected, &(BigRational::one() - expected))
}

impl Study {
    /// The ratings of each item that has any, and how often it counts.
    fn items(&self) -> Vec<(Vec<u8>, BigRational)> {
        let items = self.0.iter().filter(|(_, times)| *times > 0);
        items
            .map(|(row, times)| (row.iter().flatten().copied().collect(), fraction(*times, 1)))
            .filter(|(ratings, _): &(Vec<u8>, _)| !ratings.is_empty())
            .collect()
    }

    fn pairable(&self) -> Vec<(Vec<u8>, BigRational)> {
        self.items().into_iter().filter(|(ratings, _)| ratings.len() > 1).collect()
    }

    pub(crate) fn uses(&self, category: u8) -> bool {
        self.items().iter().any(|(ratings, _)| ratings.contains(&category))
    }

    pub(crate) fn dichotomised(&self, category: u8) -> Self {
        let one = |rating: &Option<u8>| rating.map(|rating| u8::from(rating == category));
        Self(self.0.iter().map(|(row, n)| (row.iter().map(one).collect(), *n)).collect())
    }

    /// The mean over items of the mean worth of two of their ratings.
    fn mean_worth(&self, worth: impl Fn(u8, u8) -> BigRational) -> Option<BigRational> {
        let (mut sum, mut items) = (BigRational::zero(), BigRational::zero());
        for (ratings, times) in self.pairable() {
            sum += mean_over_pairs(&ratings, &worth) * &times;
            items += times;
        }
        divide(sum, &items)
    }

    pub(crate) fn percent_by_item(&self) -> Option<BigRational> {
        self.mean_worth(identity)
    }

    pub(crate) fn percent_by_rating(&self) -> Option<BigRational> {
        let (mut sum, mut all) = (BigRational::zero(), BigRational::zero());
        for (ratings, times) in self.pairable() {
            let weight = times * whole(ratings.len());
            sum += mean_over_pairs(&ratings, &identity) * &weight;
            all += weight;
        }
        divide(sum, &all)
    }

    pub(crate) fn free_marginal(&self, q: usize) -> Option<BigRational> {
        corrected(&self.percent_by_item()?, &whole(q).recip())
    }

    fn shares(&self) -> BTreeMap<u8, BigRational> {
        let items = self.items();
        let total: BigRational = items.iter().map(|(_, times)| times).sum();
        let mut shares: BTreeMap<u8, BigRational> = BTreeMap::new();
        for (ratings, times) in items {
            for &rating in &ratings {
                let share = shares.entry(rating).or_insert_with(BigRational::zero);
                *share += &times / whole(ratings.len()) / &total;
            }
        }
        shares
    }

    pub(crate) fn fleiss(&self) -> Option<BigRational> {
        let expected: BigRational = self.shares().values().map(|share| share * share).sum();
        corrected(&self.percent_by_item()?, &expected)
    }

    pub(crate) fn gwet(
        &self,
        q: usize,
        weight: impl Fn(u8, u8) -> BigRational,
    ) -> Option<BigRational> {
        let spread: BigRational =
            self.shares().values().map(|share| share * (BigRational::one() - share)).sum();
        let expected = total(q, &weight) / (whole(q) * whole(q - 1)) * spread;
        corrected(&self.mean_worth(weight)?, &expected)
    }

    pub(crate) fn brennan_prediger(
        &self,
        q: usize,
        weight: impl Fn(u8, u8) -> BigRational,
    ) -> Option<BigRational> {
        let expected = total(q, &weight) / (whole(q) * whole(q));
        corrected(&self.mean_worth(weight)?, &expected)
    }

    /// The labels that have a partner.
    fn labels(&self) -> BTreeMap<u8, BigRational> {
        let mut labels: BTreeMap<u8, BigRational> = BTreeMap::new();
        for (ratings, times) in self.pairable() {
            for rating in ratings {
                *labels.entry(rating).or_insert_with(BigRational::zero) += &times;
            }
        }
        labels
    }

    pub(crate) fn alpha(&self, distance: impl Fn(u8, u8) -> BigRational) -> Option<BigRational> {
        let labels = self.labels();
        let n: BigRational = labels.values().sum();
        let mut observed = BigRational::zero();
        for (ratings, times) in self.pairable() {
            observed += mean_over_pairs(&ratings, &distance) * whole(ratings.len()) * times;
        }
        let mut expected = BigRational::zero();
        for (&c, n_c) in &labels {
            for (&k, n_k) in &labels {
                expected += n_c * n_k * distance(c, k);
            }
        }
        let ratio = divide(observed * (&n - BigRational::one()), &expected)?;
        Some(BigRational::one() - ratio)
    }

    /// Krippendorff's sum over the labels in between, word by word.
    pub(crate) fn alpha_ordinal(&self) -> Option<BigRational> {
        let labels = self.labels();
        self.alpha(|a, b| {
            let (low, high) = (a.min(b), a.max(b));
            let between: BigRational = labels.range(low..=high).map(|(_, n)| n).sum();
            let ends = (&labels[&low] + &labels[&high]) / whole(2);
            let apart = if a == b { BigRational::zero() } else { between - ends };
            &apart * &apart
        })
    }

    /// `p_o` and `p_e` of two raters, by the worth of each pair, and the largest `p_o`.
    fn pair(&self, i: usize, j: usize) -> Option<[BigRational; 3]> {
        let (n, cells, [rows, columns]) = self.cross(i, j)?;
        let agreed: BigRational = cells.iter().filter(|((a, b), _)| a == b).map(|(_, n)| n).sum();
        let zero = BigRational::zero();
        let (mut expected, mut largest) = (BigRational::zero(), BigRational::zero());
        for (category, row) in &rows {
            let column = columns.get(category).unwrap_or(&zero);
            expected += row * column / (&n * &n);
            largest += row.min(column) / &n;
        }
        Some([agreed / &n, expected, largest])
    }

    #[expect(clippy::type_complexity, reason = "n, cells, margins")]
    fn cross(
        &self,
        i: usize,
        j: usize,
    ) -> Option<(BigRational, BTreeMap<(u8, u8), BigRational>, [BTreeMap<u8, BigRational>; 2])>
    {
        let mut cells: BTreeMap<(u8, u8), BigRational> = BTreeMap::new();
        let mut margins = [BTreeMap::new(), BTreeMap::new()];
        let mut n = BigRational::zero();
        for (row, times) in &self.0 {
            if let (Some(a), Some(b)) = (row.get(i).copied()?, row.get(j).copied()?) {
                let times = fraction(*times, 1);
                *cells.entry((a, b)).or_insert_with(BigRational::zero) += &times;
                for (margin, category) in margins.iter_mut().zip([a, b]) {
                    *margin.entry(category).or_insert_with(BigRational::zero) += &times;
                }
                n += times;
            }
        }
        (!n.is_zero()).then_some((n, cells, margins))
    }

    pub(crate) fn cohen(&self, i: usize, j: usize) -> Option<BigRational> {
        let [observed, expected, _] = self.pair(i, j)?;
        corrected(&observed, &expected)
    }

    pub(crate) fn cohen_max(&self, i: usize, j: usize) -> Option<BigRational> {
        let [_, expected, largest] = self.pair(i, j)?;
        corrected(&largest, &expected)
    }

    pub(crate) fn weighted_kappa(
        &self,
        distance: impl Fn(u8, u8) -> BigRational,
    ) -> Option<BigRational> {
        let (n, cells, [rows, columns]) = self.cross(0, 1)?;
        let observed: BigRational = cells.iter().map(|(&(a, b), n)| n * distance(a, b)).sum();
        let mut expected = BigRational::zero();
        for (&a, row) in &rows {
            for (&b, column) in &columns {
                expected += row * column * distance(a, b);
            }
        }
        Some(BigRational::one() - divide(observed * n, &expected)?)
    }

    fn rater_pairs(&self) -> Vec<(usize, usize)> {
        let raters = self.0.first().map_or(0, |(row, _)| row.len());
        (0..raters).flat_map(|i| (i + 1..raters).map(move |j| (i, j))).collect()
    }

    pub(crate) fn hubert(&self) -> Option<BigRational> {
        let pairs = self.rater_pairs();
        let parts: Option<Vec<_>> = pairs.iter().map(|&(i, j)| self.pair(i, j)).collect();
        let [mut observed, mut expected] = [BigRational::zero(), BigRational::zero()];
        for [of_pair, by_chance, _] in parts? {
            observed += of_pair;
            expected += by_chance;
        }
        let pairs = whole(pairs.len());
        corrected(&divide(observed, &pairs)?, &divide(expected, &pairs)?)
    }

    pub(crate) fn light(&self) -> Option<BigRational> {
        let pairs = self.rater_pairs();
        let kappas: Option<Vec<_>> = pairs.iter().map(|&(i, j)| self.cohen(i, j)).collect();
        divide(kappas?.into_iter().sum(), &whole(pairs.len()))
    }
}

/// The mean over ordered pairs of different raters.
fn mean_over_pairs(ratings: &[u8], worth: &impl Fn(u8, u8) -> BigRational) -> BigRational {
    let mut sum = BigRational::zero();
    for (i, &a) in ratings.iter().enumerate() {
        for (j, &b) in ratings.iter().enumerate() {
            if i != j {
                sum += worth(a, b);
            }
        }
    }
    sum / whole(ratings.len() * (ratings.len() - 1))
}

/// The sum of all weights among the first `q` categories.
fn total(q: usize, weight: &impl Fn(u8, u8) -> BigRational) -> BigRational {
    let categories: BTreeSet<u8> = (0..u8::try_from(q).unwrap()).collect();
    categories.iter().flat_map(|&a| categories.iter().map(move |&b| weight(a, b))).sum()
}
