//! Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method gamma (γ)
//! for inter-annotator agreement measure and alignment. *Computational Linguistics*, 41(3), 437–479.
#![expect(clippy::unwrap_used, reason = "the data is valid, and a test may fail")]
#![expect(clippy::float_cmp, reason = "these disorders are sums of few powers of two")]

use agreement::{
    Continuum, Gamma, GammaOptions, GammaStudy, Unaligned, Undefined, Unit, gamma_alignment,
};

type Marked = (usize, u64, u64, &'static str);

fn continuum(length: u64, raters: usize, units: &[Marked]) -> Continuum<&'static str> {
    let unit =
        |&(rater, start, end, category)| Unit { rater, start, length: end - start, category };
    Continuum::with_overlaps(0, length, raters, units.iter().map(unit)).unwrap()
}

fn study<'a>(continuum: &'a Continuum<&'static str>) -> GammaStudy<'a, &'static str> {
    GammaStudy::new(continuum, &GammaOptions::default()).unwrap()
}

const SHIFTED_BY_ONE: [Marked; 6] = [
    (0, 1, 5, "a"),
    (0, 6, 10, "b"),
    (0, 11, 15, "a"),
    (1, 2, 6, "a"),
    (1, 7, 11, "b"),
    (1, 12, 16, "a"),
];

/// The positional dissimilarity of section 4.3: (2/8)² for a unit of 4 that is moved by 1.
#[test]
fn mathet_2015_positional_dissimilarity() {
    let continuum = continuum(16, 2, &SHIFTED_BY_ONE);
    let alignment = gamma_alignment(&continuum, &GammaOptions::default()).unwrap();
    assert_eq!(alignment.disorder, 0.0625);
    assert!(alignment.unitary.iter().all(|together| together.len() == 2));
}

#[test]
fn mathet_2015_weights_of_place_and_category() {
    let options = GammaOptions { alpha: 2.0, delta_empty: 3.0, ..GammaOptions::default() };
    let continuum = continuum(16, 2, &SHIFTED_BY_ONE);
    let alignment = gamma_alignment(&continuum, &options).unwrap();
    assert_eq!(alignment.disorder, 2.0 * 3.0 * 0.0625);
}

/// What faces an empty unit costs as much for each rater who has none.
#[test]
fn unit_that_one_of_three_marked_costs_one_empty_unit() {
    let continuum = continuum(16, 3, &[(1, 2, 6, "a")]);
    let alignment = gamma_alignment(&continuum, &GammaOptions::default()).unwrap();
    assert_eq!(alignment.disorder, 1.0 / (1.0 / 3.0));
}

#[test]
fn perfect_agreement_is_one_beyond_chance() {
    let units: Vec<Marked> =
        (0..2).flat_map(|rater| [(rater, 1, 5, "a"), (rater, 10, 15, "b")]).collect();
    let continuum = continuum(40, 2, &units);
    let study = study(&continuum);
    assert_eq!(study.gamma().map(|gamma| gamma.value), Ok(1.0));
    assert_eq!(study.gamma_cat(Unaligned::Ignored).map(|gamma| gamma.value), Ok(1.0));
    assert_eq!(study.gamma_k(&"b", Unaligned::DeltaEmpty).map(|gamma| gamma.value), Ok(1.0));
}

/// Fixture 04 of `DKPro`, where pygamma-agreement finds gamma .66 from 30 samples of its own.
#[test]
fn three_raters_of_which_one_differs() {
    let units = [
        (0, 1, 5, "a"),
        (0, 10, 14, "b"),
        (1, 2, 6, "a"),
        (1, 11, 15, "b"),
        (2, 1, 4, "a"),
        (2, 9, 14, "c"),
    ];
    let continuum = continuum(15, 3, &units);
    let gamma = study(&continuum).gamma().unwrap();
    assert!((gamma.observed - 0.408_756_403_796_086_35).abs() < 1e-12);
    assert!((0.55..0.75).contains(&gamma.value), "{gamma:?}");
}

