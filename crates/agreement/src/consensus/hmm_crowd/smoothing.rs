//! What is true of each item of a sequence, given all votes on all of its items.

use super::chain::Chain;
use super::emissions::Emissions;

/// Below this a sum of probabilities may have lost all that is small, and is made of logarithms.
const SMALLEST: f64 = 1e-250;

/// Above this a logarithm is too large for what is multiplied with its exponential.
const LARGEST: f64 = 500.0;

/// What is true of the items of a sequence, each given the votes up to it.
pub(super) struct Filtered<'a> {
    chain: &'a Chain,
    /// Logarithms of the probabilities, at `item * categories + category`.
    known: Vec<f64>,
    /// The same before the votes on the item itself.
    predicted: Vec<f64>,
    /// The logarithm of the probability of all votes, less the common addends of the emissions.
    pub(super) log_likelihood: f64,
}

impl<'a> Filtered<'a> {
    /// The forward pass. Probabilities of each item add up to 1, as in section V.A of Rabiner (1989), so that
    /// none is lost in a long sequence.
    pub(super) fn of(chain: &'a Chain, emissions: &Emissions) -> Self {
        let mut filtered =
            Self { chain, known: Vec::new(), predicted: Vec::new(), log_likelihood: 0.0 };
        let mut last: Option<Distribution> = None;
        for emission in emissions.items() {
            let predicted = match &last {
                Some(last) => last.predict(chain),
                None => chain.starts.logarithms.clone(),
            };
            let joint = predicted.iter().zip(emission).map(|(prior, vote)| prior + vote).collect();
            let (known, log_sum) = Distribution::of(joint);
            filtered.log_likelihood += log_sum;
            filtered.known.extend(&known.logarithms);
            filtered.predicted.extend(predicted);
            last = Some(known);
        }
        filtered
    }

    /// The backward pass: the probability of each category for each item, at `item * categories + category`.
    /// What follows what is added to `transitions`, at `before * categories + after`.
    ///
    /// It goes through the items from the last, and weighs what was known of each by what is now known of the
    /// next: that takes neither the votes again nor what is scaled apart from the forward pass.
    pub(super) fn smooth(&self, transitions: &mut [f64]) -> Vec<f64> {
        let side = self.chain.categories().max(1);
        let mut probabilities: Vec<f64> = self.known.iter().copied().map(libm::exp).collect();
        let mut later: Option<(&[f64], &[f64])> = None;
        let known = self.known.chunks(side).zip(self.predicted.chunks(side));
        for (now, (known, predicted)) in probabilities.chunks_mut(side).zip(known).rev() {
            if let Some((after, expected)) = later {
                let raised = after.iter().zip(expected).map(|(&is, was)| {
                    // What is ruled out now was so before, and infinities have no difference.
                    if is > 0.0 { libm::log(is) - was } else { f64::NEG_INFINITY }
                });
                self.weigh(now, known, &raised.collect::<Vec<f64>>(), transitions);
            }
            later = Some((now, predicted));
        }
        probabilities
    }

    /// Makes the probabilities of an item of those of the next, whose logarithms were raised by so much.
    fn weigh(&self, now: &mut [f64], known: &[f64], raised: &[f64], transitions: &mut [f64]) {
        let side = now.len().max(1);
        let links = &self.chain.transitions;
        let is_small = raised.iter().all(|&it| it < LARGEST);
        let factors: Vec<f64> = raised.iter().copied().map(libm::exp).collect();
        let rows = links.probabilities.chunks(side).zip(links.logarithms.chunks(side));
        let rows = rows.zip(transitions.chunks_mut(side)).zip(now.iter_mut().zip(known));
        for (((row, logarithms), counts), (now, &known)) in rows {
            let mut sum = 0.0;
            if is_small {
                for ((link, factor), count) in row.iter().zip(&factors).zip(counts) {
                    let both = *now * link * factor;
                    sum += both;
                    *count += both;
                }
            } else {
                for ((link, raised), count) in logarithms.iter().zip(raised).zip(counts) {
                    let both = libm::exp(known + link + raised);
                    sum += both;
                    *count += both;
                }
            }
            *now = sum;
        }
        let whole: f64 = now.iter().sum();
        for probability in now {
            *probability /= whole;
        }
    }
}

/// Probabilities that add up to 1, with their logarithms.
struct Distribution {
    probabilities: Vec<f64>,
    logarithms: Vec<f64>,
}

impl Distribution {
    /// Of logarithms that are right but for a common addend; and the logarithm of their sum.
    fn of(mut logarithms: Vec<f64>) -> (Self, f64) {
        let most = highest(&logarithms);
        let mut probabilities: Vec<f64> =
            logarithms.iter().map(|logarithm| libm::exp(logarithm - most)).collect();
        let sum: f64 = probabilities.iter().sum();
        let log_sum = most + libm::log(sum);
        for (probability, logarithm) in probabilities.iter_mut().zip(&mut logarithms) {
            *probability /= sum;
            *logarithm -= log_sum;
        }
        (Self { probabilities, logarithms }, log_sum)
    }

    /// The logarithms of what is probable next.
    fn predict(&self, chain: &Chain) -> Vec<f64> {
        let side = self.probabilities.len().max(1);
        let mut next = vec![0.0; self.probabilities.len()];
        for (probability, row) in
            self.probabilities.iter().zip(chain.transitions.probabilities.chunks(side))
        {
            for (sum, link) in next.iter_mut().zip(row) {
                *sum += probability * link;
            }
        }
        for (after, sum) in next.iter_mut().enumerate() {
            *sum = if *sum > SMALLEST { libm::log(*sum) } else { self.log_predict(chain, after) };
        }
        next
    }

    /// The logarithm of how probable one category is next, also where the probabilities are too small for
    /// numbers of 64 bits.
    fn log_predict(&self, chain: &Chain, after: usize) -> f64 {
        let links = chain.transitions.logarithms.iter().skip(after).step_by(chain.categories());
        let paths: Vec<f64> = self.logarithms.iter().zip(links).map(|(a, b)| a + b).collect();
        let most = highest(&paths);
        if most == f64::NEG_INFINITY {
            return most;
        }
        most + libm::log(paths.iter().map(|path| libm::exp(path - most)).sum())
    }
}

fn highest(logarithms: &[f64]) -> f64 {
    logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}
