//! Krippendorff, K., Mathet, Y., Bouvry, S., & Widlöcher, A. (2016). On the reliability of
//! unitizing textual continua: further developments. *Quality & Quantity*, 50, 2347–2364.
#![expect(clippy::unwrap_used, reason = "the data is valid, and a test may fail")]

use agreement::{
    Continuum, Undefined, Unit, cu_alpha, krippendorff_alpha_nominal, ku_alpha, u_alpha,
    u_alpha_binary,
};

fn continuum(length: u64, units: &[(usize, u64, u64, &'static str)]) -> Continuum<&'static str> {
    let unit = |&(rater, start, length, category)| Unit { rater, start, length, category };
    Continuum::new(0, length, 2, units.iter().map(unit)).unwrap()
}

/// Section 12.6 of *Content Analysis* (2019) asks for it: the family extends coding.
#[test]
fn units_of_length_one_give_the_alpha_of_coding() {
    let first = ["a", "b", "b", "c", "a", "a"];
    let second = ["a", "b", "c", "c", "a", "b"];
    let mut units = Vec::new();
    for (rater, codes) in [first, second].into_iter().enumerate() {
        for (start, category) in (0..).zip(codes) {
            units.push((rater, start, 1, category));
        }
    }
    let coding = krippendorff_alpha_nominal(&first.into_iter().zip(second).collect()).unwrap();
    let continuum = continuum(6, &units);
    assert!((u_alpha(&continuum).unwrap() - coding.value).abs() < 1e-15);
    assert!((cu_alpha(&continuum).unwrap() - coding.value).abs() < 1e-15);
    assert_eq!(u_alpha_binary(&continuum), Err(Undefined::OneCategory));
}

#[test]
fn no_intersection_at_all_is_worse_than_chance() {
    let apart = continuum(50, &[(0, 0, 10, "a"), (1, 30, 10, "a")]);
    assert_eq!(format!("{:.3}", u_alpha(&apart).unwrap()), "-0.215");
    assert_eq!(u_alpha(&apart), u_alpha_binary(&apart));
    assert_eq!(cu_alpha(&apart), Err(Undefined::NoSharedPositions));
    assert_eq!(ku_alpha(&apart, &"a"), Err(Undefined::NoSharedPositions));
    assert_eq!(ku_alpha(&apart, &"b"), Err(Undefined::CategoryNotUsed));
}

#[test]
fn agreement_on_codes_shows_where_boundaries_differ() {
    let units = [
        (0, 0, 5, "a"),
        (0, 5, 5, "a"),
        (0, 12, 8, "b"),
        (0, 30, 4, "a"),
        (1, 0, 10, "a"),
        (1, 13, 6, "b"),
        (1, 25, 5, "b"),
        (1, 30, 4, "a"),
    ];
    let continuum = continuum(40, &units);
    assert_eq!(format!("{:.4}", u_alpha(&continuum).unwrap()), "0.7454");
    assert_eq!(format!("{:.4}", u_alpha_binary(&continuum).unwrap()), "0.6581");
    assert_eq!(cu_alpha(&continuum), Ok(1.0));
    assert_eq!(ku_alpha(&continuum, &"a"), Ok(1.0));
}

#[test]
fn one_category_has_boundaries_but_no_codes_to_agree_on() {
    let continuum = continuum(20, &[(0, 2, 6, "a"), (1, 3, 6, "a")]);
    assert!(u_alpha(&continuum).is_ok());
    assert_eq!(cu_alpha(&continuum), Err(Undefined::OneCategory));
    assert_eq!(ku_alpha(&continuum, &"a"), Err(Undefined::OneCategory));
}

#[test]
fn units_of_one_rater_must_not_overlap_whatever_their_category() {
    let continuum = continuum(20, &[(0, 2, 6, "a"), (0, 5, 6, "b"), (1, 3, 6, "a")]);
    assert_eq!(u_alpha(&continuum), Err(Undefined::OverlappingUnits));
}

#[test]
fn lengths_near_2_to_the_63_are_exact() {
    let scale = 1 << 57;
    let units = [(0, 3, 12, "NP"), (0, 22, 31, "VP"), (1, 3, 7, "NP"), (1, 12, 6, "VP")];
    let small = continuum(60, &units);
    let scaled = units
        .map(|(rater, start, length, category)| (rater, start * scale, length * scale, category));
    let large = continuum(60 * scale, &scaled);
    for measure in [u_alpha, u_alpha_binary, cu_alpha] {
        let (small, large) = (measure(&small), measure(&large));
        // The larger continuum has more points to pair, so it is not quite the same.
        assert!((small.unwrap() - large.unwrap()).abs() < 0.02, "{small:?} {large:?}");
    }
}
