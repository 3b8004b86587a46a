//! What a measurement comes to: a value and how sure it is, or why there is none.

pub mod wording;

use serde::{Deserialize, Serialize};

/// Below so many positions a value is marked as resting on few.
pub const FEW: u64 = 30;

/// A coefficient, or why there is none: never a number in its place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum UndefinedReason {
    /// The two have no document that counts under the switches.
    NoSharedDocuments,
    /// They have such documents, but no position that counts.
    NoSharedPositions,
    /// Only one category occurs: agreement by chance is certain.
    OneCategory,
    /// There is only one category to choose from: agreement by chance is certain.
    OneChoice,
    /// Neither has marked a span.
    NothingMarked,
    /// There is no document that all labelers have worked on.
    NoDocumentOfAll,
    /// Nobody has marked a span in those documents.
    NobodyMarked,
    /// Somebody's spans of one label overlap, which units may not.
    OverlappingSpans,
    /// Positions are pairs of spans, of two raters each: there are none of more.
    NoCommonPositions,
    /// In a document of the two too many spans overlap to pair them.
    TooManyOverlaps,
    /// A category has no place in an order: labels have none, and neither has ∅.
    NoOrder,
    /// Fewer than two positions were judged by everybody who is compared.
    TooFewPositions,
    /// All positions have the same mean rating.
    NoVariance,
    /// The variance that the value is a share of is estimated at 0 or below.
    NegativeVariance,
    /// The two of a pair are several, and their counts pooled.
    NotPooled,
    /// The scale has more numbers than the measure has weights for.
    TooLongScale,
}

impl UndefinedReason {
    /// The reason in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoSharedDocuments => "no shared document",
            Self::NoSharedPositions => "no position judged by both",
            Self::OneCategory => {
                "only one category occurs: chance agreement is certain and the coefficient is 0/0"
            }
            Self::OneChoice => {
                "only one category to choose from: chance agreement is certain and the coefficient is 0/0"
            }
            Self::NothingMarked => "neither has a span",
            Self::NoDocumentOfAll => "no document shared by all labelers",
            Self::NobodyMarked => "no spans",
            Self::OverlappingSpans => {
                "not defined for overlapping spans of one label by the same labeler"
            }
            Self::NoCommonPositions => "spans are paired by two raters at a time",
            Self::TooManyOverlaps => "too many spans overlap in one place to pair them",
            Self::NoOrder => "not all categories have a place in an order",
            Self::TooFewPositions => "fewer than two positions judged by all",
            Self::NoVariance => "all positions have the same mean",
            Self::NegativeVariance => {
                "raters differ too much among themselves: the variance is estimated below 0"
            }
            Self::NotPooled => "of two raters or of all, not of one with several",
            Self::TooLongScale => "the scale has more than 200 steps",
        }
    }
}

/// How sure a value is: its 95 % interval, or why it has none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Confidence {
    /// Of κ of exact positions by the formula of Fleiss, Cohen and Everitt (1969), which may reach beyond 1;
    /// of the others by resampling documents.
    Interval {
        lower: f64,
        upper: f64,
    },
    /// It is being computed, and told when it is there.
    Pending,
    None(NoInterval),
}

/// Why a value has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoInterval {
    /// There is no value either.
    NoValue,
    /// One document cannot be drawn anew.
    OneDocument,
    /// Hardly any resample has a value.
    NoResamples,
    /// The formula takes positions as independent, which tokens and overlapping spans are not.
    NoFormula,
    /// Models are shown by their values; only formulas are computed of them.
    OfModel,
    /// Too few positions bound the value from below.
    Unbounded,
}

impl NoInterval {
    /// The reason in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoValue => "no value",
            Self::OneDocument => "needs two documents",
            Self::NoFormula => "no formula for these positions",
            Self::OfModel => "not resampled for models",
            Self::Unbounded => "too few positions to bound it",
            Self::NoResamples => "resamples have no value",
        }
    }
}
