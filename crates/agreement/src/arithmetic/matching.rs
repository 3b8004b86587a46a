//! The heaviest one-to-one matching of two sides, where most pairs are out of the question.
#![expect(
    clippy::indexing_slicing,
    reason = "vertices are numbered by the graph, and every list has one entry per vertex"
)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Add, Sub};

use crate::arithmetic::number::count64;

/// What is added up and compared: `Default` is nothing, and what is added on both sides leaves the order as it is.
pub(crate) trait Weight:
    Copy + Ord + Default + Add<Output = Self> + Sub<Output = Self>
{
}

impl<W: Copy + Ord + Default + Add<Output = W> + Sub<Output = W>> Weight for W {}

/// Pairs that may be matched: for each left vertex its (right vertex, weight), weights above nothing.
pub(crate) struct Graph<W> {
    pub(crate) edges: Vec<Vec<(usize, W)>>,
    pub(crate) right: usize,
}

const FREE: usize = usize::MAX;

impl<W: Weight> Graph<W> {
    /// For each left vertex its partner, so that the sum of weights is the largest possible.
    ///
    /// Shortest augmenting paths with potentials (Jonker & Volgenant 1987): each left vertex
    /// searches as far as it pays, which is next door where pairs are local. A vertex may stay
    /// without a partner.
    pub(crate) fn heaviest_matching(&self) -> Vec<Option<usize>> {
        let mut steps = u64::MAX;
        self.heaviest_matching_within(&mut steps).unwrap_or_default()
    }

    /// The same, or nothing where the search would go along more edges than there are `steps` left, which is
    /// what takes its time: at most as many as there are edges for each left vertex.
    pub(crate) fn heaviest_matching_within(&self, steps: &mut u64) -> Option<Vec<Option<usize>>> {
        let mut search = Search::new(self);
        for start in 0..self.edges.len() {
            search.augment(start);
            *steps = steps.checked_sub(std::mem::take(&mut search.steps))?;
        }
        let partners = search.partner.into_iter().map(|right| (right != FREE).then_some(right));
        Some(partners.collect())
    }
}

struct Search<'a, W> {
    graph: &'a Graph<W>,
    /// Partner of each left vertex, and of each right one.
    partner: Vec<usize>,
    owner: Vec<usize>,
    /// Prices: for each edge, `left + right ≥ weight`, equal where matched; never below nothing.
    left_price: Vec<W>,
    right_price: Vec<W>,
    /// Shortest distance to right vertices, valid where `seen` holds the round.
    distance: Vec<W>,
    from: Vec<usize>,
    seen: Vec<usize>,
    /// Left vertices reached in this round, with their distance; right ones that were settled.
    reached: Vec<(usize, W)>,
    settled: Vec<usize>,
    queue: BinaryHeap<Reverse<(W, usize)>>,
    /// How many edges were gone along of late.
    steps: u64,
}

impl<'a, W: Weight> Search<'a, W> {
    fn new(graph: &'a Graph<W>) -> Self {
        let left = graph.edges.len();
        let heaviest = |edges: &Vec<(usize, W)>| {
            edges.iter().map(|&(_, weight)| weight).max().unwrap_or_default().max(W::default())
        };
        Self {
            graph,
            partner: vec![FREE; left],
            owner: vec![FREE; graph.right],
            left_price: graph.edges.iter().map(heaviest).collect(),
            right_price: vec![W::default(); graph.right],
            distance: vec![W::default(); graph.right],
            from: vec![FREE; graph.right],
            seen: vec![FREE; graph.right],
            reached: Vec::new(),
            settled: Vec::new(),
            queue: BinaryHeap::new(),
            steps: 0,
        }
    }

