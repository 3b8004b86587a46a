//! Intervals of intraclass correlations.

use crate::arithmetic::number::float;
use crate::inference::distributions::variance_ratio::upper_quantile;
use crate::inference::{Interval, Level};
use crate::{Intraclass, MeanSquares, Rated, Undefined, intraclass_correlation};

/// The interval of an [intraclass correlation](intraclass_correlation), from the quantiles of F.
///
/// Ratings are taken for sums of normal effects of item, rater and error. For `ICC(1)` and `ICC(C)` the
/// interval is exact then; that of `ICC(A)` takes Satterthwaite's degrees of freedom.
///
/// # Formula
/// Table 7 of `McGraw` and Wong, with the mean squares as in [`intraclass_correlation`], `F` the quantile
/// that is exceeded with half of what the level leaves outside, and `E` for `W` in `ICC(C)`:
/// ```text
/// ICC(1), ICC(C):  lower = (R/W / F(R, W) − 1) / (R/W / F(R, W) + k − 1)
///                  upper = (R/W · F(W, R) − 1) / (R/W · F(W, R) + k − 1)
/// ICC(A):          lower = n (R − F(R, v) E) / (F(R, v) (k C + (kn − k − n) E) + n R)
///                  upper = n (F(v, R) R − E) / (k C + (kn − k − n) E + n F(v, R) R)
/// v = (a C + b E)² / (a² C² / (k − 1) + b² E² / (n − 1)(k − 1))
/// a = k ρ        b = n (1 + (k − 1) ρ) − k ρ        ρ = ICC(A, 1)
/// ```
/// An end `e` of one rating is `k e / (1 + (k − 1) e)` of the mean of `k`.
///
/// # Undefined when
/// The coefficient is, or its lower end would be no coefficient: at `−1 / (k − 1)` or below, where that of a
/// mean has no end any more ([`Undefined::Unbounded`]). The approximation for `ICC(A)` leads there of few items.
///
/// # Reference
/// `McGraw`, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation
/// coefficients. *Psychological Methods* 1(1), 30–46; corrected in 1(4), 390.
///
/// # Example
/// ```
/// # use agreement::{Intraclass, MeanSquares, Rated, Ratings, Score};
/// # use agreement::inference::{Level, intraclass_interval};
/// let study = Ratings::from_rows([
///     [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
/// ].map(|row| row.map(Some)))?;
/// let squares = MeanSquares::of(&study, |rating: &u8| rating.score())?;
/// let interval = intraclass_interval(&squares, Intraclass::Agreement, Rated::Once, Level::P95)?;
/// assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.019 to 0.761");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn intraclass_interval(
    squares: &MeanSquares,
    model: Intraclass,
    rated: Rated,
    level: Level,
) -> Result<Interval, Undefined> {
    intraclass_correlation(squares, model, rated)?;
    let value = intraclass_correlation(squares, model, Rated::Once)?;
    let k = float(squares.count);
    let once = match model {
        Intraclass::OneWay => {
            of_ratio(squares, squares.within, float(squares.complete) * (k - 1.0), level)
        }
        Intraclass::Consistency => {
            of_ratio(squares, squares.residual, (float(squares.complete) - 1.0) * (k - 1.0), level)
        }
        Intraclass::Agreement => of_agreement(squares, value, level),
    };
    if 1.0 + (k - 1.0) * once.lower <= 0.0 {
        return Err(Undefined::Unbounded);
    }
    Ok(match rated {
        Rated::Once => once,
        Rated::ByAll => {
            let of_mean = |end: f64| k * end / (1.0 + (k - 1.0) * end);
            Interval { lower: of_mean(once.lower), upper: of_mean(once.upper) }
        }
    })
}

/// The interval where one mean square of error, of so many degrees of freedom, stands below.
fn of_ratio(squares: &MeanSquares, error: f64, freedom: f64, level: Level) -> Interval {
    let (items, k) = (squares.items, float(squares.count));
    let (outside, of_items) = (0.5 * level.outside(), float(squares.complete) - 1.0);
    // Multiplied by the error, which may be 0.
    let end = |ratio: f64| (items * ratio - error) / (items * ratio + (k - 1.0) * error);
    Interval {
        lower: end(upper_quantile(outside, of_items, freedom).recip()),
        upper: end(upper_quantile(outside, freedom, of_items)),
    }
}

fn of_agreement(squares: &MeanSquares, value: f64, level: Level) -> Interval {
    let MeanSquares { items, raters, residual, .. } = *squares;
    let (n, k) = (float(squares.complete), float(squares.count));
    let (of_raters, of_error) =
        (k * value * raters, (n * (1.0 + (k - 1.0) * value) - k * value) * residual);
    let power = |x: f64| x * x;
    let variance = power(of_raters) / (k - 1.0) + power(of_error) / ((n - 1.0) * (k - 1.0));
    if variance <= 0.0 {
        // Nobody differs from anybody.
        return Interval { lower: value, upper: value };
    }
    // Where ρ is below 0 the two may cancel out, and leave next to no degrees of freedom.
    let freedom = (power(of_raters + of_error) / variance).max(1e-9);
    let spread = k * raters + (k * n - k - n) * residual;
    let outside = 0.5 * level.outside();
    let end = |ratio: f64| n * (items * ratio - residual) / (spread + n * items * ratio);
    let upper = upper_quantile(outside, freedom, n - 1.0);
    Interval {
        lower: end(upper_quantile(outside, n - 1.0, freedom).recip()),
        upper: if upper.is_finite() { end(upper) } else { 1.0 },
    }
}
