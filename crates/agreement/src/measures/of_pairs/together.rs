//! All raters together: bytes compared and added up by the dozen.
//!
//! Of a pair only its agreements and margins are needed, not the cells of its table:
//! ```text
//! agreements(a, b) = #{i : a_i = b_i}         margin(a, k | b) = #{i : a_i = k, b_i is there}
//! ```
//! The first compares two columns of bytes, [`LANES`] items at a time. The second adds, for each
//! item, a row of zeros and ones (who of [`LANES`] raters rated it) to the counts of the category
//! that `a` gave it. Blocks of items are so short that both count in bytes without overflow, and
//! stay in the first cache.

use std::array;

use crate::arithmetic::number::count64;
use crate::arithmetic::parallel;
use crate::measures::of_pairs::matrix::all_pairs;
use crate::measures::of_two::pair_sums::PairSums;
use crate::study::cells::Coded;
use crate::study::columns::Code;

/// How many bytes are added at a time: two registers of the oldest 64-bit processors, one of AVX2.
const LANES: usize = 32;

/// How many items a byte can count.
const BLOCK: usize = 255;

/// How many items [`LANES`] bytes can count.
const LONG_BLOCK: usize = BLOCK * LANES;

/// The most counters that a task keeps.
const MOST_COUNTERS: usize = 1 << 22;

/// The fewest items that are worth a task.
const FEWEST_ITEMS: usize = LONG_BLOCK / 2;

/// The most items of a task: its counters have 32 bits.
const MOST_ITEMS: usize = 1 << 31;

/// A count for each of a group of raters.
type Lanes<T> = [T; LANES];

/// What a task counts: some items, and the pairs whose second rater is in its group.
struct Counted {
    /// At `first * categories + category`, per second rater: the first's margins on what the
    /// second rated too.
    margins: Vec<Lanes<u32>>,
    /// At `first`, per second rater: how often both said the same, or both nothing.
    alike: Vec<Lanes<u32>>,
}

/// Whether the counters fit: not with items that count more than once, nor thousands of raters.
pub(super) fn fits(study: Coded<'_>) -> bool {
    let counters = study.raters.saturating_mul(study.categories * LANES);
    study.times.is_empty() && counters <= MOST_COUNTERS
}

pub(super) fn sums(study: Coded<'_>, codes: &[u8]) -> Vec<PairSums> {
    let (raters, categories) = (study.raters, study.categories);
    let columns: Vec<&[u8]> = (0..raters).map(|rater| study.column(codes, rater)).collect();
    let groups = raters.div_ceil(LANES);
    let wanted = (4 * parallel::threads()).div_ceil(groups.max(1));
    let parts = wanted.min(study.items / FEWEST_ITEMS).max(study.items / MOST_ITEMS + 1);
    let per_part = study.items.div_ceil(parts);
    let counted = parallel::map(groups * parts, |task| {
        let start = (task % parts) * per_part;
        let items = start..(start + per_part).min(study.items);
        let part: Vec<&[u8]> =
            columns.iter().map(|column| column.get(items.clone()).unwrap_or(&[])).collect();
        Counted::of(&part, task / parts, categories)
    });
    let margin = |first: usize, category: usize, second: usize| {
        let tasks = counted.iter().skip(second / LANES * parts).take(parts);
        let lanes = tasks.filter_map(|task| task.margins.get(first * categories + category));
        lanes.filter_map(|lanes| lanes.get(second % LANES)).map(|&n| u64::from(n)).sum::<u64>()
    };
    let rated: Vec<u64> = (0..raters)
        .map(|rater| (0..categories).map(|category| margin(rater, category, rater)).sum())
        .collect();
    let rated = |rater: usize| rated.get(rater).copied().unwrap_or(0);
    let items = count64(study.items);
    let of_pair = |(first, second): (usize, usize)| {
        let mut sums = PairSums::default();
        for category in 0..categories {
            let row = margin(first, category, second);
            sums.positions += row;
            sums.add_margin(row, margin(second, category, first));
        }
        let tasks = counted.iter().skip(second / LANES * parts).take(parts);
        let lanes = tasks.filter_map(|task| task.alike.get(first)?.get(second % LANES));
        let alike: u64 = lanes.map(|&n| u64::from(n)).sum();
        let neither = items + sums.positions - rated(first) - rated(second);
        sums.agreements = alike - neither;
        sums
    };
    all_pairs(raters).map(of_pair).collect()
}

