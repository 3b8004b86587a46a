//! Intraclass correlations: how much of the variance of ratings is that of what was rated.

use crate::arithmetic::number::{count64, float};
use crate::arithmetic::wide::Wide;
use crate::{Ratings, Undefined};

/// What raters are taken for, and whether their levels have to agree (`McGraw` and Wong 1996).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intraclass {
    /// `ICC(1)`: every item may have had raters of its own, so that what raters differ in is error.
    OneWay,
    /// `ICC(A)`, of Shrout and Fleiss `ICC(2)`: the same raters for all items; that one rates higher
    /// throughout counts as disagreement.
    Agreement,
    /// `ICC(C)`, of Shrout and Fleiss `ICC(3)`: the same raters for all items; that one rates higher
    /// throughout does not count.
    Consistency,
}

/// Whose reliability it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rated {
    /// That of one rating.
    Once,
    /// That of the mean of all raters' ratings.
    ByAll,
}

/// The analysis of variance of the items that all raters have rated: mean squares, in the square of
/// the scale's unit.
///
/// # Formula
/// With `x_ij` the rating of item `i` of `n` by rater `j` of `k`, `x̄_i` and `x̄_j` their means and `x̄`
/// that of all:
/// ```text
/// items     = k Σ_i (x̄_i − x̄)² / (n − 1)
/// raters    = n Σ_j (x̄_j − x̄)² / (k − 1)
/// residual  = Σ_ij (x_ij − x̄_i − x̄_j + x̄)² / (n − 1)(k − 1)
/// within    = Σ_ij (x_ij − x̄_i)² / n(k − 1)
/// ```
///
/// # Example
/// Shrout and Fleiss (1979), tables 2 and 3: six targets, four judges.
/// ```
/// # use agreement::{Intraclass, MeanSquares, Number, Rated, Ratings, Score, intraclass_correlation};
/// let study = Ratings::from_rows([
///     [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
/// ].map(|row| row.map(Some)))?;
/// let squares = MeanSquares::of(&study, |rating: &u8| rating.score())?;
/// let printed = [squares.items, squares.within, squares.raters, squares.residual];
/// assert_eq!(printed.map(|square| format!("{square:.2}")), ["11.24", "6.26", "32.49", "1.02"]);
/// let icc = intraclass_correlation(&squares, Intraclass::Agreement, Rated::Once)?;
/// assert_eq!(format!("{icc:.2}"), "0.29");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanSquares {
    /// Between items: `MSR`, of Shrout and Fleiss `BMS`.
    pub items: f64,
    /// Between raters: `MSC`, of Shrout and Fleiss `JMS`.
    pub raters: f64,
    /// What neither items nor raters explain: `MSE`, of Shrout and Fleiss `EMS`.
    pub residual: f64,
    /// Within items: `MSW`, of Shrout and Fleiss `WMS`.
    pub within: f64,
    /// How many items all have rated: `n`, at least 2.
    pub complete: u64,
    /// How many items somebody has not rated; they are left out.
    pub incomplete: u64,
    /// How many raters there are: `k`, at least 2.
    pub count: u64,
}

/// What is smaller than this part of the ratings' squares is the rounding of means: a difference in
/// the last digit of two ratings is larger.
const ROUNDING: f64 = 7e-46; // 2^-150

