//! The most probable sequence of tags.

use super::chain::Chain;
use super::emissions::Emissions;

/// The most probable sequence of categories as a whole, item by item, as Viterbi (1967) finds it; of several
/// the one whose last tag, then whose last but one, is the first in order.
pub(super) fn most_probable(chain: &Chain, emissions: &Emissions) -> Vec<usize> {
    let categories = chain.categories();
    let mut best: Option<Vec<f64>> = None;
    // Of each item but the first, the category before on the best way to each category.
    let mut ways: Vec<Vec<usize>> = Vec::new();
    for emission in emissions.items() {
        let mut scores = match &best {
            None => chain.starts.logarithms.clone(),
            Some(before) => {
                let (scores, way) = (0..categories).map(|after| step(chain, before, after)).unzip();
                ways.push(way);
                scores
            }
        };
        scores.iter_mut().zip(emission).for_each(|(score, vote)| *score += vote);
        // Only differences matter, which are lost where numbers grow.
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for score in &mut scores {
            *score -= most;
        }
        best = Some(scores);
    }
    let Some(scores) = best else { return Vec::new() };
    let (_, mut category) = highest(scores.into_iter());
    let mut path = vec![category];
    for way in ways.iter().rev() {
        category = way.get(category).copied().unwrap_or_default();
        path.push(category);
    }
    path.reverse();
    path
}

/// The best score with which a category is reached, and from which one.
fn step(chain: &Chain, before: &[f64], after: usize) -> (f64, usize) {
    let links = chain.transitions.logarithms.iter().skip(after).step_by(before.len().max(1));
    highest(before.iter().zip(links).map(|(score, link)| score + link))
}

/// The highest of some scores, and the first place at which it is.
fn highest(scores: impl Iterator<Item = f64>) -> (f64, usize) {
    scores.enumerate().fold((f64::NEG_INFINITY, 0), |(most, place), (other, score)| {
        if score > most { (score, other) } else { (most, place) }
    })
}