impl Counted {
    fn of(columns: &[&[u8]], group: usize, categories: usize) -> Self {
        let raters = columns.len();
        let mut counted = Self {
            margins: vec![[0; LANES]; raters * categories],
            alike: vec![[0; LANES]; raters],
        };
        let items = columns.first().map_or(0, |column| column.len());
        for start in (0..items).step_by(LONG_BLOCK) {
            let block = columns.iter().map(|column| piece(column, start, LONG_BLOCK));
            let block: Vec<&[u8]> = block.collect();
            counted.compare(&block, group);
            for start in (0..LONG_BLOCK.min(items - start)).step_by(BLOCK) {
                counted.add_margins(&block, start, group, categories);
            }
        }
        counted
    }

    /// Counts where columns are equal.
    fn compare(&mut self, block: &[&[u8]], group: usize) {
        let seconds = block.iter().enumerate().skip(group * LANES).take(LANES);
        for (lane, (second, theirs)) in seconds.enumerate() {
            for (firsts, column) in self.alike.iter_mut().zip(block).take(second) {
                if let Some(count) = firsts.get_mut(lane) {
                    *count += equal(column, theirs);
                }
            }
        }
    }

    /// Counts each rater's categories, once for each rater of the group who rated the item.
    fn add_margins(&mut self, block: &[&[u8]], start: usize, group: usize, categories: usize) {
        let mut present = [[0_u8; LANES]; BLOCK];
        for (lane, column) in block.iter().skip(group * LANES).take(LANES).enumerate() {
            for (row, code) in present.iter_mut().zip(piece(column, start, BLOCK)) {
                if let Some(place) = row.get_mut(lane) {
                    *place = u8::from(*code != u8::MISSING);
                }
            }
        }
        // Every byte has a row, so that no code needs a decision, not even the missing one.
        let mut counts = [[0_u8; LANES]; 256];
        for (column, totals) in block.iter().zip(self.margins.chunks_mut(categories.max(1))) {
            for (code, present) in piece(column, start, BLOCK).iter().zip(&present) {
                #[expect(clippy::indexing_slicing, reason = "a byte is below 256")]
                let counts = &mut counts[usize::from(*code)];
                // At most BLOCK ones are added.
                *counts = array::from_fn(|lane| add(counts, present, lane));
            }
            let counts = counts.as_flattened_mut();
            for (total, count) in totals.as_flattened_mut().iter_mut().zip(counts.iter()) {
                *total += u32::from(*count);
            }
            counts.iter_mut().take(categories * LANES).for_each(|count| *count = 0);
        }
    }
}

#[inline]
fn add(a: &Lanes<u8>, b: &Lanes<u8>, lane: usize) -> u8 {
    a.get(lane).copied().unwrap_or(0).wrapping_add(b.get(lane).copied().unwrap_or(0))
}

/// On how many of up to [`LONG_BLOCK`] places two columns are equal.
fn equal(a: &[u8], b: &[u8]) -> u32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut counts = [0_u8; LANES];
    for (a, b) in a.iter().zip(b) {
        for (count, (a, b)) in counts.iter_mut().zip(a.iter().zip(b)) {
            *count = count.wrapping_add(u8::from(a == b));
        }
    }
    let rest = a_rest.iter().zip(b_rest).filter(|(a, b)| a == b);
    let rest = rest.fold(0, |count: u32, _| count + 1);
    counts.iter().map(|&count| u32::from(count)).sum::<u32>() + rest
}

fn piece(column: &[u8], start: usize, length: usize) -> &[u8] {
    let rest = column.get(start..).unwrap_or(&[]);
    rest.get(..length).unwrap_or(rest)
}
