//! Measures all raters against the one who is right.

use agreement::Ratings;
use agreement::inference::{Level, holm};

use super::consensus;
use super::labels::Labels;
use super::pairs::{Compared, STEPS_OF_EACH};
use super::{AgainstGold, ModelAgainstGold, ModelPair};
use crate::count64;
use crate::read::Study;
use crate::report::coding::budget;
use crate::report::consensus::Crowd;
use crate::report::{Options, Reason, TestOf};

/// Measures all others, and what they together say, against a rater.
pub(in crate::report::coding) fn of(
    study: &Study,
    ratings: &Ratings<u32>,
    crowd: Option<&Crowd>,
    gold: usize,
    options: &Options,
    level: Level,
) -> AgainstGold {
    let understood = &study.understood;
    let others: Vec<usize> = (0..ratings.raters()).filter(|rater| *rater != gold).collect();
    let name = |rater: usize| understood.raters.get(rater).cloned().unwrap_or_default();
    let model = |&rater: &usize| {
        let labels = Labels::of(&ratings.with_raters(&[rater, gold]));
        ModelAgainstGold {
            rater: name(rater),
            items: labels.items(),
            labels: labels.measure(&understood.categories, options, level, count64(others.len())),
        }
    };
    let models = others.iter().map(model).collect();
    let two = others.iter().enumerate().flat_map(|(place, first)| {
        others.iter().skip(place + 1).map(move |second| [*first, *second])
    });
    let of_all = count64(others.len()) * count64(others.len().saturating_sub(1)) / 2;
    let no_pairs = too_long(of_all, count64(ratings.items()), options);
    let compared = two.take_while(|_| no_pairs.is_none()).map(|[first, second]| {
        let compared = Compared::of(ratings, [gold, first, second]);
        compared.pair([name(first), name(second)], options, of_all)
    });
    let mut pairs: Vec<ModelPair> = compared.collect();
    correct(pairs.iter_mut().map(|pair| &mut pair.mcnemar).collect());
    correct(pairs.iter_mut().map(|pair| &mut pair.permutation).collect());
    let consensus = crowd.map(|crowd| consensus::of(study, ratings, crowd, gold, options, level));
    let consensus = consensus.unwrap_or_default();
    AgainstGold { rater: name(gold), models, pairs, no_pairs, consensus }
}

/// Why so many pairs are not compared on so many items, if they are not.
fn too_long(pairs: u64, items: u64, options: &Options) -> Option<Reason> {
    let steps = pairs.saturating_mul(items).saturating_mul(STEPS_OF_EACH);
    let is_too_long = options.resamples.is_none() && steps > budget::MOST_STEPS;
    is_too_long.then(|| budget::too_long("comparing so many pairs of raters"))
}

/// Corrects the tests that were made for how many they are.
fn correct(tests: Vec<&mut TestOf>) {
    let p_values: Vec<f64> = tests.iter().filter_map(|test| test.p_value).collect();
    let made = tests.into_iter().filter(|test| test.p_value.is_some());
    for (test, corrected) in made.zip(holm(&p_values)) {
        test.corrected = Some(corrected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_take_too_long_are_not_compared_unless_resamples_are_asked_for() {
        let (plain, asked) =
            (Options::default(), Options { resamples: Some(0), ..Options::default() });
        // Of 300 raters and 2,000 items, and of 1,000 and 10,000.
        assert_eq!(too_long(44_551, 2_000, &plain), None);
        assert_eq!(too_long(498_501, 10_000, &plain).unwrap().code, "TooLong");
        assert_eq!(too_long(u64::MAX, u64::MAX, &plain).unwrap().code, "TooLong");
        assert_eq!(too_long(498_501, 10_000, &asked), None);
    }
}
