//! Two raters against the one who is right: is one of them better?

use agreement::inference::{PermutationTest, Resampling, mcnemar_exact, permutation_test};
use agreement::{CategoryCounts, MISSING, Ratings, Undefined};

use super::ModelPair;
use crate::count64;
use crate::report::coding::budget;
use crate::report::{Options, Reason, TestOf};

/// About so many steps it takes to compare or to exchange two on an item, or to measure a label.
pub(super) const STEPS_OF_EACH: u64 = 8;

/// What two said about the items that they and the one who is right have rated.
pub(super) struct Compared {
    /// How many items there are.
    items: u64,
    /// Of each label how often it is right, and how often each of the two said it where they say the same.
    alike: Vec<CategoryCounts>,
    /// Where they do not: the label that is right, that of the first and that of the second.
    apart: Vec<[usize; 3]>,
}

impl Compared {
    /// Of the one who is right, a first and a second rater.
    pub(super) fn of(ratings: &Ratings<u32>, raters: [usize; 3]) -> Self {
        let [gold, first, second] = raters.map(|rater| ratings.codes(rater));
        let said = gold.zip(first).zip(second).map(|((gold, first), second)| [gold, first, second]);
        let said: Vec<[u32; 3]> = said.filter(|codes| !codes.contains(&MISSING)).collect();
        let code = |code: u32| usize::try_from(code).unwrap_or(usize::MAX);
        // Of each category its place among those that the three used.
        let mut places: Vec<Option<usize>> = vec![None; ratings.categories().len()];
        for &used in said.iter().flatten() {
            if let Some(place) = places.get_mut(code(used)) {
                *place = Some(0);
            }
        }
        let mut labels = 0;
        for place in places.iter_mut().flatten() {
            *place = labels;
            labels += 1;
        }
        let place = |used: u32| places.get(code(used)).copied().flatten().unwrap_or_default();
        let mut alike = vec![CategoryCounts::default(); labels];
        let mut apart = Vec::new();
        for codes in &said {
            let [gold, first, second] = codes.map(place);
            if let Some(counts) = alike.get_mut(gold) {
                counts.right += 1;
            }
            if first == second {
                give(&mut alike, first, gold);
            } else {
                apart.push([gold, first, second]);
            }
        }
        Self { items: count64(said.len()), alike, apart }
    }

    /// Compares the two, who have these names; so many pairs share the time that there is.
    pub(super) fn pair(
        &self,
        [first, second]: [String; 2],
        options: &Options,
        pairs: u64,
    ) -> ModelPair {
        let only = |is_right: fn(&&[usize; 3]) -> bool| {
            count64(self.apart.iter().filter(is_right).count())
        };
        let only_first = only(|[gold, first, _]| gold == first);
        let only_second = only(|[gold, _, second]| gold == second);
        let permutation = self.permutation(options, pairs).map(|test| test.p_value);
        ModelPair {
            first,
            second,
            items: self.items,
            only_first,
            only_second,
            mcnemar: TestOf::new(mcnemar_exact(only_first, only_second).map_err(Reason::from)),
            f1_difference: self.difference(&vec![false; self.apart.len()]).ok(),
            permutation: TestOf::new(permutation),
        }
    }

    /// Whether the difference of the two in F1, mean of labels, is more than who is called which. To
    /// exchange them where they say the same changes nothing.
    fn permutation(&self, options: &Options, pairs: u64) -> Result<PermutationTest, Reason> {
        if self.items == 0 {
            return Err(Undefined::NoSharedPositions.into());
        }
        if self.apart.is_empty() {
            return Err(Undefined::NoVariance.into());
        }
        let each = count64(self.apart.len() + self.alike.len()) * STEPS_OF_EACH;
        let what = "exchanging so many raters on so many items";
        let resamples = budget::draws(options.resamples, each.saturating_mul(pairs), what)?;
        let resampling = Resampling { resamples, seed: options.seed };
        let difference = |exchanged: &[bool]| self.difference(exchanged);
        Ok(permutation_test(self.apart.len(), resampling, difference)?)
    }

    /// How much higher the F1 of the first is, mean of labels, if on some items the two are exchanged.
    fn difference(&self, exchanged: &[bool]) -> Result<f64, Undefined> {
        let (mut of_first, mut of_second) = (self.alike.clone(), self.alike.clone());
        for (&[gold, first, second], is_exchanged) in self.apart.iter().zip(exchanged) {
            let (first, second) = if *is_exchanged { (second, first) } else { (first, second) };
            give(&mut of_first, first, gold);
            give(&mut of_second, second, gold);
        }
        Ok(mean_f1(&of_first)? - mean_f1(&of_second)?)
    }
}

/// Counts a label that was given where another one, or the same, is right.
fn give(counts: &mut [CategoryCounts], label: usize, gold: usize) {
    if let Some(counts) = counts.get_mut(label) {
        counts.said += 1;
        counts.agreed += u64::from(label == gold);
    }
}

/// The mean of all labels that were given or are right: one of which only one is true has 0.
fn mean_f1(counts: &[CategoryCounts]) -> Result<f64, Undefined> {
    let (mut sum, mut labels) = (0.0, 0.0);
    for f1 in counts.iter().filter_map(|counts| counts.f1().ok()) {
        sum += f1;
        labels += 1.0;
    }
    if labels > 0.0 { Ok(sum / labels) } else { Err(Undefined::NoSharedPositions) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first is right on all of so many items, the second on every other one.
    fn permutation(items: u32, options: &Options, pairs: u64) -> TestOf {
        let rows = (0..items).map(|item| [0, 0, item % 2].map(Some));
        let ratings = Ratings::from_rows(rows).unwrap();
        let names = ["A", "B"].map(str::to_owned);
        let pair = Compared::of(&ratings, [0, 1, 2]).pair(names, options, pairs);
        assert!(pair.f1_difference > Some(0.0) && pair.mcnemar.p_value < Some(0.01));
        pair.permutation
    }

    #[test]
    fn many_pairs_or_items_are_exchanged_less_often_and_then_not_at_all() {
        let options = Options::default();
        // Of 1,000 ways no other is as far from 0, and of 100.
        assert!((permutation(100, &options, 1).p_value.unwrap() - 1.0 / 1_001.0).abs() < 1e-12);
        let few = permutation(100, &options, 100_000).p_value.unwrap();
        assert!((few - 1.0 / 101.0).abs() < 1e-12, "{few}");
        for pairs in [200_000, u64::MAX] {
            let test = permutation(100, &options, pairs);
            assert_eq!((test.p_value, test.undefined.unwrap().code.as_str()), (None, "TooLong"));
        }
        let asked = Options { resamples: Some(200), ..options };
        assert!(permutation(100, &asked, u64::MAX).p_value.is_some());
    }
}
