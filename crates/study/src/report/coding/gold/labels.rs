//! A rater against the one who is right, label by label.

use agreement::inference::Level;
use agreement::{CategoryCounts, Contingency, Ratings, Undefined, category_counts};

use super::{LabelAgainstGold, ShareOfLabel};
use crate::count64;
use crate::report::coding::budget;
use crate::report::coding::measures::Needs;
use crate::report::coding::patterns::Patterns;
use crate::report::measurement::too_few_units;
use crate::report::{IntervalOf, Options, Reason};

/// What is counted of a sample.
const NEEDS: Needs = Needs { table: true, coincidences: false, study: false };

/// About so many steps it takes to count a label and to keep its shares.
const STEPS_OF_LABEL: u64 = 256;

/// What a label comes to.
type Share = fn(&CategoryCounts) -> Result<f64, Undefined>;

/// Precision, recall and F1.
const SHARES: [Share; 3] = [CategoryCounts::precision, CategoryCounts::recall, CategoryCounts::f1];

/// The labels of a rater and of the one who is right.
pub(super) struct Labels {
    patterns: Patterns,
    table: Contingency<u32>,
}

impl Labels {
    /// Of two raters, the second of whom is right.
    pub(super) fn of(two: &Ratings<u32>) -> Self {
        let patterns = Patterns::of(two);
        let table = patterns.whole(NEEDS).table;
        Self { patterns, table }
    }

    /// How often the two said what together.
    pub(super) fn table(&self) -> &Contingency<u32> {
        &self.table
    }

    /// How many items both rated.
    pub(super) fn items(&self) -> u64 {
        self.table.total()
    }

    /// Measures each label; so many raters share the time that there is for intervals.
    pub(super) fn measure(
        &self,
        names: &[String],
        options: &Options,
        level: Level,
        raters: u64,
    ) -> Vec<LabelAgainstGold> {
        let labels = category_counts(&self.table);
        let mut replicates = vec![[const { Vec::new() }; 3]; labels.len()];
        let draws = self.draws(options, count64(labels.len()), raters);
        for sample in self.patterns.samples(*draws.as_ref().unwrap_or(&0), options.seed, NEEDS) {
            let counts = category_counts(&sample.table);
            for (code, replicates) in labels.keys().zip(&mut replicates) {
                let Some(counts) = counts.get(code) else { continue };
                for (share, values) in SHARES.iter().zip(replicates) {
                    values.extend(share(counts));
                }
            }
        }
        let of_label =
            |((&&code, counts), replicates): ((&&u32, &CategoryCounts), [Vec<f64>; 3])| {
                let mut shares = SHARES.iter().zip(replicates).map(|(share, replicates)| {
                    bounded(share(counts), replicates, draws.as_ref(), level)
                });
                let place = usize::try_from(code).ok();
                Some(LabelAgainstGold {
                    category: place.and_then(|place| names.get(place)).cloned().unwrap_or_default(),
                    gold: counts.right,
                    found: counts.said,
                    precision: shares.next()?,
                    recall: shares.next()?,
                    f1: shares.next()?,
                })
            };
        labels.iter().zip(replicates).filter_map(of_label).collect()
    }

    /// How often to resample.
    fn draws(&self, options: &Options, labels: u64, raters: u64) -> Result<u32, Reason> {
        if let Some(reason) = too_few_units(self.items(), options.confidence) {
            return Err(reason);
        }
        let cost = self.patterns.cost(NEEDS).saturating_add(labels * STEPS_OF_LABEL);
        let what = "resampling so many raters, items and labels";
        budget::draws(options.resamples, cost.saturating_mul(raters), what)
    }
}

/// A share with its interval.
fn bounded(
    value: Result<f64, Undefined>,
    replicates: Vec<f64>,
    draws: Result<&u32, &Reason>,
    level: Level,
) -> ShareOfLabel {
    let interval = |value| -> Result<IntervalOf, Reason> {
        Ok(IntervalOf::of_resamples(value, replicates, *draws.map_err(Reason::clone)?, level)?)
    };
    let (value, undefined) = (value.ok(), value.err().map(Reason::from));
    let (interval, no_interval) = match value.map(interval) {
        Some(Ok(interval)) => (Some(interval), None),
        Some(Err(reason)) => (None, Some(reason)),
        None => (None, None),
    };
    ShareOfLabel { value, undefined, interval, no_interval }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many items on which two raters never agree, each with labels of its own.
    fn labels(items: u32) -> Labels {
        let rows = (0..items).map(|item| [Some(item), Some((item + 1) % items)]);
        Labels::of(&Ratings::from_rows(rows).unwrap())
    }

    fn draws(labels: &Labels, options: &Options, raters: u64) -> Result<u32, Reason> {
        let found = labels.measure(&[], options, Level::P95, raters);
        let share = found.into_iter().next().unwrap().recall;
        share.interval.and_then(|it| it.resamples).ok_or_else(|| share.no_interval.unwrap())
    }

    #[test]
    fn many_labels_or_raters_are_resampled_less_often_and_then_not_at_all() {
        let options = Options::default();
        assert_eq!(draws(&labels(5), &options, 1), Ok(1_000));
        assert!(draws(&labels(5), &options, 1_000).unwrap() < 1_000);
        assert_eq!(draws(&labels(5), &options, 20_000), Ok(100));
        for (labels, raters) in [(labels(5), 200_000), (labels(5), u64::MAX), (labels(200_000), 1)]
        {
            assert_eq!(draws(&labels, &options, raters).unwrap_err().code, "TooLong");
        }
    }

    #[test]
    fn whoever_asks_for_resamples_gets_them() {
        let options = Options { resamples: Some(7), ..Options::default() };
        assert_eq!(draws(&labels(5), &options, u64::MAX), Ok(7));
        let options = Options { resamples: Some(0), ..Options::default() };
        assert_eq!(draws(&labels(5), &options, 1).unwrap_err().code, "NoResamples");
    }
}
