//! Segmentations: Fournier (2013), Fournier & Inkpen (2012), Pevzner & Hearst (2002), Beeferman
//! et al. (1999), on the data that segeval is tested with.
#![expect(clippy::unwrap_used, reason = "the data is valid, and a test may fail")]

use agreement::{
    Segmentation, Undefined, boundary_edits, boundary_similarity, pk, segmentation_similarity,
    window_diff,
};

fn masses(masses: &[u64]) -> Segmentation {
    Segmentation::from_masses(masses.iter().copied()).unwrap()
}

/// Kazantseva & Szpakowicz (2012), chapter 1, annotators 4 and 2.
#[test]
fn kazantseva_2012_one_boundary_missed_and_one_added() {
    let (first, second) = (masses(&[2, 8, 2, 1]), masses(&[2, 1, 7, 2, 1]));
    assert_eq!(pk(&first, &second), Ok(1.0 / 11.0));
    assert_eq!(window_diff(&first, &second), Ok(2.0 / 11.0));
    assert_eq!(boundary_similarity(&first, &second, 2), Ok(0.75));
    assert_eq!(segmentation_similarity(&first, &second, 2), Ok(11.0 / 12.0));
}

#[test]
fn near_miss_weighs_its_distance() {
    let (first, second) = (masses(&[5, 5]), masses(&[7, 3]));
    let edits = boundary_edits(&first, &second, 3).unwrap();
    assert_eq!((edits.additions, edits.transpositions.as_slice()), (0, &[2][..]));
    assert_eq!(boundary_similarity(&first, &second, 3), Ok(1.0 / 3.0));
    assert_eq!(boundary_similarity(&first, &second, 2), Ok(0.0));
}

/// Of three boundaries in a row that could pair up, the nearest do, and from the start.
#[test]
fn fournier_2013_two_transpositions_of_one_boundary_are_not_counted() {
    let (first, second) = (masses(&[4, 3, 3]), masses(&[6, 4]));
    let edits = boundary_edits(&first, &second, 2).unwrap();
    assert_eq!((edits.additions, edits.transpositions.as_slice()), (1, &[1][..]));
}

#[test]
fn perfect_agreement_has_no_penalty() {
    let same = masses(&[2, 3, 3, 1, 3, 6, 3]);
    assert_eq!(pk(&same, &same), Ok(0.0));
    assert_eq!(window_diff(&same, &same), Ok(0.0));
    assert_eq!(boundary_similarity(&same, &same, 2), Ok(1.0));
    assert_eq!(segmentation_similarity(&same, &same, 2), Ok(1.0));
}

#[test]
fn pk_misses_what_window_diff_sees() {
    // Two boundaries in one window are one change of segment for Pk.
    let (hypothesis, reference) = (masses(&[6, 1, 6]), masses(&[6, 7]));
    assert!(pk(&hypothesis, &reference).unwrap() < window_diff(&hypothesis, &reference).unwrap());
}

#[test]
fn window_is_rounded_half_to_even_and_at_least_two() {
    // Mean 5, window 2 (2.5 to even); the windows are 10 - 2.
    let (hypothesis, reference) = (masses(&[10]), masses(&[5, 5]));
    assert_eq!(pk(&hypothesis, &reference), Ok(2.0 / 8.0));
    let singles = masses(&[1, 1, 1]);
    assert_eq!(window_diff(&singles, &masses(&[1, 1, 1])), Ok(0.0));
    assert_eq!(pk(&masses(&[2]), &masses(&[1, 1])), Err(Undefined::NoSharedPositions));
}

#[test]
fn what_cannot_be_compared_is_undefined() {
    let (five, six) = (masses(&[2, 3]), masses(&[3, 3]));
    assert_eq!(pk(&five, &six), Err(Undefined::LengthsDiffer));
    assert_eq!(boundary_similarity(&five, &six, 2), Err(Undefined::LengthsDiffer));
    let whole = masses(&[5]);
    assert_eq!(boundary_similarity(&whole, &whole, 2), Err(Undefined::NoSharedPositions));
    assert_eq!(segmentation_similarity(&whole, &whole, 2), Ok(1.0));
    assert_eq!(boundary_similarity(&five, &five, 0), Err(Undefined::OptionOutOfRange));
    assert_eq!(Segmentation::from_masses([3, 0]).unwrap_err().segment, 1);
}

#[test]
fn cost_follows_the_boundaries_not_the_length() {
    let (first, second) = (masses(&[1 << 40, 1 << 41]), masses(&[1 << 41, 1 << 40]));
    let penalty = pk(&first, &second).unwrap();
    assert!((0.0..1.0).contains(&penalty) && penalty > 0.5, "{penalty}");
    assert_eq!(boundary_similarity(&first, &second, 2), Ok(0.0));
}
