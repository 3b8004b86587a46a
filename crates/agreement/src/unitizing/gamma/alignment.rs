//! The best alignment: units of different raters are put together, or left alone, at least cost.
#![expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "units are numbered by their place in the list; weights stay below 2^52"
)]

use crate::Undefined;
use crate::arithmetic::matching::Graph;
use crate::arithmetic::sum::compensated;
use crate::unitizing::gamma::candidates::Candidates;
use crate::unitizing::gamma::dissimilarity::{Dissimilarity, Item};
use crate::unitizing::gamma::prices::prices;
use crate::unitizing::gamma::search::{Found, Search};

/// Units by their place in the list of items, one list per unitary alignment.
#[derive(Debug)]
pub(crate) struct Alignment {
    /// Sorted; the members of each ascend.
    pub(crate) unitary: Vec<Vec<usize>>,
    /// The costs of all, in parts of `Δ_∅`.
    pub(crate) cost: f64,
}

/// The alignment of least cost; `items` are sorted by start, of at least two raters.
pub(crate) fn best_alignment(
    items: &[Item],
    raters: usize,
    dissimilarity: &Dissimilarity,
) -> Result<Alignment, Undefined> {
    let mut unitary = if raters == 2 {
        of_two(items, dissimilarity)
    } else {
        of_many(items, raters, dissimilarity)?
    };
    unitary.sort_unstable();
    let cost =
        compensated(unitary.iter().map(|members| cost(items, members, raters, dissimilarity)));
    Ok(Alignment { unitary, cost })
}

/// The mean over all pairs of raters; a pair with an empty unit costs 1.
fn cost(items: &[Item], members: &[usize], raters: usize, dissimilarity: &Dissimilarity) -> f64 {
    let mut sum = 0.0;
    for (place, &a) in members.iter().enumerate() {
        for &b in &members[place + 1..] {
            sum += dissimilarity.between(&items[a], &items[b]) - 1.0;
        }
    }
    let pairs = raters * (raters - 1) / 2;
    1.0 + sum / pairs as f64
}

/// Two raters: a matching in which a pair saves `2 − d`.
fn of_two(items: &[Item], dissimilarity: &Dissimilarity) -> Vec<Vec<usize>> {
    /// Savings are compared as integers, in parts as fine as dissimilarities are known to.
    const PARTS: f64 = (1_u64 << 50) as f64;
    let (first, second): (Vec<usize>, Vec<usize>) =
        (0..items.len()).partition(|&index| items[index].rater == items[0].rater);
    let longest = second.iter().map(|&index| items[index].end - items[index].start).max();
    let edges = first.iter().map(|&index| {
        let item = &items[index];
        let reach = dissimilarity.reach(2.0, item.end - item.start, longest.unwrap_or(0));
        let (from, to) = (item.start as f64 - reach, item.start as f64 + reach);
        let skipped = second.partition_point(|&other| (items[other].start as f64) < from);
        let near = second.iter().enumerate().skip(skipped);
        let near = near.take_while(|(_, other)| items[**other].start as f64 <= to);
        let saved = near.map(|(place, &other)| {
            (place, ((2.0 - dissimilarity.between(item, &items[other])) * PARTS).round() as i64)
        });
        saved.filter(|edge| edge.1 > 0).collect()
    });
    let edges = edges.collect();
    let partners = Graph { edges, right: second.len() }.heaviest_matching();
    let mut alone = vec![true; second.len()];
    let mut unitary = Vec::with_capacity(items.len());
    for (&index, partner) in first.iter().zip(partners) {
        match partner {
            Some(place) => {
                alone[place] = false;
                unitary.push(vec![index.min(second[place]), index.max(second[place])]);
            }
            None => unitary.push(vec![index]),
        }
    }
    unitary.extend(second.iter().zip(alone).filter(|pair| pair.1).map(|pair| vec![*pair.0]));
    unitary
}

/// Three raters and more: a set partition, whose candidates are local.
fn of_many(
    items: &[Item],
    raters: usize,
    dissimilarity: &Dissimilarity,
) -> Result<Vec<Vec<usize>>, Undefined> {
    /// Rounding must not drop the best alignment.
    const ROUNDING: f64 = 1e-9;
    /// How many states the first, inexact search follows. What it finds is a bound for the exact
    /// one: what it misses costs time, and changes no result.
    const BEAM: usize = 24;
    let all = Candidates::of(items, raters, dissimilarity)?;
    let prices = prices(items.len(), &all);
    let mut search =
        Search { candidates: &all, prices: &prices, raters, beam: BEAM, budget: f64::INFINITY };
    let good = run(&search).ok_or(Undefined::TooLarge)?;
    let budget = good.excess + ROUNDING;
    let kept = all.retained(items.len(), |candidate| {
        let price: f64 = all.members(candidate).iter().map(|&unit| prices[unit as usize]).sum();
        all.costs[candidate] - price <= budget
    });
    search = Search { candidates: &kept, prices: &prices, raters, beam: usize::MAX, budget };
    let best = run(&search).ok_or(Undefined::TooLarge)?;
    let chosen = best
        .chosen
        .iter()
        .map(|&candidate| kept.members(candidate).iter().map(|&unit| unit as usize).collect());
    Ok(chosen.chain(best.alone.iter().map(|&unit| vec![unit])).collect())
}

/// Searches with as many bits as the widest candidate needs.
fn run(search: &Search<'_>) -> Option<Found> {
    let candidates = search.candidates;
    let widest = (0..candidates.len())
        .filter_map(|candidate| {
            let members = candidates.members(candidate);
            Some(members.last()? - members.first()?)
        })
        .max()
        .unwrap_or(0);
    // The bits of a state are an array, so that the usual short ones need no memory of their own.
    match widest {
        0..64 => search.run::<1>(),
        64..128 => search.run::<2>(),
        128..512 => search.run::<8>(),
        512..4096 => search.run::<64>(),
        _ => None,
    }
}
