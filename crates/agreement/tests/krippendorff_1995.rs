//! Krippendorff, K. (1995). On the reliability of unitizing continuous data. *Sociological
//! Methodology*, 25, 47–76; continued in *Content Analysis* (2004), section 11.6.
#![expect(clippy::unwrap_used, reason = "the data is valid, and a test may fail")]

use agreement::{
    Continuum, Undefined, Unit, alpha_u, alpha_u_category, alpha_u_steps,
    diagnostics::draw_continuum,
};

/// Page 57: two observers and four categories, each a study of its own, in 24 parts.
const PAGE_57: [(usize, u64, u64, char); 31] = [
    (0, 2, 8, 'A'),
    (0, 14, 6, 'A'),
    (1, 4, 4, 'A'),
    (1, 15, 2, 'A'),
    (0, 0, 18, 'B'),
    (1, 0, 2, 'B'),
    (1, 2, 1, 'B'),
    (1, 3, 1, 'B'),
    (1, 4, 1, 'B'),
    (1, 5, 1, 'B'),
    (1, 6, 3, 'B'),
    (1, 9, 1, 'B'),
    (0, 2, 6, 'C'),
    (0, 10, 2, 'C'),
    (0, 14, 4, 'C'),
    (0, 20, 2, 'C'),
    (1, 0, 2, 'C'),
    (1, 4, 4, 'C'),
    (1, 10, 4, 'C'),
    (1, 16, 2, 'C'),
    (1, 20, 2, 'C'),
    (0, 0, 2, 'D'),
    (0, 2, 8, 'D'),
    (0, 10, 4, 'D'),
    (0, 14, 6, 'D'),
    (0, 20, 4, 'D'),
    (1, 0, 4, 'D'),
    (1, 4, 4, 'D'),
    (1, 8, 7, 'D'),
    (1, 15, 2, 'D'),
    (1, 17, 7, 'D'),
];

fn page_57(scale: u64) -> Continuum<char> {
    let units = PAGE_57.map(|(rater, start, length, category)| Unit {
        rater,
        start: start * scale,
        length: length * scale,
        category,
    });
    Continuum::new(0, 24 * scale, 2, units).unwrap()
}

fn printed(value: f64, digits: usize) -> String {
    format!("{value:.digits$}")
}

#[test]
fn krippendorff_1995_p57_observed_disagreement() {
    let observed = |category| alpha_u_steps(&page_57(1), &category).unwrap().observed;
    assert_eq!(printed(observed('A'), 5), "0.03125");
    assert_eq!(printed(observed('B'), 5), "2.26736");
    // Printed .02777, cut off from 1/36.
    assert_eq!(printed(observed('C'), 5), "0.02778");
    assert_eq!(printed(observed('D'), 5), "0.38715");
}

/// The figures printed for B and C do not follow from the formula: .679 for C is what comes out
/// if the last term of the denominator is left out.
#[test]
fn krippendorff_1995_p57_with_a_fine_continuum() {
    let alpha = |category| alpha_u_category(&page_57(50_000), &category).unwrap().value;
    assert_eq!(printed(alpha('A'), 3), "0.553");
    assert_eq!(printed(alpha('B'), 3), "-0.928");
    assert_eq!(printed(alpha('C'), 3), "0.693");
    assert_eq!(printed(alpha('D'), 3), "0.066");
}

#[test]
fn krippendorff_1995_value_depends_on_the_unit_of_measurement() {
    let alpha = |scale| alpha_u_category(&page_57(scale), &'C').unwrap().value;
    assert_eq!(printed(alpha(1), 3), "0.603");
    assert_eq!(printed(alpha(100), 3), "0.692");
}

/// The cube of this continuum takes 190 bits; other programs wrap around at 64.
#[test]
fn nothing_overflows_on_a_continuum_of_2_to_the_63() {
    let fine = alpha_u(&page_57(50_000_000)).unwrap();
    let finest = alpha_u(&page_57(1 << 58)).unwrap();
    assert!((fine.value - finest.value).abs() < 1e-8, "{fine:?} {finest:?}");
    assert_eq!(printed(finest.observed, 5), printed(fine.observed, 5));
}

#[test]
fn krippendorff_2004_p254() {
    let units = [
        (0, 225, 70, 'c'),
        (0, 370, 30, 'c'),
        (1, 220, 80, 'c'),
        (1, 355, 20, 'c'),
        (1, 400, 20, 'c'),
        (0, 180, 60, 'k'),
        (0, 300, 50, 'k'),
        (1, 180, 60, 'k'),
        (1, 300, 50, 'k'),
    ];
    let unit = |(rater, start, length, category)| Unit { rater, start, length, category };
    let continuum = Continuum::new(150, 300, 2, units.map(unit)).unwrap();
    assert_eq!(printed(alpha_u_category(&continuum, &'c').unwrap().value, 4), "0.7286");
    assert_eq!(alpha_u_category(&continuum, &'k').map(|alpha| alpha.value), Ok(1.0));
    // Printed .8591, from rounded parts.
    assert_eq!(printed(alpha_u(&continuum).unwrap().value, 4), "0.8587");
}

#[test]
fn one_unit_of_one_rater_is_chance() {
    let unit = Unit { rater: 0, start: 0, length: 1, category: 'X' };
    let continuum = Continuum::new(0, 20, 3, [unit]).unwrap();
    assert_eq!(alpha_u(&continuum).map(|alpha| alpha.value), Ok(0.0));
}

#[test]
fn without_units_or_without_room_for_disagreement_there_is_no_value() {
    let nothing = Continuum::<char>::new(0, 20, 2, []).unwrap();
    assert_eq!(alpha_u(&nothing), Err(Undefined::NoUnits));

    let all = |rater| Unit { rater, start: 0, length: 20, category: 'X' };
    let one = Continuum::new(0, 20, 1, [all(0)]).unwrap();
    assert_eq!(alpha_u(&one), Err(Undefined::TooFewRaters));

    let single = |rater| Unit { rater, start: 0, length: 1, category: 'X' };
    let full = Continuum::new(0, 1, 2, [single(0), single(1)]).unwrap();
    assert_eq!(alpha_u(&full), Err(Undefined::NoExpectedDisagreement));
    assert_eq!(alpha_u_category(&full, &'Y'), Err(Undefined::CategoryNotUsed));
}

#[test]
fn units_of_a_rater_and_category_that_overlap_are_refused() {
    let unit = |start| Unit { rater: 0, start, length: 5, category: 'X' };
    let continuum = Continuum::with_overlaps(0, 20, 2, [unit(0), unit(3)]).unwrap();
    assert_eq!(alpha_u(&continuum), Err(Undefined::OverlappingUnits));
}

#[test]
fn drawing_gives_overlapping_units_rows_of_their_own() {
    let drawing = draw_continuum(&page_57(1), 24);
    let rows: Vec<&str> = drawing.lines().collect();
    assert_eq!(rows[0], "rater 0 DD[CCCC]··CC··[CC]··CC··");
    assert_eq!(rows[1], "        [BBBBBBBBBBBBBBBB]··[DD]");
    assert_eq!(rows.iter().filter(|row| row.starts_with("rater")).count(), 2);
    assert!(rows.iter().all(|row| row.chars().count() <= 32), "{drawing}");
    assert_eq!(rows.last(), Some(&"A = A, B = B, C = C, D = D"));
}
