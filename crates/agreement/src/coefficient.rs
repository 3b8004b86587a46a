//! What a measure returns: a coefficient with its two ingredients, or the reason why there is none.

use std::error::Error;
use std::fmt;

use crate::ratio::ratio;

/// A defined value of a measure, with what went into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// The coefficient: `(observed - expected) / (1 - expected)`, at most 1.
    pub value: f64,
    /// The observed agreement, from 0 to 1.
    pub observed: f64,
    /// The agreement that chance alone would give, at least 0 and below 1.
    pub expected: f64,
}

/// Why a measure has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// Nothing was compared.
    NoSharedPositions,
    /// Only one category was ever used, so agreement beyond chance cannot be told from chance.
    OneCategory,
    /// Fewer than two raters have judged anything.
    TooFewRaters,
}

impl fmt::Display for Undefined {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoSharedPositions => "there is no position to compare yet",
            Self::OneCategory => {
                "only one category was used, so agreement cannot be told from chance"
            }
            Self::TooFewRaters => "fewer than two people have judged",
        })
    }
}

impl Error for Undefined {}

impl Coefficient {
    /// Corrects observed agreement for chance; both are given as parts of `whole`, exactly.
    ///
    /// The numerator and the denominator stay integers until the one division that ends it.
    pub(crate) fn chance_corrected(
        observed: i128,
        expected: i128,
        whole: i128,
    ) -> Result<Self, Undefined> {
        if whole == 0 {
            return Err(Undefined::NoSharedPositions);
        }
        if expected == whole {
            return Err(Undefined::OneCategory);
        }
        Ok(Self {
            value: ratio(observed - expected, whole - expected),
            observed: ratio(observed, whole),
            expected: ratio(expected, whole),
        })
    }
}
