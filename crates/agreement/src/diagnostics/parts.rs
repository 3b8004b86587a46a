//! Agreement in its parts: by category, by item, by rater and by pair of raters.

use super::Judgements;
use crate::Undefined;
use crate::arithmetic::ratio::ratio;

/// How many of some pairs of judgements agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Pairs that agree.
    pub agreeing: u64,
    /// All pairs.
    pub pairs: u64,
}

impl Share {
    /// The observed agreement; undefined without pairs.
    pub fn agreement(&self) -> Result<f64, Undefined> {
        if self.pairs == 0 {
            return Err(Undefined::NoSharedPositions);
        }
        Ok(ratio(self.agreeing.into(), self.pairs.into()))
    }
}

/// When one rater chose a category, how often did another choose it too?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CategoryAgreement<'a, C> {
    /// The category.
    pub category: &'a C,
    /// How often it was chosen, by any rater on any item.
    pub judgements: u64,
    /// Of the ordered pairs whose first judgement is the category, those whose second is, too.
    pub share: Share,
}

/// How far the raters of one item agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemAgreement {
    /// The place of the item, from 0.
    pub item: usize,
    /// How many raters judged it.
    pub judgements: u64,
    /// Ordered pairs of its judgements.
    pub share: Share,
}

/// How far one rater agrees with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaterAgreement {
    /// The place of the rater, from 0.
    pub rater: usize,
    /// How many items the rater judged.
    pub judgements: u64,
    /// Pairs of a judgement of this rater and one of another on the same item.
    pub share: Share,
}

/// How far two raters agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairAgreement {
    /// The place of the first rater, from 0.
    pub first: usize,
    /// The place of the second rater.
    pub second: usize,
    /// Items that both judged.
    pub share: Share,
}

impl<'a, C: Ord> Judgements<'a, C> {
    /// Agreement on each category that occurs: the specific agreement of two raters, and its
    /// extension to more.
    ///
    /// # Formula
    /// ```text
    /// P_k = Σ_i n_ik (n_ik − 1) / Σ_i n_ik (r_i − 1)
    /// ```
    ///
    /// # Reference
    /// Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. *Psychological
    /// Bulletin* 76(5), 378–382, equation 10.
    pub fn by_category(&self) -> Vec<CategoryAgreement<'a, C>> {
        let mut categories: Vec<_> = self
            .categories()
            .iter()
            .map(|&category| CategoryAgreement { category, judgements: 0, share: Share::default() })
            .collect();
        for counts in self.counts() {
            let all: u64 = counts.values().sum();
            for (&code, &count) in &counts {
                if let Some(category) = categories.get_mut(code) {
                    category.judgements += count;
                    category.share.agreeing += count * (count - 1);
                    category.share.pairs += count * (all - 1);
                }
            }
        }
        categories
    }

    /// Agreement on each item, in the order of the items.
    ///
    /// # Formula
    /// ```text
    /// P_i = Σ_k n_ik (n_ik − 1) / r_i (r_i − 1)
    /// ```
    ///
    /// # Reference
    /// Fleiss (1971), equation 2.
    pub fn by_item(&self) -> Vec<ItemAgreement> {
        let agreement = |(item, counts): (usize, std::collections::BTreeMap<usize, u64>)| {
            let judgements: u64 = counts.values().sum();
            let agreeing = counts.values().map(|count| count * (count - 1)).sum();
            let pairs = judgements * judgements.saturating_sub(1);
            ItemAgreement { item, judgements, share: Share { agreeing, pairs } }
        };
        self.counts().enumerate().map(agreement).collect()
    }

    /// Agreement of each rater with all others.
    pub fn by_rater(&self) -> Vec<RaterAgreement> {
        let mut raters: Vec<_> = (0..self.raters())
            .map(|rater| RaterAgreement { rater, judgements: 0, share: Share::default() })
            .collect();
        for (item, counts) in self.codes().zip(self.counts()) {
            let all: u64 = counts.values().sum();
            for (rater, code) in raters.iter_mut().zip(item) {
                if let Some(&count) = code.and_then(|code| counts.get(&code)) {
                    rater.judgements += 1;
                    rater.share.agreeing += count - 1;
                    rater.share.pairs += all - 1;
                }
            }
        }
        raters
    }

    /// Agreement of each pair of raters.
    pub fn by_pair(&self) -> Vec<PairAgreement> {
        let raters = self.raters();
        let mut pairs: Vec<_> = (0..raters)
            .flat_map(|first| (first + 1..raters).map(move |second| (first, second)))
            .map(|(first, second)| PairAgreement { first, second, share: Share::default() })
            .collect();
        for item in self.codes() {
            for pair in &mut pairs {
                let judgement = |rater: usize| item.get(rater).copied().flatten();
                if let (Some(first), Some(second)) = (judgement(pair.first), judgement(pair.second))
                {
                    pair.share.pairs += 1;
                    pair.share.agreeing += u64::from(first == second);
                }
            }
        }
        pairs
    }
}
