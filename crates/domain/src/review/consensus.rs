//! What labelers' judgements come to where nobody's is taken for right: an estimate, and where it is in doubt.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Error, Label, LabelSet, Page, PositionRow, Rater, Revision, Switches};

/// A consensus of all labelers under the switches of the matrix, by the model of Dawid and Skene (1979).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsensusView {
    pub revision: Revision,
    pub switches: Switches,
    pub raters: Vec<Rater>,
    /// What they choose from, by name.
    pub labels: Vec<Label>,
    pub estimate: Result<ConsensusEstimate, NoConsensus>,
    /// Whether reviewers see proposals before they decide.
    pub reviewers_see: bool,
    /// The positions that were asked for.
    pub page: Page<DoubtfulPosition>,
}

/// What is asked of the consensus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsensusQuery {
    pub switches: Switches,
    pub positions: ConsensusPositions,
    /// The page, counted from 0.
    pub page: u64,
}

switch! {
    /// Which positions of the consensus are listed.
    ConsensusPositions {
        /// Those that no reviewer has decided, the most doubtful first.
        Open = "open",
        /// Those that somebody has decided, for reviewers those that they have decided on themselves, the least
        /// probable decision first.
        Decided = "decided",
    }
}

/// Why there is no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoConsensus {
    /// No position was judged by two labelers.
    Nothing,
    /// There are too many positions and categories to learn from while somebody waits.
    TooMuch,
}

/// What was learned of raters, and how sure the most probable categories are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsensusEstimate {
    /// Positions that two labelers or more judged.
    pub positions: u64,
    /// Those of them that a reviewer has decided: no error is expected there.
    pub decided: u64,
    /// Those of the decided ones whose decision is the most probable category.
    pub as_expected: u64,
    /// The share of all positions on which the most probable category is expected to be wrong, from 0 to 1.
    pub expected_error: f64,
    /// How many of the most doubtful positions are to be decided for it to fall below [`Self::AIM`].
    pub to_decide: u64,
    /// In the order of the raters; labelers without a judgement that counts are left out. Nobody for whoever is not
    /// told what is probable before they decide.
    pub people: Vec<Competence>,
    /// Whether the estimate had settled when it was stopped.
    pub converged: bool,
}

impl ConsensusEstimate {
    /// The expected error that a gold standard is to fall below.
    pub const AIM: f64 = 0.02;
}

/// How far a labeler is right if the estimate is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Competence {
    pub rater: Rater,
    pub judgements: u64,
    /// How probable it is that one of their judgements is right, from 0 to 1.
    pub accuracy: f64,
    /// Of each category that is right somewhere, how probable it is that they say it, from 0 to 1.
    pub of_categories: Vec<(LabelSet, f64)>,
}

/// A position with what is probably right there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoubtfulPosition {
    pub row: PositionRow,
    /// Categories with their probabilities, the most probable first; those below one in a hundred are left out.
    /// Nothing for whoever is to decide first.
    pub proposed: Vec<(LabelSet, f64)>,
    /// How probable the decision is, from 0 to 1; none without one, and where no labeler says such a thing.
    pub decision: Option<f64>,
}
