//! Counts of items and categories of any size: refused or measured.
#![no_main]

use agreement::{
    Counts, Item, Jaccard, Masi, MasiProduct, SetThirds, alpha_nominal, alpha_of_item,
    fleiss_kappa, krippendorff_alpha, percent_by_item, percent_by_rating, percent_on_item,
};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;

type Labels = BTreeSet<u8>;

fuzz_target!(|input: (Vec<(Vec<(Labels, u64)>, u64)>, Vec<Labels>, Vec<Vec<u64>>)| {
    let (items, declared, table) = input;
    let items: Result<Vec<_>, _> = items
        .into_iter()
        .map(|(counts, times)| Item::from_counts(counts).map(|item| (item, times)))
        .collect();
    let study = items.and_then(|items| Counts::from_items(items, declared.clone()));
    for study in [study, Counts::from_table(declared, table)].into_iter().flatten() {
        let tally = study.coincidences();
        let shares = [percent_by_item(tally.nominal()), percent_by_rating(tally.nominal())];
        for share in shares.into_iter().flatten() {
            assert!((0.0..=1.0).contains(&share.value));
        }
        let mut values = vec![
            fleiss_kappa(tally.nominal()).map(|kappa| kappa.value),
            alpha_nominal(tally.nominal()).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &Masi).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &MasiProduct).map(|alpha| alpha.value),
            krippendorff_alpha(&tally, &SetThirds).map(|alpha| alpha.value),
        ];
        for (item, _) in study.items() {
            values.push(percent_on_item(item).map(|share| share.value));
            values.push(alpha_of_item(item, &tally, &Jaccard).map(|alpha| alpha.value));
        }
        assert!(values.into_iter().flatten().all(|value| value.is_finite() && value <= 1.0));
    }
});
