//! Raters of sequences: what is true of an item depends on what is true of the one before.

mod chain;
mod decoding;
mod emissions;
mod expectation;
mod smoothing;
#[cfg(test)]
mod tests;

use super::cells::check_room;
use super::confusions::Confusions;
use super::expectation::Counts;
use super::{Sequences, SoftLabels, Votes, majority};
use crate::Undefined;
use crate::arithmetic::number::count64;
use chain::{Chain, ChainCounts, Order};
use expectation::{Model, counts_of_shares};

/// The most steps of arithmetic: of 80,000 items, 47 raters and 10 categories, a thousand iterations seven
/// times over.
const MOST_STEPS: u64 = 1 << 38;

/// How raters of sequences are learned from, after Nguyen, A. T., Wallace, B. C., Li, J. J., Nenkova, A. and
/// Lease, M. (2017), Aggregating and predicting sequence labels from crowd annotations, *Proceedings of ACL*,
/// 299–309: HMM-Crowd.
///
/// A sequence begins with tag `j` with probability `s_j`, and `k` follows `j` with probability `τ_jk`; rater
/// `r` then says `l` of an item of which `j` is true with probability `π_jl(r)`, whatever the others say and
/// whatever they said before. All are estimated in turn with the tags, by EM: forwards and backwards through
/// each sequence (Rabiner, L. R. (1989), A tutorial on hidden Markov models, *Proceedings of the IEEE* 77(2),
/// 257–286), from the shares of votes onwards. With a transition that is the same after each tag it is
/// [`DawidSkene`](super::DawidSkene).
///
/// The paper also learns which words go with which tag; what words there are is not known here.
///
/// Which tags may begin and follow is said by whoever asks, as
/// [`Iob2::may_follow`](crate::Iob2::may_follow) does; what may not is of probability 0 throughout, so that
/// no sequence holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HmmCrowd {
    /// Sequences added to each tag that one may begin with: a Dirichlet distribution with parameters 1 more,
    /// of which the mode is taken. Above 0, as all that follow.
    pub start_prior: f64,
    /// Transitions added to each that may be, in the same way.
    pub transition_prior: f64,
    /// Votes added to each cell of each rater's matrix, in the same way.
    pub confusion_prior: f64,
    /// It has converged when no probability of an item moves by more than this in a step.
    pub tolerance: f64,
    /// After so many steps it ends even so, and earlier where each takes very long.
    pub most_iterations: u32,
}

impl Default for HmmCrowd {
    /// A tenth of an observation for each possibility; to 10⁻⁸, in at most 1,000 steps.
    fn default() -> Self {
        Self {
            start_prior: 0.1,
            transition_prior: 0.1,
            confusion_prior: 0.1,
            tolerance: 1e-8,
            most_iterations: 1_000,
        }
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct HmmCrowdFit<C> {
    /// How probable each category is for each item, given all votes on all items of its sequence.
    pub labels: SoftLabels<C>,
    /// The categories that are most probable together, sequence by sequence (Viterbi); nothing for an item
    /// that nobody has judged.
    pub tags: Vec<Option<C>>,
    /// How probable each category is at the beginning of a sequence, `s_j`.
    pub starts: Vec<f64>,
    /// How probable each category (columns) is after each (rows), `τ_jk`.
    pub transitions: Vec<Vec<f64>>,
    /// For each rater a matrix: the probability to say a category (columns) where another one is true (rows),
    /// `π_jl(r)`.
    pub confusions: Vec<Vec<Vec<f64>>>,
    /// The logarithm of the probability of all votes, without the priors.
    pub log_likelihood: f64,
    /// How many steps were taken.
    pub iterations: u32,
    /// Whether they were enough.
    pub converged: bool,
}

impl HmmCrowd {
    /// Learns from votes on items in sequences, where a category may begin one, or follow another, as
    /// `may_follow` says.
    ///
    /// Undefined without votes ([`Undefined::NoSharedPositions`]); where the sequences are of other items, or
    /// items count several times ([`Undefined::NotInSequences`]); with options out of range, or where
    /// nothing may begin or follow ([`Undefined::OptionOutOfRange`]); and with more than 2²² cells in the
    /// raters' matrices or 2²⁶ probabilities ([`Undefined::TooMuchToLearn`]).
    ///
    /// ```
    /// # use agreement::Iob2;
    /// # use agreement::consensus::{HmmCrowd, Sequences, Votes};
    /// let tokens = [["B", "B"], ["I", "O"], ["O", "O"], ["O", "O"], ["B", "B"], ["I", "I"]];
    /// let votes = Votes::from_items(2, tokens.map(|said| said.into_iter().enumerate()))?;
    /// let sequences = Sequences::of([1, 1, 1, 2, 2, 2]);
    /// let may_follow = |before: Option<&&str>, tag: &&str| {
    ///     let before = before.and_then(|before| Iob2::parse(before));
    ///     Iob2::parse(tag).is_some_and(|tag| tag.may_follow(before))
    /// };
    /// let fit = HmmCrowd::default().fit(&votes, &sequences, may_follow)?;
    /// let tags: Vec<&str> = fit.tags.into_iter().flatten().collect();
    /// assert_eq!(tags, ["B", "I", "O", "O", "B", "I"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fit<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
        may_follow: impl Fn(Option<&C>, &C) -> bool,
    ) -> Result<HmmCrowdFit<C>, Undefined> {
        let order = self.check(votes, sequences, may_follow)?;
        Ok(self.begin(votes, sequences, &order))
    }

    /// Learns from votes of which most were there when `earlier` was learned, as
    /// [`DawidSkene::fit_from`](super::DawidSkene::fit_from) does: from where the earlier one ended, a
    /// hundredth of every probability spread over all that is possible.
    pub fn fit_from<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
        may_follow: impl Fn(Option<&C>, &C) -> bool,
        earlier: &HmmCrowdFit<C>,
    ) -> Result<HmmCrowdFit<C>, Undefined> {
        let order = self.check(votes, sequences, may_follow)?;
        if votes.categories() != earlier.labels.categories() {
            return Ok(self.begin(votes, sequences, &order));
        }
        let model = Model {
            chain: Chain::spread(&earlier.starts, &earlier.transitions, &order),
            confusions: Confusions::spread(votes, &earlier.confusions).logarithms(),
        };
        let (expectation, counts) = model.expect(votes, sequences);
        Ok(self.converge(votes, sequences, &order, expectation.probabilities, counts))
    }

