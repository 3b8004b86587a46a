//! One sequence, held against all ways through it.

use proptest::prelude::*;

use super::chain::{Chain, Links};
use super::decoding::most_probable;
use super::emissions::Emissions;
use super::smoothing::Filtered;
use crate::arithmetic::fixed::Fixed;

fn chain(starts: &[f64], transitions: &[f64]) -> Chain {
    Chain { starts: Links::of(starts.to_vec()), transitions: Links::of(transitions.to_vec()) }
}

fn emissions(categories: usize, logarithms: Vec<f64>) -> Emissions {
    Emissions { logarithms, categories, common: Fixed::ZERO }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12 * (1.0 + b.abs())
}

/// Healthy or feverish, after Jurafsky, D. and Martin, J. H., *Speech and Language Processing*, and seen to be
/// normal, cold and dizzy; forwards .3, .04; .0904, .0342; .007696, .028584, backwards .106, .112; .25, .4.
#[test]
fn two_states_by_hand() {
    let chain = chain(&[0.6, 0.4], &[0.7, 0.3, 0.4, 0.6]);
    let seen = [0.5, 0.1, 0.4, 0.3, 0.1, 0.6].map(f64::ln).to_vec();
    let emissions = emissions(2, seen);
    let filtered = Filtered::of(&chain, &emissions);
    assert!(near(filtered.log_likelihood, 0.03628_f64.ln()));
    let mut transitions = vec![0.0; 4];
    let smoothed = filtered.smooth(&mut transitions);
    let by_hand = [0.3 * 0.106, 0.04 * 0.112, 0.0904 * 0.25, 0.0342 * 0.4, 0.007_696, 0.028_584];
    assert!(smoothed.iter().zip(by_hand).all(|(&is, joint)| near(is, joint / 0.03628)));
    // From healthy to healthy: .3 × .7 × .4 × .25, then .0904 × .7 × .1.
    let both = (0.3 * 0.7 * 0.4 * 0.25 + 0.0904 * 0.7 * 0.1) / 0.03628;
    assert!(near(transitions[0], both), "{transitions:?}");
    // .3 × .7 × .4 × .3 × .6 = .01512 is the most of eight.
    assert_eq!(most_probable(&chain, &emissions), [0, 0, 1]);
}

/// A chain of three tags of which some may not follow others, and the votes on up to six items, of which some
/// all but rule categories out.
fn sequences() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<f64>)> {
    let weights = || prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => 0.01..1.0_f64], 3);
    let row = weights().prop_filter_map("nothing may follow", |weights: Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        (sum > 0.0).then(|| weights.into_iter().map(|it| it / sum).collect::<Vec<f64>>())
    });
    let seen = prop_oneof![
        4 => -5.0..0.0_f64,
        1 => Just(0.0),
        1 => -1_000.0..-300.0_f64,
        1 => -5_000.0..-1_000.0_f64,
    ];
    let emission = prop::collection::vec(seen, 3).prop_map(|mut logarithms| {
        let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for logarithm in &mut logarithms {
            *logarithm -= most;
        }
        logarithms
    });
    let rows = prop::collection::vec(row.clone(), 3).prop_map(|rows| rows.concat());
    let emissions = prop::collection::vec(emission, 1..7).prop_map(|rows| rows.concat());
    (row, rows, emissions)
}

/// All ways through so many items, each with the logarithm of its probability.
fn ways(chain: &Chain, emissions: &Emissions) -> Vec<(Vec<usize>, f64)> {
    let mut ways = vec![(Vec::new(), 0.0)];
    for emission in emissions.items() {
        let on = |(way, score): &(Vec<usize>, f64)| -> Vec<(Vec<usize>, f64)> {
            let step = |tag: usize| {
                let link = match way.last() {
                    Some(before) => chain.transitions.logarithms[before * 3 + tag],
                    None => chain.starts.logarithms[tag],
                };
                let mut way = way.clone();
                way.push(tag);
                (way, score + link + emission[tag])
            };
            (0..3).map(step).collect()
        };
        ways = ways.iter().flat_map(on).collect();
    }
    ways
}

proptest! {
    #[test]
    fn all_ways_add_up_to_what_is_expected((starts, transitions, seen) in sequences()) {
        let (chain, emissions) = (chain(&starts, &transitions), emissions(3, seen));
        let ways = ways(&chain, &emissions);
        let most = ways.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
        let weight = |score: f64| (score - most).exp();
        let all: f64 = ways.iter().map(|(_, score)| weight(*score)).sum();

        let filtered = Filtered::of(&chain, &emissions);
        let log_likelihood = most + all.ln();
        prop_assert!((filtered.log_likelihood - log_likelihood).abs() < 1e-9 * (1.0 - log_likelihood));
        let mut counts = vec![0.0; 9];
        let smoothed = filtered.smooth(&mut counts);
        for (place, &probability) in smoothed.iter().enumerate() {
            let through = ways.iter().filter(|(way, _)| way[place / 3] == place % 3);
            let share: f64 = through.map(|(_, score)| weight(*score)).sum::<f64>() / all;
            prop_assert!((probability - share).abs() < 1e-9, "{} and {}", probability, share);
        }
        for (place, &count) in counts.iter().enumerate() {
            let share: f64 = ways
                .iter()
                .map(|(way, score)| {
                    let steps = way.windows(2).filter(|two| two[0] * 3 + two[1] == place).count();
                    f64::from(u32::try_from(steps).unwrap_or_default()) * weight(*score)
                })
                .sum();
            prop_assert!((count - share / all).abs() < 1e-9, "{} and {}", count, share / all);
        }
        let best = most_probable(&chain, &emissions);
        let score = ways.iter().find(|(way, _)| *way == best).map(|(_, score)| *score);
        prop_assert!(score.is_some_and(|score| (score - most).abs() < 1e-9 * (1.0 - most)));
    }
}
