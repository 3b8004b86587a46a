//! Weights for any scores: refused, or between 0 and 1.
#![no_main]

use agreement::{CoincidenceTally, Item, Number, Scheme, Weights, brennan_prediger, gwet_ac2};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<f64>, Vec<Vec<u8>>)| {
    let (scores, items) = input;
    let categories: Vec<Number> = scores.into_iter().filter_map(Number::new).collect();
    let mut tally = CoincidenceTally::new();
    for ratings in items {
        let chosen =
            ratings.iter().filter_map(|&index| categories.get(usize::from(index)).copied());
        assert_eq!(tally.add(&chosen.collect::<Item<Number>>()), Ok(()));
    }
    for scheme in [
        Scheme::Identity,
        Scheme::Linear,
        Scheme::Quadratic,
        Scheme::Radical,
        Scheme::Ratio,
        Scheme::Circular,
        Scheme::Bipolar,
        Scheme::Ordinal,
    ] {
        let by_value = Weights::by_value(scheme, categories.iter().copied());
        let by_rank = Weights::by_rank(scheme, categories.iter().copied());
        for weights in [by_value, by_rank].into_iter().flatten() {
            for value in [gwet_ac2(&tally, &weights), brennan_prediger(&tally, &weights)] {
                assert!(value.is_ok_and(|ac2| ac2.value.is_finite()) || value.is_err());
            }
        }
    }
});