    fn check<C: Ord + Clone>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
        may_follow: impl Fn(Option<&C>, &C) -> bool,
    ) -> Result<Order, Undefined> {
        let priors = [self.start_prior, self.transition_prior, self.confusion_prior];
        let is_prior = |&prior: &f64| prior > 0.0 && prior.is_finite();
        if !priors.iter().all(is_prior) || !(0.0..=f64::MAX).contains(&self.tolerance) {
            return Err(Undefined::OptionOutOfRange);
        }
        check_room(votes)?;
        let counts_once = (0..votes.items()).all(|item| votes.times(item) == 1);
        if sequences.items() != votes.items() || !counts_once {
            return Err(Undefined::NotInSequences);
        }
        Order::of(votes.categories(), may_follow)
    }

    fn begin<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
        order: &Order,
    ) -> HmmCrowdFit<C> {
        let shares = majority::shares(votes);
        let counts = counts_of_shares(&shares, votes.categories().len(), sequences);
        self.converge(votes, sequences, order, shares, counts)
    }

    fn converge<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
        order: &Order,
        mut probabilities: Vec<f64>,
        mut counts: ChainCounts,
    ) -> HmmCrowdFit<C> {
        let most_iterations = self.most_iterations.min(bearable(votes)).max(1);
        let mut iterations = 0;
        loop {
            let said = Counts::of(votes, &probabilities).votes;
            let confusions = Confusions::estimate(&said, self.confusion_prior);
            let chain = Chain::estimate(&counts, order, self.start_prior, self.transition_prior);
            let model = Model { chain, confusions: confusions.logarithms() };
            let (expectation, expected) = model.expect(votes, sequences);
            counts = expected;
            iterations += 1;
            let converged = expectation.distance(&probabilities) <= self.tolerance;
            probabilities = expectation.probabilities;
            if converged || iterations >= most_iterations {
                let categories = votes.categories();
                let tag = |place: Option<usize>| categories.get(place?).cloned();
                let tags = model.decode(votes, sequences).into_iter().map(tag).collect();
                let rows = model.chain.transitions.probabilities.chunks(categories.len().max(1));
                return HmmCrowdFit {
                    labels: SoftLabels::new(categories.to_vec(), votes.items(), probabilities),
                    tags,
                    transitions: rows.map(<[f64]>::to_vec).collect(),
                    starts: model.chain.starts.probabilities,
                    confusions: confusions.matrices(),
                    log_likelihood: expectation.log_likelihood,
                    iterations,
                    converged,
                };
            }
        }
    }
}

/// How many iterations take a bearable time: each goes through all pairs of categories of each item, and
/// through all categories of each vote.
fn bearable<C: Ord + Clone>(votes: &Votes<C>) -> u32 {
    let categories = count64(votes.categories().len());
    let cast: usize = (0..votes.items()).map(|item| votes.votes(item).len()).sum();
    let pairs = count64(votes.items()).saturating_mul(categories).saturating_mul(categories);
    let steps = pairs.saturating_add(count64(cast).saturating_mul(categories));
    u32::try_from(MOST_STEPS / steps.max(1)).unwrap_or(u32::MAX)
}