    /// Finds a place for one more left vertex: the cheapest way to move others on.
    fn augment(&mut self, start: usize) {
        self.reached.clear();
        self.settled.clear();
        self.queue.clear();
        // The cheapest end of a path so far: the left vertex that gives up its partner, or a
        // right vertex that is free.
        let mut end = (self.left_price[start], Some(start), FREE);
        self.reach(start, W::default(), start, end.0);
        while let Some(Reverse((distance, right))) = self.queue.pop() {
            if distance >= end.0 {
                break;
            }
            if distance > self.distance[right] {
                continue;
            }
            let owner = self.owner[right];
            if owner == FREE {
                end = (distance, None, right);
                break;
            }
            self.settled.push(right);
            let give_up = distance + self.left_price[owner];
            if give_up < end.0 {
                end = (give_up, Some(owner), FREE);
            }
            self.reach(owner, distance, start, end.0);
        }
        let (length, loser, free) = end;
        for &(left, distance) in &self.reached {
            self.left_price[left] = self.left_price[left] - (length - distance);
        }
        for &right in &self.settled {
            self.right_price[right] = self.right_price[right] + (length - self.distance[right]);
        }
        match loser {
            Some(left) if left == start => {}
            Some(left) => {
                let freed = self.partner[left];
                self.partner[left] = FREE;
                self.shift(freed, start);
            }
            None => self.shift(free, start),
        }
    }

    /// Relaxes the edges of a left vertex that is `distance` away.
    fn reach(&mut self, left: usize, distance: W, round: usize, limit: W) {
        self.reached.push((left, distance));
        self.steps += count64(self.graph.edges[left].len());
        for &(right, weight) in &self.graph.edges[left] {
            let slack = self.left_price[left] + self.right_price[right] - weight;
            let candidate = distance + slack;
            let closer = self.seen[right] != round || candidate < self.distance[right];
            if candidate < limit && closer {
                self.seen[right] = round;
                self.distance[right] = candidate;
                self.from[right] = left;
                self.queue.push(Reverse((candidate, right)));
            }
        }
    }

    /// Gives a right vertex to the left one it was reached from, and so on back to the start.
    fn shift(&mut self, mut right: usize, start: usize) {
        loop {
            let left = self.from[right];
            let before = self.partner[left];
            self.owner[right] = left;
            self.partner[left] = right;
            if left == start {
                return;
            }
            right = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use proptest::prelude::*;

    fn weight(edges: &[Vec<(usize, i64)>], matching: &[Option<usize>]) -> i64 {
        let of_pair = |(edges, partner): (&Vec<(usize, i64)>, &Option<usize>)| {
            let partner = (*partner)?;
            edges.iter().find(|edge| edge.0 == partner).map(|edge| edge.1)
        };
        edges.iter().zip(matching).filter_map(of_pair).sum()
    }

    fn heaviest_by_trying_all(edges: &[Vec<(usize, i64)>], taken: u32) -> i64 {
        let Some((first, rest)) = edges.split_first() else { return 0 };
        let without = heaviest_by_trying_all(rest, taken);
        first
            .iter()
            .filter(|edge| taken & (1 << edge.0) == 0)
            .map(|edge| edge.1 + heaviest_by_trying_all(rest, taken | 1 << edge.0))
            .fold(without, i64::max)
    }

    proptest! {
        #[test]
        fn matching_is_as_heavy_as_the_best_of_all(
            table in prop::collection::vec(prop::collection::vec(-5..20_i64, 6), 0..7)
        ) {
            let edges: Vec<Vec<(usize, i64)>> = table
                .iter()
                .map(|row| row.iter().copied().enumerate().filter(|edge| edge.1 > 0).collect())
                .collect();
            let expected = heaviest_by_trying_all(&edges, 0);
            let graph = Graph { edges: edges.clone(), right: 6 };
            let matching = graph.heaviest_matching();
            prop_assert_eq!(weight(&edges, &matching), expected);
            let most = edges.len() * edges.iter().map(Vec::len).sum::<usize>();
            let within = graph.heaviest_matching_within(&mut u64::try_from(most).unwrap());
            prop_assert_eq!(within.as_ref(), Some(&matching));
            let too_few = edges.iter().any(|edges| !edges.is_empty());
            prop_assert_eq!(graph.heaviest_matching_within(&mut 0).is_none(), too_few);

            let mut partners: Vec<usize> = matching.into_iter().flatten().collect();
            partners.sort_unstable();
            prop_assert!(partners.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
