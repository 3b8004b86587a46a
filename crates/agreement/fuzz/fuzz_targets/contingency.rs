//! Tables of two raters with any counts: every measure is a finite number or undefined.
#![no_main]

use agreement::{
    Contingency, Interval, Linear, bennett_s, cohen_kappa, cohen_kappa_max,
    krippendorff_alpha_nominal, macro_average, micro_average, pabak, percent, scott_pi,
    weighted_kappa,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<(u8, u8, u64)>, usize)| {
    let (cells, q) = input;
    let mut table = Contingency::new();
    for (row, column, count) in cells {
        // More is refused by a panic, as documented.
        table.add_count(row, column, count.min(Contingency::<u8>::CAPACITY - table.total()));
    }
    let measures = [
        percent(&table),
        bennett_s(&table, q),
        pabak(&table),
        scott_pi(&table),
        cohen_kappa(&table),
        cohen_kappa_max(&table),
        krippendorff_alpha_nominal(&table),
    ];
    for coefficient in measures.into_iter().flatten() {
        assert!(coefficient.value.is_finite() && coefficient.value <= 1.0);
    }
    for kappa in [weighted_kappa(&table, &Interval), weighted_kappa(&table, &Linear)] {
        assert!(kappa.is_ok_and(|kappa| kappa.value.is_finite()) || kappa.is_err());
    }
    for average in [micro_average(&table, None), macro_average(&table, Some(&0))] {
        assert!(average.is_ok_and(|average| (0.0..=1.0).contains(&average.f1)) || average.is_err());
    }
});
