//! The unitary alignments that a best alignment can consist of; all others are never generated.
#![expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "units are numbered by their place in the list, fewer than 2^32"
)]

use super::dissimilarity::{Dissimilarity, Item};
use crate::Undefined;

/// Unitary alignments of two units and more, in the order of their first unit.
///
/// One unit with nothing but empty partners costs 1 and is not listed.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The members of all, end to end, ascending within each.
    members: Vec<u32>,
    starts: Vec<u32>,
    pub(crate) costs: Vec<f64>,
    /// For each unit, where the candidates begin that it is the first member of.
    by_first: Vec<u32>,
}

/// More than this many would neither fit nor finish.
const MOST: usize = 8_000_000;

impl Candidates {
    /// Grows them from pairs of near units; `items` are sorted by start.
    ///
    /// A unitary alignment that can be split in two without getting dearer is not needed. With
    /// `C = R(R−1)/2` pairs it saves `1 + Σ (1 − d) / C` over the pairs that the split parts, so
    /// it is kept only if for each split into `a` and `b` units `Σ d < C + ab`.
    pub(crate) fn of(
        items: &[Item],
        raters: usize,
        dissimilarity: &Dissimilarity,
    ) -> Result<Self, Undefined> {
        let pairs = (raters * (raters - 1) / 2) as f64;
        let mut growth = Growth {
            items,
            raters,
            pairs,
            limit: pairs + (raters - 1) as f64,
            dissimilarity,
            found: Self::default(),
            chosen: Vec::new(),
        };
        let longest = items.iter().map(|item| item.end - item.start).max().unwrap_or(0);
        let mut near = Vec::new();
        for first in 0..items.len() {
            growth.found.by_first.push(growth.found.costs.len() as u32);
            near.clear();
            let item = &items[first];
            let reach = dissimilarity.reach(growth.limit, item.end - item.start, longest);
            for (index, other) in items.iter().enumerate().skip(first + 1) {
                // A dissimilarity without places has an endless reach.
                if (other.start - item.start) as f64 > reach {
                    break;
                }
                let d = dissimilarity.between(item, other);
                if other.rater != item.rater && d < growth.limit {
                    near.push((index, d));
                }
            }
            growth.chosen.clear();
            growth.chosen.push(Member { index: first, sum: 0.0 });
            growth.grow(&near)?;
        }
        let mut found = growth.found;
        found.by_first.push(found.costs.len() as u32);
        found.starts.push(found.members.len() as u32);
        Ok(found)
    }

    pub(crate) fn len(&self) -> usize {
        self.costs.len()
    }

    pub(crate) fn members(&self, candidate: usize) -> &[u32] {
        &self.members[self.starts[candidate] as usize..self.starts[candidate + 1] as usize]
    }

    /// The candidates whose first member is this unit.
    pub(crate) fn starting_with(&self, unit: usize) -> std::ops::Range<usize> {
        self.by_first[unit] as usize..self.by_first[unit + 1] as usize
    }

    /// The same without the candidates that are not to be kept.
    pub(crate) fn retained(&self, units: usize, keep: impl Fn(usize) -> bool) -> Self {
        let mut retained = Self::default();
        for unit in 0..units {
            retained.by_first.push(retained.costs.len() as u32);
            for candidate in self.starting_with(unit).filter(|&candidate| keep(candidate)) {
                retained.starts.push(retained.members.len() as u32);
                retained.members.extend_from_slice(self.members(candidate));
                retained.costs.push(self.costs[candidate]);
            }
        }
        retained.by_first.push(retained.costs.len() as u32);
        retained.starts.push(retained.members.len() as u32);
        retained
    }
}

/// A unit in the alignment being grown, and its dissimilarities to the others in it.
#[derive(Clone, Copy)]
struct Member {
    index: usize,
    sum: f64,
}

struct Growth<'a> {
    items: &'a [Item],
    raters: usize,
    pairs: f64,
    /// No unit's dissimilarities to its partners add up to more.
    limit: f64,
    dissimilarity: &'a Dissimilarity,
    found: Candidates,
    chosen: Vec<Member>,
}

impl Growth<'_> {
    fn grow(&mut self, near: &[(usize, f64)]) -> Result<(), Undefined> {
        for (place, &(index, to_first)) in near.iter().enumerate() {
            let rater = self.items[index].rater;
            if self.chosen.iter().any(|member| self.items[member.index].rater == rater) {
                continue;
            }
            let before = self.chosen.clone();
            let mut sum = 0.0;
            let mut within = true;
            for (position, member) in self.chosen.iter_mut().enumerate() {
                let d = if position == 0 {
                    to_first
                } else {
                    self.dissimilarity.between(&self.items[member.index], &self.items[index])
                };
                member.sum += d;
                sum += d;
                within &= member.sum < self.limit;
            }
            if within && sum < self.limit {
                self.chosen.push(Member { index, sum });
                self.keep_if_needed()?;
                if self.chosen.len() < self.raters {
                    self.grow(&near[place + 1..])?;
                }
            }
            self.chosen = before;
        }
        Ok(())
    }

    fn keep_if_needed(&mut self) -> Result<(), Undefined> {
        let size = self.chosen.len();
        let joined = (size * (size - 1) / 2) as f64;
        let sum = self.chosen.iter().map(|member| member.sum).sum::<f64>() / 2.0;
        if !self.is_worth_keeping_whole() {
            return Ok(());
        }
        if self.found.costs.len() >= MOST {
            return Err(Undefined::TooLarge);
        }
        self.found.starts.push(self.found.members.len() as u32);
        self.found.members.extend(self.chosen.iter().map(|member| member.index as u32));
        self.found.costs.push((sum + (self.pairs - joined)) / self.pairs);
        Ok(())
    }

    fn is_worth_keeping_whole(&self) -> bool {
        let size = self.chosen.len();
        let alone = self.pairs + (size - 1) as f64;
        if self.chosen.iter().any(|member| member.sum >= alone) {
            return false;
        }
        // Splits into two and more on both sides; the last member is always on the other side.
        (1_u64..1 << (size - 1)).all(|split| {
            let part = u64::from(split.count_ones());
            let rest = size as u64 - part;
            if part < 2 || rest < 2 {
                return true;
            }
            let mut across = 0.0;
            for (i, a) in self.chosen.iter().enumerate().filter(|(i, _)| split >> i & 1 == 1) {
                for (j, b) in self.chosen.iter().enumerate().filter(|(j, _)| split >> j & 1 == 0) {
                    debug_assert_ne!(i, j, "no unit is on both sides");
                    across +=
                        self.dissimilarity.between(&self.items[a.index], &self.items[b.index]);
                }
            }
            across < self.pairs + (part * rest) as f64
        })
    }
}
