//! What stands behind a pair's number: confusions, labels, boundaries, documents, chance.

use serde::{Deserialize, Serialize};

use crate::{
    Boundary, Confidence, CoverageView, DocumentId, Error, LabelId, LabelSet, Measured, MemberId,
    Page, ProjectId, Revision, Switches, UndefinedReason,
};
use std::{fmt, str::FromStr};

switch! {
    /// The order of a pair's documents; ties stay in the order of import.
    CauseOrder {
        /// Most disagreements first: those that move the number most.
        Disagreements = "disagreements",
        /// In the order of import.
        Document = "document",
        /// Lowest value first; documents without a value come last.
        Value = "value",
        /// Most positions first.
        Positions = "positions",
    }
}

/// Everything that explains a pair's number, under the switches that it was counted under.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Causes {
    pub project: ProjectId,
    pub revision: Revision,
    pub switches: Switches,
    pub first: MemberId,
    pub second: MemberId,
    pub coverage: CoverageView,
    /// Positions that were counted, and those on which the two said the same.
    pub positions: u64,
    pub agreements: u64,
    /// The most frequent first.
    pub confusions: Vec<ConfusionView>,
    /// In the order of the label set; ∅ last, where it occurs.
    pub labels: Vec<LabelCause>,
    /// Every type, in order, also those that do not occur.
    pub boundaries: Vec<BoundaryCount>,
    pub documents: Page<DocumentCause>,
    pub chance: ChanceView,
}

/// Two categories that stood against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfusionView {
    pub one: LabelSet,
    pub other: LabelSet,
    /// How often the first rater said `one` where the second said `other`.
    pub one_by_first: u64,
    /// How often the first rater said `other` where the second said `one`.
    pub other_by_first: u64,
    /// Both directions as a part of all disagreements, from 0 to 1.
    pub share: f64,
}

/// What is set against everything else: a label, or ∅, which is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OneCategory {
    Label(LabelId),
    Nothing,
}

/// One label against everything else, over the positions that were counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelCause {
    pub answer: OneCategory,
    pub counts: YesNo,
    /// Cohen's κ of "is it this label?", with the interval of Fleiss, Cohen and Everitt (1969).
    pub kappa: Measured,
    pub confidence: Confidence,
    /// F1 of the label, also called Dice or positive agreement; none if nobody gave it.
    pub positive: Option<f64>,
    /// None where nothing is counted.
    pub chance: Option<LabelChance>,
    /// The share of positions on which the two agree about this label for a reason (Krenn, Evert
    /// and Zinsmeister 2004), or why there is none.
    pub true_agreement: Result<(f64, f64), NoTrueAgreement>,
}

/// How two raters answered a question with yes or no.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct YesNo {
    pub both: u64,
    pub only_first: u64,
    pub only_second: u64,
    pub neither: u64,
}

/// Why there is no interval of true agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoTrueAgreement {
    /// Nothing is counted.
    NoPositions,
    /// There are more positions than can be gone through.
    TooManyPositions,
    /// They agree less often than chance alone explains.
    BelowChance,
}

/// How common a label is and how differently the two use it (Byrt, Bishop and Carlin 1993).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelChance {
    /// From −1 (nobody ever says it) to 1 (everybody always does).
    pub prevalence_index: f64,
    /// From −1 (only the second says it) to 1 (only the first does).
    pub bias_index: f64,
    pub pabak: f64,
    pub ac1: f64,
    /// Whether κ and AC1 tell different stories; see `services::agreement::diagnostics`.
    pub diverges: bool,
}

/// Coefficients that allow for chance in different ways, side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceView {
    pub kappa: Measured,
    pub confidence: Confidence,
    /// PABAK: with more than two categories it is Bennett's S.
    pub pabak: Measured,
    pub ac1: Measured,
    /// The number of categories that PABAK and AC1 take for possible.
    pub choices: u64,
    /// Whether κ and AC1 tell different stories; see `services::agreement::diagnostics`.
    pub diverges: bool,
    /// The category that the two together said most often, and its share of all they said.
    pub commonest: Option<(LabelSet, f64)>,
    /// The category that the two use most differently, and by how much the first rater's share
    /// exceeds the second's.
    pub most_biased: Option<(LabelSet, f64)>,
}

/// Groups of overlapping marks of one type; each group is counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundaryCount {
    pub boundary: Boundary,
    pub groups: u64,
    /// Groups in which all spans have the same labels.
    pub same_labels: u64,
}

/// One document's part of a pair's number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentCause {
    pub document: DocumentId,
    pub name: String,
    pub positions: u64,
    pub agreements: u64,
    pub disagreements: u64,
    /// Its part of all disagreements, from 0 to 1; 0 where there are none.
    pub share: f64,
    /// The measure of this document alone.
    pub measured: Measured,
    pub coverage: CoverageView,
}

impl YesNo {
    /// All positions that were counted.
    pub const fn positions(self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }
}

impl NoTrueAgreement {
    /// The reason in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoPositions => UndefinedReason::NoSharedPositions.sentence(),
            Self::TooManyPositions => "more than a million positions",
            Self::BelowChance => "agreement is below chance",
        }
    }
}
