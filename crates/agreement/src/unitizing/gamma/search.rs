//! The cheapest choice of candidates that covers each unit once, found along the continuum.
#![expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "units, candidates and states are numbered by their lists, fewer than 2^32"
)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::candidates::Candidates;

/// Which units from the first uncovered one on are covered already, as bits.
type Covered<const WORDS: usize> = [u64; WORDS];

/// A way to cover all units before some point and a few after it.
#[derive(Clone, Copy)]
struct State<const WORDS: usize> {
    covered: Covered<WORDS>,
    /// Its cost less the prices of what it covers.
    excess: f64,
    cost: f64,
    parent: u32,
    /// The candidate chosen last, or [`ALONE`].
    choice: u32,
}

const ALONE: u32 = u32::MAX;
const ROOT: u32 = u32::MAX;

/// More states than this would not be followed in reasonable time.
const MOST: usize = 20_000_000;

/// What a search found: the chosen candidates and, for units alone, the units.
pub(crate) struct Found {
    pub(crate) excess: f64,
    pub(crate) chosen: Vec<usize>,
    pub(crate) alone: Vec<usize>,
}

pub(crate) struct Search<'a> {
    pub(crate) candidates: &'a Candidates,
    pub(crate) prices: &'a [f64],
    pub(crate) raters: usize,
    /// No more than this many states are followed from one point on.
    pub(crate) beam: usize,
    /// States that exceed the prices by more are not followed.
    pub(crate) budget: f64,
}

impl Search<'_> {
    /// The cheapest cover within budget and beam, or `None` if it takes too many states.
    pub(crate) fn run<const WORDS: usize>(&self) -> Option<Found> {
        let units = self.prices.len();
        let mut layers: Vec<Layer<WORDS>> = Vec::new();
        layers.resize_with(units + 1, Layer::default);
        let mut settled: Vec<(u32, u32, u32)> = Vec::new();
        layers[0].offer(State {
            covered: [0; WORDS],
            excess: 0.0,
            cost: 0.0,
            parent: ROOT,
            choice: ALONE,
        });
        for unit in 0..units {
            let mut states = std::mem::take(&mut layers[unit]).states;
            self.thin(&mut states);
            if settled.len() + states.len() > MOST {
                return None;
            }
            for state in states {
                let id = settled.len() as u32;
                settled.push((state.parent, state.choice, unit as u32));
                self.follow(unit, &state, id, &mut layers);
            }
        }
        let last = layers.pop()?.states.first().copied()?;
        let (mut chosen, mut alone) = (Vec::new(), Vec::new());
        let (mut parent, mut choice) = (last.parent, last.choice);
        while parent != ROOT {
            let (grandparent, earlier, unit) = settled[parent as usize];
            if choice == ALONE {
                alone.push(unit as usize);
            } else {
                chosen.push(choice as usize);
            }
            (parent, choice) = (grandparent, earlier);
        }
        chosen.reverse();
        alone.reverse();
        Some(Found { excess: last.excess, chosen, alone })
    }

    /// Offers each way to cover the first uncovered unit.
    fn follow<const WORDS: usize>(
        &self,
        unit: usize,
        state: &State<WORDS>,
        parent: u32,
        layers: &mut [Layer<WORDS>],
    ) {
        let mut offer = |covered: Covered<WORDS>, cost: f64, price: f64, choice: u32| {
            let excess = state.excess + (cost - price);
            if excess <= self.budget {
                let (covered, passed) = advance(covered);
                let cost = state.cost + cost;
                let next = State { covered, excess, cost, parent, choice };
                layers[unit + passed].offer(next);
            }
        };
        let mut with_unit = state.covered;
        with_unit[0] |= 1;
        offer(with_unit, 1.0, self.prices[unit], ALONE);
        for candidate in self.candidates.starting_with(unit) {
            let members = self.candidates.members(candidate);
            let mut covered = with_unit;
            let mut price = self.prices[unit];
            let free = members[1..].iter().all(|&member| {
                let offset = member as usize - unit;
                let (word, bit) = (offset / 64, 1_u64 << (offset % 64));
                price += self.prices[member as usize];
                let free = covered[word] & bit == 0;
                covered[word] |= bit;
                free
            });
            if free {
                offer(covered, self.candidates.costs[candidate], price, candidate as u32);
            }
        }
    }

    /// Drops states that another one makes superfluous, and those beyond the beam.
    ///
    /// What completes a state completes any other of the same layer, after units that only the
    /// first had covered are added alone (1 each) and those that only the second had covered are
    /// taken out (which adds at most 2/R each).
    fn thin<const WORDS: usize>(&self, states: &mut Vec<State<WORDS>>) {
        states
            .sort_by(|a, b| a.excess.total_cmp(&b.excess).then_with(|| a.covered.cmp(&b.covered)));
        let taken_out = 2.0 / self.raters as f64;
        let mut kept: Vec<State<WORDS>> = Vec::with_capacity(states.len());
        for state in states.iter() {
            let superfluous = kept.iter().take(16).any(|other| {
                let (mut added, mut removed) = (0, 0);
                for (mine, theirs) in state.covered.iter().zip(&other.covered) {
                    added += (mine & !theirs).count_ones();
                    removed += (theirs & !mine).count_ones();
                }
                let detour = f64::from(added) + taken_out * f64::from(removed);
                other.cost + detour < state.cost
            });
            if !superfluous {
                kept.push(*state);
                if kept.len() == self.beam {
                    break;
                }
            }
        }
        *states = kept;
    }
}

/// Moves past the units that are covered from the start on.
fn advance<const WORDS: usize>(mut covered: Covered<WORDS>) -> (Covered<WORDS>, usize) {
    let mut passed = 0;
    while covered[0] & 1 == 1 {
        let count = covered[0].trailing_ones();
        passed += count as usize;
        for word in 0..WORDS {
            let next = covered.get(word + 1).copied().unwrap_or(0);
            covered[word] =
                if count == 64 { next } else { covered[word] >> count | next << (64 - count) };
        }
    }
    (covered, passed)
}

/// The states with the same first uncovered unit, the cheapest of each kind.
struct Layer<const WORDS: usize> {
    states: Vec<State<WORDS>>,
    places: HashMap<Covered<WORDS>, usize, BuildHasherDefault<Mixer>>,
}

impl<const WORDS: usize> Default for Layer<WORDS> {
    fn default() -> Self {
        Self { states: Vec::new(), places: HashMap::default() }
    }
}

impl<const WORDS: usize> Layer<WORDS> {
    fn offer(&mut self, state: State<WORDS>) {
        let place = *self.places.entry(state.covered).or_insert(self.states.len());
        match self.states.get_mut(place) {
            Some(known) if state.excess < known.excess => *known = state,
            Some(_) => {}
            None => self.states.push(state),
        }
    }
}

/// Hashes a few words quickly; what is hashed comes from no one who could want collisions.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
