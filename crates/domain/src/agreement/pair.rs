//! What the page of a pair shows: its table, and how its number comes about.

use serde::{Deserialize, Serialize};

use crate::{LabelSet, PairCell, ProjectId, Rater, Revision, Switches};

/// A pair's contingency table and where its coefficient comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Category {
    pub labels: LabelSet,
    /// "PER", "PER + ORG", "∅".
    pub name: String,
}

/// The ingredients of a coefficient, to fill its formula in with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// `π = (p_o − p_e) / (1 − p_e)`, `p_e = Σ ((row + column) / 2n)²`.
    Pi {
        n: u64,
        agreements: u64,
        /// Category, times the first rater used it, times the second did.
        margins: Vec<(String, u64, u64)>,
        observed: f64,
        expected: f64,
        pi: f64,
    },
    /// `S = (p_o − p_e) / (1 − p_e)`, `p_e = 1 / q`.
    S { n: u64, agreements: u64, choices: Choices, observed: f64, expected: f64, s: f64 },
    /// `AC1 = (p_o − p_e) / (1 − p_e)`, `p_e = Σ π_k (1 − π_k) / (q − 1)`.
    Ac1 {
        n: u64,
        agreements: u64,
        choices: Choices,
        /// Category, times the first rater used it, times the second did.
        margins: Vec<(String, u64, u64)>,
        observed: f64,
        expected: f64,
        ac1: f64,
    },
    /// `p = agreements / n`.
    Percent { n: u64, agreements: u64, percent: f64 },
    /// `F1 = 2 · agreed / (first + second)`; a reviewer's reject is no span.
    F1 { agreed: u64, first: u64, second: u64, f1: f64 },
    /// `1 − D_o / D_e`, disagreements as shares of that between the two categories furthest apart.
    Graded { n: u64, observed: f64, expected: f64, value: f64 },
    /// An intraclass correlation of two, from the mean squares of positions R, of raters C, of what neither
    /// explains E, and within positions W.
    Correlation { n: u64, items: f64, raters: f64, residual: f64, within: f64, value: f64 },
}

/// The categories that measures with an even chance count: q, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Choices {
    /// q: all of them.
    pub all: u64,
    /// Those that the label set declares, one for each label.
    pub declared: u64,
    /// Those that only occur: sets of several labels, and rejects.
    pub occurring: u64,
    /// ∅, where the policy makes it a category whether it occurs or not: 1 or 0.
    pub empty: u64,
}
