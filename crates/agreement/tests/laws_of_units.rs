//! Laws of the measures over units, segments and their alignment.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "the numbers are small, a test may fail, and only exact equality is invariance"
)]

use std::collections::BTreeSet;

use agreement::{
    Continuum, GammaOptions, GammaStudy, Segmentation, Unaligned, Undefined, Unit,
    UnitizedDocuments, alpha_u, alpha_u_category, alpha_u_steps, boundary_similarity, cu_alpha,
    gamma_alignment, ku_alpha, pk, segmentation_similarity, u_alpha, u_alpha_binary, window_diff,
};
use num_rational::BigRational;
use num_traits::Zero;
use proptest::prelude::*;

mod unit_oracle;

use unit_oracle::{
    LENGTH, alpha_u_by_definition, close, coincidences_by_definition, least_cost, off_diagonal,
    whole, windows_by_definition,
};

type Differ = fn(usize, usize) -> bool;

/// Units of up to three categories, apart within a rater; some raters may have none.
fn apart(raters: std::ops::Range<usize>) -> impl Strategy<Value = (usize, Vec<Unit<u8>>)> {
    let rater = prop::collection::vec((0..4_u64, 1..9_u64, 0..3_u8), 0..6);
    prop::collection::vec(rater, raters).prop_map(|raters| {
        let mut units = Vec::new();
        for (rater, steps) in raters.iter().enumerate() {
            let mut end = 0;
            for &(gap, length, category) in steps {
                let start = end + gap;
                end = start + length;
                if end <= LENGTH {
                    units.push(Unit { rater, start, length, category });
                }
            }
        }
        (raters.len(), units)
    })
}

/// Units that may overlap, for gamma.
fn anywhere(raters: usize, most: usize) -> impl Strategy<Value = Vec<Unit<u8>>> {
    let unit = (0..raters, 0..30_u64, 1..10_u64, 0..3_u8)
        .prop_map(|(rater, start, length, category)| Unit { rater, start, length, category });
    prop::collection::vec(unit, 1..=most)
}

fn continuum((raters, units): &(usize, Vec<Unit<u8>>)) -> Continuum<u8> {
    Continuum::new(0, LENGTH, *raters, units.iter().cloned()).unwrap()
}

fn disorder(units: &[Unit<u8>], raters: usize) -> f64 {
    let continuum = Continuum::with_overlaps(0, LENGTH, raters, units.iter().cloned()).unwrap();
    gamma_alignment(&continuum, &GammaOptions::default()).unwrap().disorder
}

fn masses() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(any::<bool>(), 19)
}

fn segmentation(boundaries: &[bool]) -> Segmentation {
    let mut masses = vec![1];
    for &boundary in boundaries {
        if boundary {
            masses.push(1);
        } else if let Some(last) = masses.last_mut() {
            *last += 1;
        }
    }
    Segmentation::from_masses(masses).unwrap()
}

/// A document, as its raters and their units, and how many times it is drawn.
type Drawn = ((usize, Vec<Unit<u8>>), u32);

/// Documents of so many raters.
fn drawn_documents(raters: usize) -> impl Strategy<Value = Vec<Drawn>> {
    prop::collection::vec((apart(raters..raters + 1), 0..4_u32), 1..6)
}

