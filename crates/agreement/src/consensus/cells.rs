//! A number for each rater, what they say, and what is true.

use super::Votes;
use super::votes::Vote;
use crate::Undefined;

/// The most numbers that are kept: of 47 raters, 298 categories.
const MOST_CELLS: usize = 1 << 22;
/// The most probabilities of items: of a million items, 67 categories.
const MOST_PROBABILITIES: usize = 1 << 26;

/// A number for each rater, what they say, and what is true; the last lie side by side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells<T> {
    /// At `(rater * categories + said) * categories + truth`.
    numbers: Vec<T>,
    categories: usize,
}

impl<T: Clone> Cells<T> {
    /// The same number everywhere.
    pub(super) fn filled<C: Ord + Clone>(number: T, votes: &Votes<C>) -> Self {
        let categories = votes.categories().len();
        Self { numbers: vec![number; votes.raters() * categories * categories], categories }
    }

    /// What belongs to a vote, by what is true.
    pub(super) fn row(&self, vote: Vote) -> &[T] {
        let start = self.start(vote);
        self.numbers.get(start..start + self.categories).unwrap_or(&[])
    }

    pub(super) fn row_mut(&mut self, vote: Vote) -> &mut [T] {
        let start = self.start(vote);
        self.numbers.get_mut(start..start + self.categories).unwrap_or(&mut [])
    }

    /// Where the row of a vote begins.
    fn start(&self, Vote { rater, category }: Vote) -> usize {
        (rater * self.categories + category) * self.categories
    }

    /// Rater by rater, the rows of all that they can say.
    pub(super) fn by_rater(&self) -> impl Iterator<Item = impl Iterator<Item = &[T]>> {
        let side = self.categories.max(1);
        self.numbers.chunks(side * side).map(move |of_rater| of_rater.chunks(side))
    }

    /// Others of the same shape.
    pub(super) fn with<U>(&self, numbers: Vec<U>) -> Cells<U> {
        Cells { numbers, categories: self.categories }
    }

    pub(super) fn numbers(&self) -> &[T] {
        &self.numbers
    }

    pub(super) fn numbers_mut(&mut self) -> &mut [T] {
        &mut self.numbers
    }
}

/// Whether there are votes, and not too many items and categories.
pub(super) fn check_items<C: Ord + Clone>(votes: &Votes<C>) -> Result<(), Undefined> {
    if votes.is_empty() {
        return Err(Undefined::NoSharedPositions);
    }
    check_product([votes.items(), votes.categories().len()], MOST_PROBABILITIES)
}

/// The same, and not too many raters.
pub(super) fn check_room<C: Ord + Clone>(votes: &Votes<C>) -> Result<(), Undefined> {
    check_items(votes)?;
    let categories = votes.categories().len();
    check_product([votes.raters(), categories, categories], MOST_CELLS)
}

fn check_product<const N: usize>(sides: [usize; N], most: usize) -> Result<(), Undefined> {
    let product = sides.into_iter().try_fold(1_usize, usize::checked_mul);
    product.filter(|&product| product <= most).map(|_| ()).ok_or(Undefined::TooMuchToLearn)
}
