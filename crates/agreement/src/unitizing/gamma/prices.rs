//! A lower bound on the cost of every alignment: a price per unit that no candidate undercuts.
#![expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "units and candidates are numbered by their lists; members are few"
)]

use super::candidates::Candidates;

/// How often the shares are moved along the continuum or back; more makes the bound hardly better.
const ROUNDS: usize = 4;

/// Prices of units, such that the members of each candidate, and each unit alone, together have
/// a price of at most its cost; so the prices of all units are a bound on every alignment.
///
/// This is the dual of the linear relaxation, found by passing shares: each candidate's cost is
/// divided among its members, a unit's price is its smallest share, and what a share exceeds the
/// price by is passed on to the members that come later (and, on the way back, earlier).
pub(crate) fn prices(units: usize, candidates: &Candidates) -> Vec<f64> {
    let mut containing: Vec<Vec<(usize, usize)>> = vec![Vec::new(); units];
    let mut shares: Vec<Vec<f64>> = Vec::with_capacity(candidates.len());
    for candidate in 0..candidates.len() {
        let members = candidates.members(candidate);
        shares.push(vec![candidates.costs[candidate] / members.len() as f64; members.len()]);
        for (place, &unit) in members.iter().enumerate() {
            containing[unit as usize].push((candidate, place));
        }
    }
    let price = |shares: &[Vec<f64>], unit: usize| {
        let smallest = containing[unit].iter().map(|&(candidate, place)| shares[candidate][place]);
        smallest.fold(1.0, f64::min)
    };
    for round in 0..ROUNDS {
        for step in 0..units {
            let forward = round.is_multiple_of(2);
            let unit = if forward { step } else { units - 1 - step };
            let price = price(&shares, unit);
            for &(candidate, place) in &containing[unit] {
                let shares = &mut shares[candidate];
                let next = if forward { place + 1..shares.len() } else { 0..place };
                let count = next.len();
                if count > 0 {
                    let excess = (shares[place] - price) / count as f64;
                    shares[place] = price;
                    for other in &mut shares[next] {
                        *other += excess;
                    }
                }
            }
        }
    }
    (0..units).map(|unit| price(&shares, unit)).collect()
}
