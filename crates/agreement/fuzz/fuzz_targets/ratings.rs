//! Studies of any shape: refused or measured, and the same in every form.
#![no_main]

use agreement::{
    Circular, Interval, LongForm, Ordinal, Polar, Ratings, Ratio, alpha_nominal, fleiss_kappa,
    gwet_ac1, hubert_kappa, krippendorff_alpha, light_kappa,
};
use libfuzzer_sys::fuzz_target;

type Input = (Vec<(Vec<Option<i8>>, u64)>, Vec<(u8, u8, i8)>, (Vec<i8>, u8, Vec<u32>));

fuzz_target!(|input: Input| {
    let (patterns, lines, (categories, raters, codes)) = input;
    let long = LongForm::from_ratings(lines).map(|long| long.ratings);
    let coded = Ratings::from_codes(categories, raters.into(), codes);
    for study in [Ratings::from_patterns(patterns), long, coded].into_iter().flatten() {
        let tally = study.coincidences();
        assert_eq!(tally, study.counts().coincidences());
        assert_eq!(tally.nominal(), &study.nominal_tally());
        let q = study.categories().len();
        let values = [
            fleiss_kappa(tally.nominal()).map(|kappa| kappa.value),
            gwet_ac1(tally.nominal(), q).map(|ac1| ac1.value),
            hubert_kappa(&study).map(|kappa| kappa.value),
            light_kappa(&study),
            alpha_nominal(tally.nominal()).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &Interval).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &Ordinal::of(&tally)).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &Ratio).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &Circular { period: 24.0 }).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &Polar { min: -9.0, max: 9.0 }).map(|alpha| alpha.value),
        ];
        for value in values.into_iter().flatten() {
            assert!(value.is_finite() && value <= 1.0);
        }
    }
});
