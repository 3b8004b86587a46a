//! Raters, such as models, against one who is taken as right.

mod consensus;
mod labels;
mod make;
mod pairs;

use serde::{Deserialize, Serialize};

use crate::report::{ConsensusMethod, IntervalOf, Reason, TestOf};

pub(super) use make::of;

/// Everybody else against a rater who is taken as right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgainstGold {
    /// Who is taken as right.
    pub rater: String,
    /// Each of the others, label by label.
    pub models: Vec<ModelAgainstGold>,
    /// Every two of the others: is one of them better?
    pub pairs: Vec<ModelPair>,
    /// Why they were not compared.
    pub no_pairs: Option<Reason>,
    /// What the others together say, by each way to a consensus, if one was asked for.
    pub consensus: Vec<ConsensusAgainstGold>,
}

/// A consensus against the rater who is taken as right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsensusAgainstGold {
    /// How it was found.
    pub method: ConsensusMethod,
    /// Why there is none, or nothing to measure it against.
    pub undefined: Option<Reason>,
    /// How many items it has a category for, and the one who is right, too.
    pub items: u64,
    /// The share of them on which the two are the same.
    pub accuracy: Option<f64>,
    /// All tags but O together, token by token, where the categories are tags of IOB2.
    pub tokens: Option<RetrievalOf>,
    /// The spans of such tags, with both ends and the label, where it is known which items follow each other.
    pub spans: Option<RetrievalOf>,
    /// Each label that one of the two used.
    pub labels: Vec<LabelAgainstGold>,
}

/// How many were found of several labels together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrievalOf {
    /// How many are right.
    pub gold: u64,
    /// How many were given.
    pub found: u64,
    /// How many of them are right.
    pub matched: u64,
    /// The share of what was given that is right; without an interval.
    pub precision: ShareOfLabel,
    /// The share of what is right that was given.
    pub recall: ShareOfLabel,
    /// The harmonic mean of both.
    pub f1: ShareOfLabel,
}

/// A rater against the one who is taken as right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelAgainstGold {
    /// Who is measured.
    pub rater: String,
    /// How many items both rated.
    pub items: u64,
    /// Each label that one of the two used.
    pub labels: Vec<LabelAgainstGold>,
}

/// How well a label is found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelAgainstGold {
    /// The label.
    pub category: String,
    /// How often it is right.
    pub gold: u64,
    /// How often it was given.
    pub found: u64,
    /// The share of what was given that is right.
    pub precision: ShareOfLabel,
    /// The share of what is right that was given.
    pub recall: ShareOfLabel,
    /// The harmonic mean of both.
    pub f1: ShareOfLabel,
}

/// A share with its bootstrap interval, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareOfLabel {
    /// The value.
    pub value: Option<f64>,
    /// Why there is none.
    pub undefined: Option<Reason>,
    /// The interval.
    pub interval: Option<IntervalOf>,
    /// Why a value has none.
    pub no_interval: Option<Reason>,
}

/// Two raters, both against the one who is taken as right, on the items that all three rated. Tests are
/// corrected for the number of pairs, after Holm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelPair {
    /// The one.
    pub first: String,
    /// The other.
    pub second: String,
    /// How many items all three rated.
    pub items: u64,
    /// How many only the first got right.
    pub only_first: u64,
    /// How many only the second got right.
    pub only_second: u64,
    /// `McNemar`'s exact test: is one more often right?
    pub mcnemar: TestOf,
    /// How much higher the F1 of the first is, mean of labels.
    pub f1_difference: Option<f64>,
    /// The test of that difference, from exchanging the two item by item.
    pub permutation: TestOf,
}
