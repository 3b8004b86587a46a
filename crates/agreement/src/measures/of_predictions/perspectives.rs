//! Predictions of what each person says, held against what they said.

use crate::arithmetic::number::{count64, float, sum};
use crate::{Score, Undefined};

/// The share of the people whose answer was not predicted, from 0 to 1.
///
/// `item` has the prediction and the answer of each person for whom there are both.
///
/// # Formula
/// ```text
/// ER = (people with another answer) / (people)
/// ```
///
/// # Undefined when
/// There is nobody ([`Undefined::NoSharedPositions`]).
///
/// # Reference
/// Leonardelli, E. et al. (2025). LeWiDi-2025 at NLPerspectives: the third edition of the Learning with
/// Disagreements shared task. *NLPerspectives 2025*; there its mean over items, the average error rate.
///
/// # Example
/// ```
/// # use agreement::error_rate;
/// let item = [("irony", "irony"), ("irony", "none"), ("none", "none"), ("none", "none")];
/// assert_eq!(error_rate(item)?, 0.25);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn error_rate<J: PartialEq>(item: impl IntoIterator<Item = (J, J)>) -> Result<f64, Undefined> {
    mean(item.into_iter().map(|(predicted, said)| if predicted == said { 0.0 } else { 1.0 }))
}

/// How far predictions are from the people's answers, as a part of the scale.
///
/// `item` has the prediction and the answer of each person for whom there are both; `points` is how many
/// points the scale has, such as 11 from −5 to 5, and 6 from 1 to 6.
///
/// # Formula
/// With `p_k` predicted for person `k` of `a` and `t_k` their answer:
/// ```text
/// NAD = (1 / a) Σ_k |p_k − t_k| / points
/// ```
/// So the largest distance is just below 1: the shared task divides by the points, not by the distance of the
/// first from the last. It gives percent; this does not.
///
/// # Undefined when
/// There is nobody ([`Undefined::NoSharedPositions`]), the scale has no points
/// ([`Undefined::OptionOutOfRange`]), or an answer is no finite number ([`Undefined::NoDistance`]).
///
/// # Reference
/// Leonardelli, E. et al. (2025). LeWiDi-2025 at NLPerspectives: the third edition of the Learning with
/// Disagreements shared task. *NLPerspectives 2025*; there its mean over items, the average normalised absolute
/// distance.
///
/// # Example
/// ```
/// # use agreement::{Number, normalised_absolute_distance};
/// let item = [(1, 2), (6, 3), (4, 4)].map(|(p, t)| (Number::from(p), Number::from(t)));
/// assert_eq!(normalised_absolute_distance(item, 6.0)?, 4.0 / 3.0 / 6.0);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn normalised_absolute_distance<J: Score>(
    item: impl IntoIterator<Item = (J, J)>,
    points: f64,
) -> Result<f64, Undefined> {
    if !(points > 0.0 && points.is_finite()) {
        return Err(Undefined::OptionOutOfRange);
    }
    let apart = item.into_iter().map(|(predicted, said)| (predicted.score() - said.score()).abs());
    let mean = mean(apart)?;
    if mean.is_finite() { Ok(mean / points) } else { Err(Undefined::NoDistance) }
}

fn mean(values: impl Iterator<Item = f64>) -> Result<f64, Undefined> {
    let values: Vec<f64> = values.collect();
    let count = count64(values.len());
    if count == 0 { Err(Undefined::NoSharedPositions) } else { Ok(sum(values) / float(count)) }
}