proptest! {
    #[test]
    fn documents_drawn_anew_are_the_continuum_of_them_end_to_end(
        (raters, drawn) in (2..5_usize).prop_flat_map(|raters| (Just(raters), drawn_documents(raters)))
    ) {
        let documents: Vec<_> = drawn.iter().map(|(document, _)| continuum(document)).collect();
        let times: Vec<_> = drawn.iter().map(|(_, times)| *times).collect();
        let (mut units, mut length) = (Vec::new(), 0);
        for ((_, of_document), times) in &drawn {
            for _ in 0..*times {
                let moved = of_document.iter().cloned();
                units.extend(moved.map(|unit| Unit { start: unit.start + length, ..unit }));
                length += LENGTH;
            }
        }
        let joined = Continuum::new(0, length, raters, units).unwrap();
        prop_assert_eq!(UnitizedDocuments::new(&documents).unwrap().alpha_u(&times), alpha_u(&joined));
    }

    #[test]
    fn documents_of_different_raters_are_not_joined(two in apart(2..3), three in apart(3..4)) {
        let documents = [continuum(&two), continuum(&three)];
        prop_assert_eq!(UnitizedDocuments::new(&documents).err(), Some(Undefined::UnequalRatings));
    }

    #[test]
    fn alpha_u_is_what_the_definition_says(data in apart(2..5)) {
        let continuum = continuum(&data);
        let mut sums = (BigRational::zero(), BigRational::zero());
        for category in 0..3 {
            let (observed, expected) = alpha_u_by_definition(&continuum, category);
            let steps = alpha_u_steps(&continuum, &category).unwrap();
            prop_assert!(close(steps.observed, &observed));
            prop_assert!(close(steps.expected, &expected));
            if expected.is_zero() {
                prop_assert!(alpha_u_category(&continuum, &category).is_err());
            } else {
                let alpha = alpha_u_category(&continuum, &category).unwrap().value;
                prop_assert!(close(alpha, &(whole(1) - &observed / &expected)));
            }
            sums.0 += observed;
            sums.1 += expected;
        }
        match alpha_u(&continuum) {
            Ok(alpha) => prop_assert!(close(alpha.value, &(whole(1) - sums.0 / sums.1))),
            Err(_) => prop_assert!(sums.1.is_zero()),
        }
    }

    #[test]
    fn u_alpha_is_what_the_definition_says(data in apart(2..5)) {
        let continuum = continuum(&data);
        let [observed, expected] = coincidences_by_definition(&continuum);
        let cases: [(_, Differ); 2] = [
            (u_alpha(&continuum), |a, b| a != b),
            (u_alpha_binary(&continuum), |a, b| (a == 3) != (b == 3)),
        ];
        for (actual, differ) in cases {
            let expected = off_diagonal(&expected, differ);
            match actual {
                Ok(alpha) => {
                    let ratio = off_diagonal(&observed, differ) / expected;
                    prop_assert!(close(alpha, &(whole(1) - ratio)));
                }
                Err(_) => prop_assert!(expected.is_zero()),
            }
        }
    }

    #[test]
    fn order_of_raters_and_units_and_place_of_the_continuum_do_not_matter(
        data in apart(2..5), shift in 0..1_000_u64,
    ) {
        let (raters, units) = &data;
        let moved = units.iter().rev().map(|unit| Unit {
            rater: raters - 1 - unit.rater,
            start: unit.start + shift,
            ..unit.clone()
        });
        let there = Continuum::new(shift, LENGTH, *raters, moved).unwrap();
        let here = continuum(&data);
        prop_assert_eq!(alpha_u(&here), alpha_u(&there));
        for measure in [u_alpha, u_alpha_binary, cu_alpha] {
            prop_assert_eq!(measure(&here), measure(&there));
        }
        for category in 0..3 {
            prop_assert_eq!(ku_alpha(&here, &category), ku_alpha(&there, &category));
        }
    }

    #[test]
    fn names_of_categories_do_not_matter(data in apart(2..5)) {
        let (raters, units) = &data;
        let renamed = units.iter().map(|unit| Unit {
            rater: unit.rater,
            start: unit.start,
            length: unit.length,
            category: ["z", "m", "a"][usize::from(unit.category)],
        });
        let renamed = Continuum::new(0, LENGTH, *raters, renamed).unwrap();
        let named = continuum(&data);
        prop_assert_eq!(alpha_u(&named), alpha_u(&renamed));
        prop_assert_eq!(u_alpha(&named), u_alpha(&renamed));
        prop_assert_eq!(cu_alpha(&named), cu_alpha(&renamed));
        let options = GammaOptions::default();
        match (gamma_alignment(&named, &options), gamma_alignment(&renamed, &options)) {
            (Ok(named), Ok(renamed)) => {
                prop_assert!((named.disorder - renamed.disorder).abs() < 1e-12);
            }
            (named, renamed) => prop_assert_eq!(named.is_err(), renamed.is_err()),
        }
    }

    #[test]
    fn raters_who_mark_the_same_agree_perfectly(data in apart(1..2), raters in 2..5_usize) {
        let units = &data.1;
        let copies = (0..raters).flat_map(|rater| {
            units.iter().map(move |unit| Unit { rater, ..unit.clone() })
        });
        let continuum = Continuum::new(0, LENGTH, raters, copies).unwrap();
        for value in [
            alpha_u(&continuum).map(|alpha| alpha.value),
            u_alpha(&continuum),
            u_alpha_binary(&continuum),
            cu_alpha(&continuum),
        ] {
            prop_assert!(value.is_err() || value == Ok(1.0), "{:?}", value);
        }
        if let Ok(alignment) = gamma_alignment(&continuum, &GammaOptions::default()) {
            prop_assert_eq!(alignment.disorder, 0.0);
            prop_assert_eq!(alignment.categorial_disorder(Unaligned::Ignored), Ok(0.0));
        }
    }

    #[test]
    fn best_alignment_of_two_is_the_best_of_all(units in anywhere(2, 9)) {
        let mean = units.len() as f64 / 2.0;
        prop_assert!((disorder(&units, 2) - least_cost(&units, 2) / mean).abs() < 1e-9);
    }

    #[test]
    fn best_alignment_of_three_is_the_best_of_all(units in anywhere(3, 9)) {
        let mean = units.len() as f64 / 3.0;
        prop_assert!((disorder(&units, 3) - least_cost(&units, 3) / mean).abs() < 1e-9);
    }

    #[test]
    fn best_alignment_of_five_is_the_best_of_all(units in anywhere(5, 9)) {
        let mean = units.len() as f64 / 5.0;
        prop_assert!((disorder(&units, 5) - least_cost(&units, 5) / mean).abs() < 1e-9);
    }

    #[test]
    fn best_alignment_holds_each_unit_once(units in anywhere(4, 30)) {
        let continuum = Continuum::with_overlaps(0, LENGTH, 4, units.iter().cloned()).unwrap();
        let alignment = gamma_alignment(&continuum, &GammaOptions::default()).unwrap();
        let mut aligned: Vec<Unit<u8>> =
            alignment.unitary.iter().flatten().map(|unit| (*unit).clone()).collect();
        let mut given = units;
        aligned.sort();
        given.sort();
        prop_assert_eq!(aligned, given);
        for together in &alignment.unitary {
            let raters: BTreeSet<usize> = together.iter().map(|unit| unit.rater).collect();
            prop_assert_eq!(raters.len(), together.len());
        }
    }

    #[test]
    fn gamma_does_not_depend_on_scale_place_or_order_of_raters(
        units in anywhere(3, 12), scale in 1..5_u64, shift in 0..100_u64,
    ) {
        let moved: Vec<Unit<u8>> = units
            .iter()
            .rev()
            .map(|unit| Unit {
                rater: 2 - unit.rater,
                start: unit.start * scale + shift,
                length: unit.length * scale,
                category: unit.category,
            })
            .collect();
        let here = disorder(&units, 3);
        let there = Continuum::with_overlaps(shift, LENGTH * scale, 3, moved.clone()).unwrap();
        let options = GammaOptions { precision: 0.5, ..GammaOptions::default() };
        let there_disorder = gamma_alignment(&there, &options).unwrap().disorder;
        prop_assert!((here - there_disorder).abs() < 1e-9);

        let reordered = moved.into_iter().rev().map(|unit| Unit { rater: (unit.rater + 1) % 3, ..unit });
        let reordered = Continuum::with_overlaps(shift, LENGTH * scale, 3, reordered).unwrap();
        let gamma = |continuum| GammaStudy::new(continuum, &options).unwrap().gamma();
        match (gamma(&there), gamma(&reordered)) {
            (Ok(a), Ok(b)) => prop_assert!((a.value - b.value).abs() < 1e-9),
            (a, b) => prop_assert_eq!(a.is_err(), b.is_err()),
        }
    }

    #[test]
    fn windows_are_counted_as_if_one_by_one(first in masses(), second in masses()) {
        let expected = windows_by_definition(&first, &second);
        let (first, second) = (segmentation(&first), segmentation(&second));
        prop_assert_eq!(pk(&first, &second).ok(), expected.map(|penalty| penalty.0));
        prop_assert_eq!(window_diff(&first, &second).ok(), expected.map(|penalty| penalty.1));
    }

    #[test]
    fn boundary_measures_are_symmetric_and_in_range(
        first in masses(), second in masses(), near in 1..5_u64,
    ) {
        let (first, second) = (segmentation(&first), segmentation(&second));
        for measure in [boundary_similarity, segmentation_similarity] {
            let value = measure(&first, &second, near);
            prop_assert_eq!(value, measure(&second, &first, near));
            prop_assert!(value.is_err() || value.is_ok_and(|value| (0.0..=1.0).contains(&value)));
        }
    }
}
