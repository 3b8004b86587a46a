//! When a measure has no value, and that it says so instead of returning 0, 1 or NaN.

use agreement::{
    Coefficient, Contingency, Undefined, alpha_steps, cohen_kappa, kappa_steps,
    krippendorff_alpha_nominal, percent,
};

#[test]
fn nothing_compared_is_undefined_for_every_measure() {
    let nothing = Contingency::<u8>::new();
    assert_eq!(percent(&nothing), Err(Undefined::NoSharedPositions));
    assert_eq!(cohen_kappa(&nothing), Err(Undefined::NoSharedPositions));
    assert_eq!(krippendorff_alpha_nominal(&nothing), Err(Undefined::NoSharedPositions));
    assert_eq!(kappa_steps(&nothing), Err(Undefined::NoSharedPositions));
    assert_eq!(alpha_steps(&nothing), Err(Undefined::NoSharedPositions));
}

#[test]
fn one_category_is_undefined_for_measures_that_correct_for_chance() {
    let one_category = Contingency::from_iter([("PER", "PER"); 4]);
    assert_eq!(cohen_kappa(&one_category), Err(Undefined::OneCategory));
    assert_eq!(krippendorff_alpha_nominal(&one_category), Err(Undefined::OneCategory));
    assert_eq!(kappa_steps(&one_category), Err(Undefined::OneCategory));
    assert_eq!(alpha_steps(&one_category), Err(Undefined::OneCategory));

    let all_agree = Coefficient { value: 1.0, observed: 1.0, expected: 0.0 };
    assert_eq!(percent(&one_category), Ok(all_agree));
}

#[test]
fn two_constant_raters_who_differ_are_defined() {
    let differ = Contingency::from_iter([("PER", "ORG"); 4]);
    assert_eq!(cohen_kappa(&differ).map(|kappa| kappa.value), Ok(0.0));
    assert_eq!(krippendorff_alpha_nominal(&differ).map(|alpha| alpha.value), Ok(-0.75));
}

#[test]
fn reasons_read_as_plain_english() {
    assert_eq!(Undefined::NoSharedPositions.to_string(), "there is no position to compare yet");
    assert_eq!(
        Undefined::OneCategory.to_string(),
        "only one category was used, so agreement cannot be told from chance"
    );
    assert_eq!(Undefined::TooFewRaters.to_string(), "fewer than two people have judged");
}
