//! Continua of any units: refused, or measured without a NaN and whatever the order of units.
#![no_main]

use agreement::{
    Continuum, GammaOptions, GammaStudy, Unaligned, Unit, alpha_u, alpha_u_category, cu_alpha,
    ku_alpha, u_alpha, u_alpha_binary,
};
use libfuzzer_sys::fuzz_target;

type Input = (u64, u64, u8, Vec<(u8, u64, u64, u8)>);

fuzz_target!(|input: Input| {
    let (begin, length, raters, units) = input;
    let unit = |&(rater, start, length, category): &(u8, u64, u64, u8)| Unit {
        rater: usize::from(rater % 5),
        start,
        length,
        category: category % 4,
    };
    let raters = usize::from(raters % 5);
    let forwards = Continuum::new(begin, length, raters, units.iter().map(unit));
    let backwards = Continuum::new(begin, length, raters, units.iter().rev().map(unit));
    assert_eq!(forwards.is_ok(), backwards.is_ok());
    if let (Ok(forwards), Ok(backwards)) = (&forwards, &backwards) {
        assert_eq!(forwards, backwards);
    }
    let overlapping = Continuum::with_overlaps(begin, length, raters, units.iter().map(unit));
    for continuum in [forwards, overlapping].into_iter().flatten() {
        let mut values = vec![
            alpha_u(&continuum).map(|alpha| alpha.value),
            u_alpha(&continuum),
            u_alpha_binary(&continuum),
            cu_alpha(&continuum),
        ];
        for category in continuum.categories() {
            values.push(alpha_u_category(&continuum, category).map(|alpha| alpha.value));
            values.push(ku_alpha(&continuum, category));
        }
        // The exact alignment of many units of many raters takes long.
        if continuum.unit_count() <= 12 {
            let options = GammaOptions { most_samples: 30, ..GammaOptions::default() };
            if let Ok(study) = GammaStudy::new(&continuum, &options) {
                values.push(study.gamma().map(|gamma| gamma.value));
                values.push(study.gamma_cat(Unaligned::Ignored).map(|gamma| gamma.value));
            }
        }
        for value in values.into_iter().flatten() {
            assert!(value.is_finite() && value <= 1.0);
        }
    }
});