/// Mathet (2017): the categories of aligned units, of all and of those that involve one.
#[test]
fn mathet_2017_gamma_cat_and_gamma_k() {
    let units = [
        (0, 0, 10, "a"),
        (0, 20, 30, "b"),
        (0, 40, 50, "c"),
        (1, 0, 10, "a"),
        (1, 20, 30, "c"),
        (1, 40, 50, "c"),
        (1, 80, 90, "a"),
    ];
    let continuum = continuum(100, 2, &units);
    let alignment = gamma_alignment(&continuum, &GammaOptions::default()).unwrap();
    let of = |category| alignment.category_disorder(&category, Unaligned::Ignored);
    assert_eq!(alignment.categorial_disorder(Unaligned::Ignored), Ok(1.0 / 3.0));
    assert_eq!(alignment.categorial_disorder(Unaligned::DeltaEmpty), Ok(0.5));
    assert_eq!((of("a"), of("b"), of("c")), (Ok(0.0), Ok(1.0), Ok(0.5)));
    assert_eq!(alignment.category_disorder(&"a", Unaligned::DeltaEmpty), Ok(0.5));
    assert_eq!(of("d"), Err(Undefined::CategoryNotUsed));
}

#[test]
fn distance_between_categories_may_be_graded() {
    let units = [(0, 0, 10, "a"), (1, 0, 10, "b")];
    let continuum = continuum(100, 2, &units);
    let half = |a: &&str, b: &&str| if a == b { 0.0 } else { 0.5 };
    let options = GammaOptions::default();
    let study = GammaStudy::with_distance(&continuum, &options, half).unwrap();
    assert_eq!(study.alignment().disorder, 0.5);
    let beyond = GammaStudy::with_distance(&continuum, &options, |_, _| 1.5);
    assert_eq!(beyond.map(|_| ()), Err(Undefined::OptionOutOfRange));
}

/// Section 5.3: the number of samples follows from their variance and the precision asked for.
#[test]
fn mathet_2015_precision_decides_on_the_number_of_samples() {
    let continuum = continuum(60, 2, &SHIFTED_BY_ONE);
    let gamma = |precision| {
        let options = GammaOptions { precision, ..GammaOptions::default() };
        GammaStudy::new(&continuum, &options).unwrap().gamma().unwrap()
    };
    let (coarse, fine) = (gamma(0.05), gamma(0.01));
    assert!(fine.samples > 10 * coarse.samples, "{coarse:?} {fine:?}");
    // The precision of all samples is not quite the one the first of them promised.
    assert!(coarse.precision < 0.06 && fine.precision < 0.012, "{coarse:?} {fine:?}");
    let (low, high) = coarse.range();
    assert!(low <= fine.value && fine.value <= high, "{coarse:?} {fine:?}");
}

#[test]
fn same_seed_gives_the_same_value() {
    let continuum = continuum(60, 2, &SHIFTED_BY_ONE);
    let with = |seed| -> Gamma {
        let options = GammaOptions { seed, precision: 0.2, ..GammaOptions::default() };
        GammaStudy::new(&continuum, &options).unwrap().gamma().unwrap()
    };
    assert_eq!(with(7), with(7));
    assert_ne!(with(7), with(8));
}

#[test]
fn without_two_raters_or_units_or_sense_there_is_no_gamma() {
    let gamma = |continuum: &Continuum<&'static str>, options| {
        GammaStudy::new(continuum, &options).and_then(|study| study.gamma()).unwrap_err()
    };
    let options = GammaOptions::default();
    let one = continuum(16, 1, &[(0, 2, 6, "a")]);
    assert_eq!(gamma(&one, options), Undefined::TooFewRaters);
    assert_eq!(gamma(&continuum(16, 2, &[]), options), Undefined::NoUnits);
    let two = continuum(16, 2, &SHIFTED_BY_ONE);
    for alpha in [-1.0, f64::NAN, f64::INFINITY] {
        let wrong = GammaOptions { alpha, ..options };
        assert_eq!(gamma(&two, wrong), Undefined::OptionOutOfRange);
    }
    let no_cost = GammaOptions { delta_empty: 0.0, ..options };
    assert_eq!(gamma(&two, no_cost), Undefined::OptionOutOfRange);
}

#[test]
fn categories_alone_are_undefined_where_nothing_is_aligned() {
    let apart = continuum(1_000, 2, &[(0, 0, 10, "a"), (1, 900, 910, "a")]);
    let study = study(&apart);
    assert_eq!(study.gamma_cat(Unaligned::Ignored), Err(Undefined::NoSharedPositions));
}
