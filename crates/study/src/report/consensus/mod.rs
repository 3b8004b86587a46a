//! What raters together say of each item, and how far each is to be trusted.

mod crowd;
mod make;

use serde::{Deserialize, Serialize};

use super::Reason;
use crate::words::words;
pub(super) use crowd::{Crowd, Learned, Lesson};

words! {
    /// How categories are learned from raters.
    ConsensusMethod is "a way to a consensus":
    /// The share of votes: all raters are trusted alike.
    Majority = "majority",
    /// A matrix for each rater of what they say of which category: Dawid and Skene (1979).
    DawidSkene = "dawid-skene",
    /// How often each rater knows, and what they say if they guess: Hovy et al. (2013).
    Mace = "mace",
    /// A matrix for each rater, and which category follows which in sequences: Nguyen et al. (2017).
    HmmCrowd = "hmm-crowd",
}

impl ConsensusMethod {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Majority => "Majority",
            Self::DawidSkene => "Dawid & Skene",
            Self::Mace => "MACE",
            Self::HmmCrowd => "HMM-crowd",
        }
    }

    /// Whether it is about items that follow each other.
    pub fn needs_sequences(self) -> bool {
        self == Self::HmmCrowd
    }
}

/// What is probably true, and how far each rater is to be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Consensus {
    /// How it was found.
    pub method: ConsensusMethod,
    /// Why there is none.
    pub undefined: Option<Reason>,
    /// All items, in their order.
    pub items: Vec<ConsensusItem>,
    /// All raters, in their order.
    pub raters: Vec<ConsensusRater>,
    /// How probable each category is for an item of which nothing is known, where that was learned.
    pub marginals: Option<Vec<f64>>,
    /// The scheme whose rules on what may follow what were kept, where what follows what was learned and the
    /// tags are of one.
    pub tag_scheme: Option<String>,
    /// How probable each category is at the beginning of a sequence, where that was learned.
    pub starts: Option<Vec<f64>>,
    /// How probable each category (columns) is after each (rows), where that was learned.
    pub transitions: Option<Vec<Vec<f64>>>,
    /// How it was learned, where it was.
    pub learning: Option<Learning>,
}

/// How something was learned step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learning {
    /// The logarithm of the probability of all ratings.
    pub log_likelihood: f64,
    /// How many steps were taken.
    pub iterations: u32,
    /// Whether they were enough; nothing where their number is fixed.
    pub converged: Option<bool>,
}

/// What is probably true of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsensusItem {
    /// Its name, or its number from 1.
    pub item: String,
    /// How many raters rated it.
    pub ratings: u64,
    /// The most probable category, of several the first in order; in sequences, that of the most probable
    /// sequence. Nothing if nobody rated it.
    pub category: Option<String>,
    /// How probable it is.
    pub probability: Option<f64>,
    /// How uncertain it is, in nats.
    pub entropy: Option<f64>,
    /// All categories that are as probable, if there are several.
    pub tied: Vec<String>,
    /// The probability of each category, in the order of all; nothing if nobody rated it.
    pub probabilities: Vec<f64>,
}

/// How far a rater is to be trusted; nothing is known of who has rated nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsensusRater {
    /// Who.
    pub name: String,
    /// How many items they rated.
    pub ratings: u64,
    /// How probable it is that a rating of theirs is right.
    pub accuracy: Option<f64>,
    /// How probable it is that they know, and do not guess, where that was learned.
    pub competence: Option<f64>,
    /// How probable each category is if they guess, where that was learned.
    pub strategy: Option<Vec<f64>>,
    /// The probability to say a category (columns) where another one is true (rows), where that was
    /// learned.
    pub confusion: Option<Vec<Vec<f64>>>,
}
