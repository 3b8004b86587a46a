//! What a measure returns: a coefficient with its two ingredients, or the reason why there is none.

use std::error::Error;
use std::fmt;

use crate::arithmetic::ratio::ratio;
use crate::arithmetic::wide::Wide;

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

/// A defined value of a measure that grades disagreement, with what went into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Graded {
    /// The coefficient: `1 - observed / expected`, at most 1.
    pub value: f64,
    /// The observed disagreement, in the unit of the distance.
    pub observed: f64,
    /// The disagreement that chance alone would give, above 0.
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
    /// A category occurs that is not among those declared, or more occur than were declared.
    UndeclaredCategory,
    /// The category that was asked for was never used.
    CategoryNotUsed,
    /// A distance or weight between two categories is not a number that can be computed with.
    NoDistance,
    /// All values lie at the same place, so no disagreement could be expected.
    NoExpectedDisagreement,
    /// Nobody marked a unit.
    NoUnits,
    /// One rater's units overlap, which the measure has no meaning for.
    OverlappingUnits,
    /// The two divided stretches of different length.
    LengthsDiffer,
    /// An option of the measure, or a distance given to it, is outside the range it may have.
    OptionOutOfRange,
    /// The exact value would take more room or time than the measure is given.
    TooLarge,
    /// More spans overlap, among those that hang together, than partners are found among.
    TooManyOverlaps,
    /// Fewer than two items (or documents) were judged, so nothing shows how much they vary.
    TooFewUnits,
    /// Items have differing numbers of ratings where the formula wants the same number.
    UnequalRatings,
    /// The table has more than two categories where the method is for two.
    NotBinary,
    /// There are more positions than an exact method can go through.
    TooManyPositions,
    /// Nothing varies, so there is no scale to test against.
    NoVariance,
    /// The raters agree less than any mixture of true agreement and chance would make them.
    BelowChance,
    /// Fewer than two items have a rating by every rater, and only such items count.
    TooFewComplete,
    /// The means of the items do not vary, so no item can be told from another.
    NoVarianceBetween,
    /// A variance that the value is a share of is estimated at 0 or below.
    NegativeVariance,
    /// There are too few items to bound the value from below.
    Unbounded,
    /// No resample, or none on one side of the estimate, has a value to make an interval of.
    TooFewResamples,
    /// A stand-in and an annotator were compared on fewer items than their test needs.
    TooFewItems,
    /// Fewer than two annotators have the items that their test needs.
    TooFewAnnotators,
    /// There is more to be learned than there is room or time for.
    TooMuchToLearn,
    /// Only one category was ever used, so that a guess is always right.
    NothingToGuess,
    /// Probabilities are negative, or do not add up to 1.
    NoDistribution,
    /// The items are not those of the sequences, or count several times.
    NotInSequences,
}

impl fmt::Display for Undefined {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoSharedPositions => "there is no position to compare yet",
            Self::OneCategory => {
                "only one category was used, so agreement cannot be told from chance"
            }
            Self::TooFewRaters => "fewer than two people have judged",
            Self::UndeclaredCategory => "a category was used that is not among those declared",
            Self::CategoryNotUsed => "this category was never used",
            Self::NoDistance => "these categories have no distance on the chosen scale",
            Self::NoExpectedDisagreement => {
                "all values lie at the same place, so agreement cannot be told from chance"
            }
            Self::NoUnits => "nobody marked anything",
            Self::OverlappingUnits => "one person's spans overlap, which this measure cannot take",
            Self::LengthsDiffer => "the two divided texts of different length",
            Self::OptionOutOfRange => "an option of the measure is out of range",
            Self::TooLarge => "the exact value is too large to be computed",
            Self::TooManyOverlaps => "too many spans overlap to pair them",
            Self::TooFewUnits => "fewer than two items or documents have been judged",
            Self::UnequalRatings => "the items have differing numbers of ratings",
            Self::NotBinary => "there are more than two categories",
            Self::TooManyPositions => "there are too many positions for an exact method",
            Self::NoVariance => "nothing varies, so there is nothing to test",
            Self::BelowChance => "they agree less often than chance alone explains",
            Self::TooFewComplete => "fewer than two items have a rating by everybody",
            Self::NoVarianceBetween => {
                "all items have the same mean rating, so none can be told from another"
            }
            Self::NegativeVariance => {
                "chance differences outweigh the rest, so a variance is estimated below zero"
            }
            Self::Unbounded => "there are too few items to bound it from below",
            Self::TooFewResamples => "too few resamples have a value",
            Self::TooFewItems => "fewer than 30 items to compare on",
            Self::TooFewAnnotators => "fewer than two annotators have 30 items to compare on",
            Self::TooMuchToLearn => "there are too many raters, items or categories to learn from",
            Self::NothingToGuess => {
                "only one category was used, so knowledge cannot be told from guesses"
            }
            Self::NoDistribution => "probabilities are negative, or do not add up to 1",
            Self::NotInSequences => "each item has to be in one sequence, once",
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

    /// Corrects shares of agreement for chance; the caller has ruled out an expectation of 1.
    pub(crate) fn of_shares(observed: Wide, expected: Wide) -> Self {
        Self {
            value: ((observed - expected).settled() / (Wide::ONE - expected)).value(),
            observed: observed.value(),
            expected: expected.value(),
        }
    }
}

impl Graded {
    /// Compares disagreement with its expectation, which the caller has found to be above 0.
    pub(crate) fn of_disagreement(observed: Wide, expected: Wide) -> Self {
        Self {
            value: (Wide::ONE - observed / expected).settled().value(),
            observed: observed.value(),
            expected: expected.value(),
        }
    }
}