impl MeanSquares {
    /// The analysis of a study whose ratings lie where `score` says on a scale of numbers.
    ///
    /// # Undefined when
    /// There are fewer than two raters ([`Undefined::TooFewRaters`]), all of them have rated fewer
    /// than two items ([`Undefined::TooFewComplete`]), or scores are too large to be squared
    /// ([`Undefined::NoDistance`]).
    pub fn of<C: Ord + Clone>(
        study: &Ratings<C>,
        score: impl Fn(&C) -> f64,
    ) -> Result<Self, Undefined> {
        let raters = study.raters();
        if raters < 2 {
            return Err(Undefined::TooFewRaters);
        }
        let (mut rows, mut incomplete) = (Vec::new(), 0);
        for item in 0..study.items() {
            let scores: Option<Vec<Wide>> =
                study.item(item).map(|rating| rating.map(&score).map(Wide::from)).collect();
            match scores {
                Some(scores) => rows.push((scores, study.times(item))),
                None => incomplete += study.times(item),
            }
        }
        let complete: u64 = rows.iter().map(|(_, times)| times).sum();
        if complete < 2 {
            return Err(Undefined::TooFewComplete);
        }
        let count = count64(raters);
        let (n, k) = (Wide::from(complete), Wide::from(count));
        let total = |of: &dyn Fn(&[Wide]) -> Wide| {
            Wide::sum(rows.iter().map(|(row, times)| Wide::from(*times) * of(row)))
        };
        let mean = |row: &[Wide]| Wide::sum(row.iter().copied()) / k;
        let means: Vec<Wide> = (0..raters)
            .map(|rater| total(&|row| row.get(rater).copied().unwrap_or(Wide::ZERO)) / n)
            .collect();
        let all = mean(&means);
        let squares = total(&|row| Wide::sum(row.iter().map(|x| x.squared()))).value();
        if !squares.is_finite() {
            return Err(Undefined::NoDistance);
        }
        let settled = |sum: Wide| if sum.value() <= ROUNDING * squares { 0.0 } else { sum.value() };
        let items = settled(k * total(&|row| (mean(row) - all).squared()));
        let between = settled(n * Wide::sum(means.iter().map(|mean| (*mean - all).squared())));
        let residual = settled(total(&|row| {
            let mean = mean(row);
            let rest = row.iter().zip(&means).map(|(x, of_rater)| *x - mean - *of_rater + all);
            Wide::sum(rest.map(Wide::squared))
        }));
        let (n, k) = (float(complete), float(count));
        Ok(Self {
            items: items / (n - 1.0),
            raters: between / (k - 1.0),
            residual: residual / ((n - 1.0) * (k - 1.0)),
            within: (between + residual) / (n * (k - 1.0)),
            complete,
            incomplete,
            count,
        })
    }
}

/// An intraclass correlation: the reliability of one rating, or of the mean of all.
///
/// # Formula
/// With the [mean squares](MeanSquares) `R` of items, `C` of raters, `E` residual and `W` within:
/// ```text
/// ICC(1)    = (R − W) / (R + (k − 1) W)                         ICC(k)    = (R − W) / R
/// ICC(A, 1) = (R − E) / (R + (k − 1) E + k (C − E) / n)         ICC(A, k) = (R − E) / (R + (C − E) / n)
/// ICC(C, 1) = (R − E) / (R + (k − 1) E)                         ICC(C, k) = (R − E) / R
/// ```
/// It is at most 1, and below 0 where items differ less than ratings of one of them do.
///
/// # Undefined when
/// The items' means do not vary, so that no item can be told from another
/// ([`Undefined::NoVarianceBetween`]); or, of `ICC(A, k)`, `E` is so much larger than `C` that the variance of
/// the means, `R + (C − E) / n`, is estimated at 0 or below ([`Undefined::NegativeVariance`]): the quotient
/// would lie above 1.
///
/// # References
/// `McGraw`, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation
/// coefficients. *Psychological Methods* 1(1), 30–46; corrected in 1(4), 390. Shrout, P. E. and Fleiss,
/// J. L. (1979). Intraclass correlations: uses in assessing rater reliability. *Psychological Bulletin*
/// 86(2), 420–428.
pub fn intraclass_correlation(
    squares: &MeanSquares,
    model: Intraclass,
    rated: Rated,
) -> Result<f64, Undefined> {
    let MeanSquares { items, raters, residual, within, .. } = *squares;
    if items <= 0.0 {
        return Err(Undefined::NoVarianceBetween);
    }
    let (n, k) = (float(squares.complete), float(squares.count));
    let (error, bias) = match model {
        Intraclass::OneWay => (within, 0.0),
        Intraclass::Agreement => (residual, (raters - residual) / n),
        Intraclass::Consistency => (residual, 0.0),
    };
    let all = match rated {
        Rated::Once => items + (k - 1.0) * error + k * bias,
        Rated::ByAll => items + bias,
    };
    if all > 0.0 { Ok((items - error) / all) } else { Err(Undefined::NegativeVariance) }
}
