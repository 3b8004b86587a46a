//! Artstein and Poesio (2008), Inter-coder agreement for computational linguistics, and the same
//! table scaled until narrow integers would overflow.
#![expect(clippy::float_cmp, reason = "integers divided once are as exact as the literals")]

mod crossed;
mod printed;

use agreement::{Contingency, cohen_kappa, krippendorff_alpha_nominal, percent};
use crossed::crossed;
use printed::assert_prints;

/// Table 1 (page 558), each count times `scale`.
fn page_558(scale: u64) -> Contingency<&'static str> {
    crossed(["IReq", "STAT"], [[50 * scale, 20 * scale], [10 * scale, 20 * scale]])
}

#[test]
fn table_1_matches_the_printed_values() {
    assert_prints(percent(&page_558(1)), "0.7");
    let kappa = cohen_kappa(&page_558(1)).unwrap();
    assert_eq!(kappa.expected, 0.54);
    assert_prints(Ok(kappa), "0.348");
}

#[test]
fn page_568_matches_the_printed_values() {
    let page_568 = crossed(["Chck", "IReq", "STAT"], [[10, 0, 0], [6, 32, 6], [0, 0, 46]]);
    assert_prints(percent(&page_568), "0.88");
    assert_prints(cohen_kappa(&page_568), "0.8013");
    assert_prints(krippendorff_alpha_nominal(&page_568), "0.8005");
}

/// Meyer et al. (2014) report .82 from an implementation whose n² wraps in 32 bits.
#[test]
fn counts_times_500_do_not_overflow() {
    assert_prints(cohen_kappa(&page_558(500)), "0.348");
    assert_prints(krippendorff_alpha_nominal(&page_558(500)), "0.340665934066");
}

#[test]
fn kappa_does_not_depend_on_the_scale_of_counts() {
    let unscaled = cohen_kappa(&page_558(1));
    for scale in [500, 1_000_000, 1_000_000_000] {
        assert_eq!(cohen_kappa(&page_558(scale)), unscaled);
    }
}

#[test]
fn small_sample_correction_of_alpha_vanishes_as_counts_grow() {
    let scotts_pi = 0.31 / 0.91;
    let gap = |scale| krippendorff_alpha_nominal(&page_558(scale)).unwrap().value - scotts_pi;
    assert!(gap(1) > 100.0 * gap(500));
    assert!(gap(1_000_000_000).abs() < 1e-11);
}

#[test]
fn measures_are_exact_up_to_the_capacity_of_a_table() {
    let quarter = Contingency::<&str>::CAPACITY / 4;
    let coin_flips = crossed(["heads", "tails"], [[quarter, quarter], [quarter, quarter]]);
    assert_eq!(coin_flips.total(), Contingency::<&str>::CAPACITY);
    assert_eq!(cohen_kappa(&coin_flips).unwrap().value, 0.0);

    let opposites = crossed(["heads", "tails"], [[0, 2 * quarter], [2 * quarter, 0]]);
    assert_eq!(cohen_kappa(&opposites).unwrap().value, -1.0);
    assert_eq!(krippendorff_alpha_nominal(&opposites).unwrap().value, -1.0);
}
