//! The Wasserstein distance of a predicted distribution from that of people.

use super::distributions::side_by_side;
use crate::Undefined;
use crate::arithmetic::number::sum;

/// How far probability has to be moved along the scale, on average, to turn one distribution into the other
/// (the earth mover's distance of the first order): from 0 to the length of the scale, in its unit.
///
/// `places` are where the categories lie on the scale, in any order.
///
/// # Formula
/// The least cost of all plans `γ` that move the one to the other is, on a line, the area between the two
/// cumulative distributions `P` and `T`:
/// ```text
/// WD = min_γ Σ_h Σ_k γ_hk |x_h − x_k| = Σ_k |P(x_k) − T(x_k)| (x_k+1 − x_k)
/// ```
///
/// # Undefined when
/// The two, or the places, are of different numbers of categories ([`Undefined::UndeclaredCategory`]), one is
/// no distribution ([`Undefined::NoDistribution`]), or a place is no finite number ([`Undefined::NoDistance`]).
///
/// # Reference
/// Leonardelli, E. et al. (2025). LeWiDi-2025 at NLPerspectives: the third edition of the Learning with
/// Disagreements shared task. *NLPerspectives 2025*; there its mean over items, of categories one apart.
/// Vallender, S. S. (1974). Calculation of the Wasserstein distance between probability distributions on the
/// line. *Theory of Probability and Its Applications* 18(4), 784–786.
///
/// # Example
/// Half of the people said 1, half 3; the model is sure of 2, one away from everybody.
/// ```
/// # use agreement::wasserstein_distance;
/// let distance = wasserstein_distance(&[0.0, 1.0, 0.0], &[0.5, 0.0, 0.5], &[1.0, 2.0, 3.0])?;
/// assert_eq!(distance, 1.0);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn wasserstein_distance(
    predicted: &[f64],
    people: &[f64],
    places: &[f64],
) -> Result<f64, Undefined> {
    let both = side_by_side(predicted, people)?;
    if places.len() != people.len() {
        return Err(Undefined::UndeclaredCategory);
    }
    if !places.iter().all(|place| place.is_finite()) {
        return Err(Undefined::NoDistance);
    }
    let mut scale: Vec<(f64, f64)> = places.iter().copied().zip(both.map(|(p, t)| p - t)).collect();
    // What lies at one place is added up in one order, whatever the order of the categories.
    scale.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let ends = scale.iter().skip(1).map(|(place, _)| *place);
    let mut ahead = 0.0;
    let areas: Vec<f64> = scale
        .iter()
        .zip(ends)
        .map(|(&(place, more), end)| {
            ahead += more;
            f64::abs(ahead) * (end - place)
        })
        .collect();
    Ok(sum(areas))
}
