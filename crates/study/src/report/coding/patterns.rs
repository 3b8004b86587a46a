//! Items with the same ratings taken together, and samples of items drawn from them.

use std::collections::HashMap;

use agreement::inference::ItemCounts;
use agreement::{CoincidenceTally, Contingency, Item, MISSING, NominalTally, Ratings};

use crate::count64;
use crate::report::coding::measures::{Needs, Sample};
use crate::report::coding::random::Random;

/// The different rows of ratings, sorted, so that nothing depends on the order of items.
pub(super) struct Patterns {
    rows: Vec<Vec<u32>>,
    times: Vec<u64>,
    /// The different counts of categories, whoever rated.
    counts: Vec<Item<u32>>,
    count_of_row: Vec<usize>,
}

impl Patterns {
    pub(super) fn of(study: &Ratings<u32>) -> Self {
        let mut columns: Vec<_> = (0..study.raters()).map(|rater| study.codes(rater)).collect();
        let mut found: HashMap<Vec<u32>, u64> = HashMap::new();
        let mut row = Vec::with_capacity(columns.len());
        for _ in 0..study.items() {
            row.clear();
            row.extend(columns.iter_mut().filter_map(Iterator::next));
            match found.get_mut(&row) {
                Some(times) => *times += 1,
                None => drop(found.insert(row.clone(), 1)),
            }
        }
        let mut sorted: Vec<(Vec<u32>, u64)> = found.into_iter().collect();
        sorted.sort_unstable();
        let (rows, times): (Vec<Vec<u32>>, Vec<u64>) = sorted.into_iter().unzip();

        let mut places: HashMap<Vec<u32>, usize> = HashMap::new();
        let (mut counts, mut count_of_row) = (Vec::new(), Vec::new());
        for row in &rows {
            let mut rated: Vec<u32> = row.iter().copied().filter(|&code| code != MISSING).collect();
            rated.sort_unstable();
            let place = places.entry(rated).or_insert_with_key(|rated| {
                counts.push(rated.iter().copied().collect());
                counts.len() - 1
            });
            count_of_row.push(*place);
        }
        Self { rows, times, counts, count_of_row }
    }

    /// How many items there are.
    pub(super) fn items(&self) -> u64 {
        self.times.iter().sum()
    }

    /// How many items two raters or more have judged.
    pub(super) fn compared(&self) -> u64 {
        let is_compared = |place: &usize| {
            self.counts
                .get(*place)
                .is_some_and(|item| item.counts().map(|(_, count)| count).sum::<u64>() > 1)
        };
        let rows = self.times.iter().zip(&self.count_of_row);
        rows.filter(|(_, place)| is_compared(place)).map(|(times, _)| times).sum()
    }

    /// How many steps it takes, more or less, to draw a sample and to count what is needed.
    pub(super) fn cost(&self, needs: Needs) -> u64 {
        let categories: u64 =
            self.counts.iter().map(|item| count64(item.counts().count())).sum::<u64>() * 16;
        let raters = count64(self.rows.first().map_or(0, Vec::len));
        let rows = count64(self.rows.len());
        let study = if needs.study { rows.saturating_mul(raters * raters) } else { 0 };
        let unlike = if needs.coincidences { categories.saturating_mul(2) } else { 0 };
        (self.items() / 16)
            .saturating_add(rows * 16)
            .saturating_add(categories)
            .saturating_add(unlike)
            .saturating_add(study)
    }

    /// The study as it is.
    pub(super) fn whole(&self, needs: Needs) -> Sample {
        self.count(&self.times, needs)
    }

    /// Samples of as many items, drawn with replacement, each from a random stream of its own.
    pub(super) fn samples(
        &self,
        resamples: u32,
        seed: u64,
        needs: Needs,
    ) -> impl Iterator<Item = Sample> {
        let mut up_to = vec![0];
        up_to.extend(self.times.iter().scan(0, |sum, times| {
            *sum += times;
            Some(*sum)
        }));
        let mut times = vec![0; self.rows.len()];
        (0..resamples).map(move |number| {
            let mut random = Random::stream(seed, number.into());
            share_out(&mut random, self.items(), &up_to, &mut times);
            self.count(&times, needs)
        })
    }

    /// The different counts of categories, for the formulas of standard errors.
    pub(super) fn item_counts(&self, categories: usize) -> ItemCounts {
        let mut counts = ItemCounts::default().with_categories(categories);
        for (item, times) in self.counts.iter().zip(self.times_of_counts(&self.times)) {
            let last = item.counts().last().map_or(0, |(&category, _)| category + 1);
            counts.add_counts((0..last).map(|category| item.count(&category)), times);
        }
        counts
    }

    fn times_of_counts(&self, times: &[u64]) -> Vec<u64> {
        let mut of_counts = vec![0; self.counts.len()];
        for (&place, times) in self.count_of_row.iter().zip(times) {
            if let Some(sum) = of_counts.get_mut(place) {
                *sum += times;
            }
        }
        of_counts
    }

    fn count(&self, times: &[u64], needs: Needs) -> Sample {
        let (mut nominal, mut coincidences) = (NominalTally::new(), CoincidenceTally::new());
        for (item, times) in self.counts.iter().zip(self.times_of_counts(times)) {
            if times > 0 {
                // A study that could be read is far below what a tally holds.
                let _ = if needs.coincidences {
                    coincidences.add_times(item, times)
                } else {
                    nominal.add_times(item, times)
                };
            }
        }
        let mut table = Contingency::new();
        if needs.table {
            for (row, &times) in self.rows.iter().zip(times) {
                if let &[first, second] = row.as_slice()
                    && first != MISSING
                    && second != MISSING
                {
                    table.add_count(first, second, times);
                }
            }
        }
        let study = needs.study.then(|| {
            let drawn = self.rows.iter().zip(times).filter(|(_, times)| **times > 0);
            let ratings = |row: &Vec<u32>| -> Vec<Option<u32>> {
                row.iter().map(|&code| (code != MISSING).then_some(code)).collect()
            };
            Ratings::from_patterns(drawn.map(|(row, &times)| (ratings(row), times))).ok()
        });
        let coincidences = needs.coincidences.then_some(coincidences);
        Sample::new(table, nominal, coincidences, study.flatten())
    }
}

/// Draws from the multinomial distribution: so many items go to rows, each of which has the part
/// of them that it has in the study. `up_to` holds the sums of the rows' times, from 0.
///
/// Half of the rows get a draw of all items, and so on within the halves.
fn share_out(random: &mut Random, items: u64, up_to: &[u64], times: &mut [u64]) {
    if items == 0 {
        times.fill(0);
        return;
    }
    if let [only] = times {
        *only = items;
        return;
    }
    let half = times.len() / 2;
    let (left, right) = times.split_at_mut(half);
    let bound = |place: usize| u128::from(up_to.get(place).copied().unwrap_or_default());
    let (begin, middle, end) = (bound(0), bound(half), bound(left.len() + right.len()));
    let share = ((middle - begin) << 64) / (end - begin).max(1);
    let in_left = random.below_share(items, u64::try_from(share).unwrap_or(u64::MAX));
    share_out(random, in_left, up_to.get(..=half).unwrap_or_default(), left);
    share_out(random, items - in_left, up_to.get(half..).unwrap_or_default(), right);
}
