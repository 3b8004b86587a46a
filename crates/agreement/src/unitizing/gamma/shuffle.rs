//! Random annotations with the habits of the observed ones: real raters, shifted independently.

use crate::arithmetic::number::count64;
use crate::unitizing::gamma::dissimilarity::Item;
use crate::unitizing::gamma::random::Random;

/// Draws annotations as the authors of gamma do (section 5.2 of the paper).
///
/// Each random rater is a real one, drawn anew, whose units are moved by a random distance; what
/// leaves the continuum at the end comes in again at the beginning, uncut. Two distances are at
/// least half a mean unit apart, as in the authors' software, so that no agreement is left over.
pub(crate) struct Shuffler {
    raters: Vec<Vec<Item>>,
    length: u64,
    /// The least distance between two shifts.
    apart: u64,
}

impl Shuffler {
    /// Raters are put into an order of their own, so that theirs does not matter.
    pub(crate) fn new(items: &[Item], raters: usize, length: u64) -> Self {
        let mut lists: Vec<Vec<Item>> = vec![Vec::new(); raters];
        let mut total = 0_u64;
        for item in items {
            total = total.saturating_add(item.end - item.start);
            if let Some(list) = lists.get_mut(item.rater) {
                list.push(Item { rater: 0, ..*item });
            }
        }
        for list in &mut lists {
            list.sort_unstable();
        }
        lists.sort_unstable();
        let count = count64(items.len()).max(1);
        Self { raters: lists, length, apart: total / count / 2 }
    }

    /// One random annotation of all raters, sorted by start; it may be empty.
    pub(crate) fn draw(&self, random: &mut Random) -> Vec<Item> {
        let mut items = Vec::new();
        let mut free = vec![(0, self.length)];
        for rater in 0..self.raters.len() {
            let shift = self.draw_shift(&mut free, random);
            let count = u64::try_from(self.raters.len()).unwrap_or(1);
            let drawn = usize::try_from(random.below(count)).unwrap_or(0);
            for item in self.raters.get(drawn).into_iter().flatten() {
                // Wrapping by the start keeps a unit whole even across the end.
                let room = self.length - item.start;
                let start = if shift < room { item.start + shift } else { shift - room };
                let end = start.saturating_add(item.end - item.start);
                items.push(Item { start, end, category: item.category, rater });
            }
        }
        items.sort_unstable();
        items
    }

    /// A shift from the free ranges, from which its surroundings are then taken away.
    fn draw_shift(&self, free: &mut Vec<(u64, u64)>, random: &mut Random) -> u64 {
        let room: u64 = free.iter().map(|(from, to)| to - from).sum();
        if room == 0 {
            return random.below(self.length);
        }
        let mut place = random.below(room);
        let mut shift = 0;
        for (from, to) in free.iter() {
            if place < to - from {
                shift = from + place;
                break;
            }
            place -= to - from;
        }
        self.take_away(free, shift.saturating_sub(self.apart), shift.saturating_add(self.apart));
        // Shifts go round, so the surroundings reach across both ends.
        if shift < self.apart {
            self.take_away(free, self.length.saturating_sub(self.apart - shift), self.length);
        }
        if let Some(across) = shift.saturating_add(self.apart).checked_sub(self.length) {
            self.take_away(free, 0, across);
        }
        shift
    }

    fn take_away(&self, free: &mut Vec<(u64, u64)>, begin: u64, end: u64) {
        let rest = |&(from, to): &(u64, u64)| {
            [(from, to.min(begin)), (from.max(end.min(self.length)), to)]
        };
        *free = free.iter().flat_map(rest).filter(|(from, to)| from < to).collect();
    }
}
