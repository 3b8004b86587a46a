//! Every two raters by themselves: for any number of categories, and items that count repeatedly.

use crate::arithmetic::parallel;
use crate::measures::of_pairs::matrix::all_pairs;
use crate::measures::of_two::pair_sums::PairSums;
use crate::study::cells::Coded;
use crate::study::columns::{Code, with_codes};

/// How often either rater used a category.
#[derive(Clone, Copy, Default)]
struct Margin {
    row: u64,
    column: u64,
}

pub(super) fn sums(study: Coded<'_>) -> Vec<PairSums> {
    let pairs: Vec<(usize, usize)> = all_pairs(study.raters).collect();
    // One room of margins for all pairs of a task, which every pair leaves empty.
    let tasks = pairs.len().min(4 * parallel::threads());
    let per_task = pairs.len().div_ceil(tasks.max(1)).max(1);
    let of_task = |task: usize| {
        let mut margins = vec![Margin::default(); study.categories];
        let pairs = pairs.iter().skip(task * per_task).take(per_task);
        let sums = pairs.map(|&(first, second)| {
            with_codes!(study.columns, codes => {
                let (a, b) = (study.column(codes, first), study.column(codes, second));
                of_pair(a, b, study.times, &mut margins)
            })
        });
        sums.collect::<Vec<PairSums>>()
    };
    parallel::map(tasks, of_task).into_iter().flatten().collect()
}

/// Takes time in proportion to the items, however many categories there are.
fn of_pair<T: Code>(a: &[T], b: &[T], times: &[u64], margins: &mut [Margin]) -> PairSums {
    let mut sums = PairSums::default();
    let both = || {
        let pairs = a.iter().zip(b).enumerate();
        pairs.filter(|(_, (a, b))| **a != T::MISSING && **b != T::MISSING)
    };
    for (item, (a, b)) in both() {
        let count = times.get(item).copied().unwrap_or(1);
        sums.positions += count;
        sums.agreements += if a == b { count } else { 0 };
        if let Some(margin) = margins.get_mut(a.index()) {
            margin.row += count;
        }
        if let Some(margin) = margins.get_mut(b.index()) {
            margin.column += count;
        }
    }
    for (_, (a, b)) in both() {
        for code in [a, b] {
            if let Some(margin) = margins.get_mut(code.index()) {
                let Margin { row, column } = std::mem::take(margin);
                sums.add_margin(row, column);
            }
        }
    }
    sums
}
