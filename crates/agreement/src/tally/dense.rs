//! Tallies of whole studies: counted in arrays by code, and on all cores, before they are named.

use std::collections::BTreeMap;

use crate::arithmetic::parallel;
use crate::study::cells::Coded;
use crate::study::columns::{Code, with_codes};
use crate::tally::CoincidenceTally;
use crate::tally::nominal::{Bucket, Cell, NominalTally};

/// How many items are counted at a time.
const BLOCK: usize = 256;

/// The fewest items that are worth a task.
const FEWEST_ITEMS: usize = 16 * BLOCK;

/// The most counters that a task keeps.
const MOST_COUNTERS: usize = 1 << 18;

/// What is counted of some items, at the number of their raters.
struct Dense {
    categories: usize,
    /// How many items there are, and on how many all raters said the same.
    items: Vec<(u64, u64)>,
    /// At `raters * categories + category`.
    cells: Vec<Cell>,
    /// At `(raters * categories + a) * categories + b`, for `a < b`; empty if not asked for.
    unlike: Vec<u128>,
}

/// The nominal tally of a study by code, unless that would take too many counters.
pub(crate) fn nominal(study: Coded<'_>) -> Option<NominalTally<usize>> {
    fits(study, study.categories)
        .then(|| by_part(study, false).iter().map(Dense::nominal).fold(NominalTally::new(), both))
}

/// The coincidences of a study by code, unless that would take too many counters.
pub(crate) fn coincidences(study: Coded<'_>) -> Option<CoincidenceTally<usize>> {
    let fits = fits(study, study.categories.saturating_mul(study.categories));
    fits.then(|| {
        let parts = by_part(study, true);
        let nominal = parts.iter().map(Dense::nominal).fold(NominalTally::new(), both);
        let unlike = parts.iter().flat_map(Dense::unlike);
        CoincidenceTally::from_cells(nominal, unlike)
    })
}

fn fits(study: Coded<'_>, counters: usize) -> bool {
    (study.raters + 1).saturating_mul(counters) <= MOST_COUNTERS
}

fn both(mut all: NominalTally<usize>, part: NominalTally<usize>) -> NominalTally<usize> {
    let merged = all.merge(&part);
    debug_assert_eq!(merged, Ok(()), "a study has checked that its ratings can be counted");
    all
}

fn by_part(study: Coded<'_>, unlike: bool) -> Vec<Dense> {
    let parts = parallel::threads().min(study.items / FEWEST_ITEMS).max(1);
    let per_part = study.items.div_ceil(parts);
    parallel::map(parts, |part| {
        let mut dense = Dense::new(study, unlike);
        let end = ((part + 1) * per_part).min(study.items);
        with_codes!(study.columns, codes => {
            for start in (part * per_part..end).step_by(BLOCK) {
                dense.add_block(study, codes, start, end.min(start + BLOCK));
            }
        });
        dense
    })
}

impl Dense {
    fn new(study: Coded<'_>, unlike: bool) -> Self {
        let numbers_of_raters = study.raters + 1;
        let cells = numbers_of_raters * study.categories;
        Self {
            categories: study.categories,
            items: vec![(0, 0); numbers_of_raters],
            cells: vec![Cell::default(); cells],
            unlike: vec![0; if unlike { cells * study.categories } else { 0 }],
        }
    }

    fn add_block<T: Code>(&mut self, study: Coded<'_>, codes: &[T], start: usize, end: usize) {
        // The last place of an item counts its missing ratings.
        let width = self.categories + 1;
        let mut counts = vec![0_u32; (end - start) * width];
        for rater in 0..study.raters {
            let column = study.column(codes, rater).get(start..end).unwrap_or(&[]);
            for (counts, code) in counts.chunks_exact_mut(width).zip(column) {
                if let Some(count) = counts.get_mut(code.index().min(self.categories)) {
                    *count += 1;
                }
            }
        }
        for (item, counts) in (start..).zip(counts.chunks_exact(width)) {
            let times = study.times.get(item).copied().unwrap_or(1);
            if let Some((missing, counts)) = counts.split_last() {
                let missing = usize::try_from(*missing).unwrap_or(study.raters);
                self.add_item(study.raters - missing, counts, times);
            }
        }
    }

    fn add_item(&mut self, raters: usize, counts: &[u32], times: u64) {
        let Some((items, unanimous)) = self.items.get_mut(raters) else { return };
        *items += times;
        let of_item = raters * self.categories;
        let cells = self.cells.get_mut(of_item..).unwrap_or_default();
        let mut categories = 0_u32;
        for (cell, &count) in cells.iter_mut().zip(counts).filter(|(_, count)| **count > 0) {
            cell.grow(Cell::of(count.into(), times));
            categories += 1;
        }
        *unanimous += if categories < 2 { times } else { 0 };
        if self.unlike.is_empty() || categories < 2 {
            return;
        }
        let rows = self.unlike.get_mut(of_item * self.categories..).unwrap_or_default();
        for (a, (row, &count)) in rows.chunks_mut(self.categories).zip(counts).enumerate() {
            if count > 0 {
                let count = u128::from(count) * u128::from(times);
                for (pairs, &other) in row.iter_mut().zip(counts).skip(a + 1) {
                    *pairs += count * u128::from(other);
                }
            }
        }
    }

    /// Items without ratings leave no trace.
    fn nominal(&self) -> NominalTally<usize> {
        let cells = self.cells.chunks(self.categories.max(1));
        let cells = cells.chain(std::iter::repeat(&[][..]));
        let buckets = self.items.iter().zip(cells).zip(0..).skip(1);
        let buckets = buckets.filter(|(((items, _), _), _)| *items > 0);
        let bucket = |((&(items, unanimous), cells), raters): ((&(u64, u64), &[Cell]), u64)| {
            let used = cells.iter().copied().enumerate().filter(|(_, cell)| cell.ratings > 0);
            (raters, Bucket { items, unanimous, categories: used.collect() })
        };
        NominalTally::from_buckets(buckets.map(bucket).collect::<BTreeMap<_, _>>())
    }

    /// The pairs of different categories that met, as (raters, a, b, how often).
    fn unlike(&self) -> impl Iterator<Item = (u64, usize, usize, u128)> {
        let squares = self.unlike.chunks((self.categories * self.categories).max(1));
        (0..).zip(squares).flat_map(move |(raters, square)| {
            let rows = square.chunks(self.categories).enumerate();
            let cells =
                rows.flat_map(|(a, row)| row.iter().enumerate().map(move |(b, &n)| (a, b, n)));
            cells.filter(|(_, _, n)| *n > 0).map(move |(a, b, n)| (raters, a, b, n))
        })
    }
}
