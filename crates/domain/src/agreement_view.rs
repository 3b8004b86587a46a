//! What the agreement pages show: switches, the matrix, one pair.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, LabelSet, MemberId, ProjectId, Rater, Revision};

/// Declares an enum whose variants travel by name, in JSON and in the URL.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            #[default]
            $($(#[$vdoc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(Error::invalid(
                        stringify!($name),
                        concat!("one of: ", $($text, " "),+),
                    )),
                }
            }
        }
    };
}
pub(crate) use switch;

switch! {
    /// The measure of the matrix.
    Measure {
        /// Cohen's κ (Cohen 1960).
        Kappa = "kappa",
        /// Krippendorff's α for nominal data (Krippendorff 2011).
        Alpha = "alpha",
    }
}

switch! {
    /// How positions that only one of the two judged are treated.
    PolicyChoice {
        /// They are removed; the coverage says how many stayed.
        Cleaned = "cleaned",
        /// They count with the category ∅ for the other; over documents both submitted.
        EmptyLabel = "empty-label",
    }
}

switch! {
    /// Which documents of a pair are compared.
    Documents {
        /// Those that both have saved at least once.
        Saved = "saved",
        /// Those that both have submitted.
        Submitted = "submitted",
    }
}

/// The switches of the agreement pages; all of them stand in the URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Switches {
    pub measure: Measure,
    pub policy: PolicyChoice,
    pub documents: Documents,
}

/// A coefficient, or why there is none: never a number in its place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Measured {
    Value { value: f64, observed: f64, expected: f64 },
    Undefined(UndefinedReason),
}

impl Measured {
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value { value, .. } => Some(value),
            Self::Undefined(_) => None,
        }
    }
}

/// Why a coefficient is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UndefinedReason {
    /// The two have no document that counts under the switches.
    NoSharedDocuments,
    /// They have such documents, but no position that counts.
    NoSharedPositions,
    /// Only one category occurs: agreement by chance is certain.
    OneCategory,
}

impl UndefinedReason {
    /// The reason in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoSharedDocuments => "no document that both have worked on",
            Self::NoSharedPositions => "no position that both have judged",
            Self::OneCategory => {
                "only one category occurs, so agreement by chance is certain and the coefficient is 0/0"
            }
        }
    }
}

/// How many positions at least one of two raters judged, and who judged them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageView {
    pub both: u64,
    pub only_first: u64,
    pub only_second: u64,
}

impl CoverageView {
    /// All positions that at least one judged.
    pub const fn positions(self) -> u64 {
        self.both + self.only_first + self.only_second
    }
}

/// A cell of the matrix; stands for both orders of the pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairCell {
    pub first: MemberId,
    pub second: MemberId,
    pub measured: Measured,
    /// Positions that were counted.
    pub n: u64,
    pub coverage: CoverageView,
    /// Documents that were compared.
    pub documents: u64,
}

/// Who moved the numbers last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastChange {
    pub at: DateTime<Utc>,
    pub by: String,
}

/// The matrix at one revision of the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementSnapshot {
    pub project: ProjectId,
    pub revision: Revision,
    pub switches: Switches,
    /// Labelers in the order they joined, then reviewers.
    pub raters: Vec<Rater>,
    /// One cell for each pair, `first` before `second` in the order of the raters. Pairs of two
    /// reviewers are not compared.
    pub cells: Vec<PairCell>,
    pub last_change: Option<LastChange>,
}

impl AgreementSnapshot {
    /// The cell of two raters, in either order.
    pub fn cell(&self, a: MemberId, b: MemberId) -> Option<&PairCell> {
        self.cells.iter().find(|cell| {
            (cell.first == a && cell.second == b) || (cell.first == b && cell.second == a)
        })
    }
}

/// A pair's contingency table and where its coefficient comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairView {
    pub project: ProjectId,
    pub revision: Revision,
    pub switches: Switches,
    pub first: Rater,
    pub second: Rater,
    pub cell: PairCell,
    /// The categories that occur, as label names; the empty set is ∅.
    pub categories: Vec<Category>,
    /// Counts: a row for each category of the first rater, a column for each of the second.
    pub counts: Vec<Vec<u64>>,
    /// The formula's ingredients for the chosen measure; none where it is undefined.
    pub steps: Option<Steps>,
}

/// A category of a contingency table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Category {
    pub labels: LabelSet,
    /// "PER", "PER + ORG", "∅".
    pub name: String,
}

/// The ingredients of a coefficient, to fill its formula in with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Steps {
    /// `κ = (p_o − p_e) / (1 − p_e)`.
    Kappa {
        n: u64,
        agreements: u64,
        /// Category, times the first rater used it, times the second did.
        margins: Vec<(String, u64, u64)>,
        observed: f64,
        expected: f64,
        kappa: f64,
    },
    /// `α = (p_a − p_e) / (1 − p_e)`, in the symbols of the literature.
    Alpha {
        /// Positions.
        n: u64,
        /// Labels in all: r.
        r: u64,
        /// Labels per position on average: r'.
        r_mean: f64,
        /// Category, `r_k`, `π_k`.
        totals: Vec<(String, u64, f64)>,
        /// `p_a'`.
        observed_uncorrected: f64,
        /// `p_a`.
        observed: f64,
        /// `p_e`.
        expected: f64,
        alpha: f64,
    },
}
