//! What studies and tallies take in, and what they refuse.

use agreement::{
    Contingency, Counts, Item, LongForm, MISSING, NominalTally, Ratings, StudyError, TallyError,
    Undefined, alpha_nominal, fleiss_kappa, gwet_ac1, hubert_kappa, light_kappa, percent_by_item,
    randolph_kappa,
};

#[test]
fn rows_of_different_lengths_are_refused() {
    let ragged = Ratings::from_rows([vec![Some(1), None], vec![Some(1)]]);
    assert_eq!(ragged, Err(StudyError::Ragged { item: 1, found: 1, expected: 2 }));
    let ragged = Counts::from_table(["a", "b"], [vec![1, 2], vec![1, 2, 3]]);
    assert_eq!(ragged, Err(StudyError::Ragged { item: 1, found: 3, expected: 2 }));
}

#[test]
fn second_rating_of_the_same_item_by_the_same_rater_is_refused() {
    let twice = LongForm::from_ratings([(1, "Ann", 'a'), (1, "Bob", 'a'), (1, "Ann", 'a')]);
    assert_eq!(twice, Err(StudyError::RatedTwice { rating: 2 }));
}

#[test]
fn codes_need_sorted_categories_that_exist() {
    let study = Ratings::from_codes(vec!["a", "b"], 2, vec![0, 1, MISSING, 1]).unwrap();
    assert_eq!(study.rater(1).collect::<Vec<_>>(), [None, Some(&"b")]);
    let unknown = Ratings::from_codes(vec!["a"], 1, vec![0, 1]);
    assert_eq!(unknown, Err(StudyError::NoSuchCategory { code: 1 }));
    let unsorted = Ratings::from_codes(vec!["b", "a"], 1, vec![0]);
    assert_eq!(unsorted, Err(StudyError::UnsortedCategories));
    let ragged = Ratings::from_codes(vec!["a"], 2, vec![0, 0, 0]);
    assert_eq!(ragged, Err(StudyError::Ragged { item: 1, found: 1, expected: 2 }));
}

#[test]
fn more_ratings_than_can_be_counted_are_refused() {
    let much = u64::MAX / 2;
    assert_eq!(Ratings::from_patterns([([Some(1)], much)]), Err(StudyError::Full));
    assert_eq!(Ratings::from_patterns([([Some(1)], much); 3]), Err(StudyError::Full));
    assert_eq!(Item::from_counts([(1, much), (2, 1)]), Err(StudyError::Full));
    let item = Item::from_counts([(1, 3)]).unwrap();
    assert_eq!(Counts::from_items([(item.clone(), much)], []), Err(StudyError::Full));

    let mut tally = NominalTally::new();
    assert_eq!(tally.add_times(&item, much), Err(TallyError::Full));
    tally.add_times(&item, NominalTally::<u8>::CAPACITY / 3).unwrap();
    let full = tally.clone();
    assert_eq!(tally.add(&item), Err(TallyError::Full));
    assert_eq!(tally.merge(&full), Err(TallyError::Full));
    assert_eq!(tally.replace(&item, &Item::from_counts([(1, 9)]).unwrap()), Err(TallyError::Full));
    assert_eq!(tally, full);
}

#[test]
fn selection_keeps_what_was_chosen_in_its_order() {
    let study = Ratings::from_rows([[Some('a'), None], [Some('b'), Some('c')]]).unwrap();
    let swapped = study.with_raters(&[1, 0, 7]);
    assert_eq!(swapped.item(1).collect::<Vec<_>>(), [Some(&'c'), Some(&'b')]);
    let sample = study.with_items(&[1, 1, 0, 9]).unwrap();
    assert_eq!(sample.rater(0).flatten().collect::<String>(), "bba");
    assert_eq!(sample.categories(), study.categories());
    assert_eq!(study.rating(5, 0), None);
    assert_eq!(study.rating(0, 5), None);
    assert!(study.contingency(0, 5).is_empty());
}

#[test]
fn nothing_rated_twice_is_undefined_for_every_measure() {
    let lonely = Ratings::from_rows([[Some(1), None], [None, Some(2)]]).unwrap();
    let tally = lonely.nominal_tally();
    assert_eq!(percent_by_item(&tally), Err(Undefined::NoSharedPositions));
    assert_eq!(fleiss_kappa(&tally), Err(Undefined::NoSharedPositions));
    assert_eq!(gwet_ac1(&tally, 2), Err(Undefined::NoSharedPositions));
    assert_eq!(alpha_nominal(&tally), Err(Undefined::NoSharedPositions));
    assert_eq!(hubert_kappa(&lonely), Err(Undefined::NoSharedPositions));
    assert_eq!(light_kappa(&lonely), Err(Undefined::NoSharedPositions));

    let alone = Ratings::from_rows([[Some(1)], [Some(2)]]).unwrap();
    assert_eq!(hubert_kappa(&alone), Err(Undefined::TooFewRaters));
    assert_eq!(light_kappa(&alone), Err(Undefined::TooFewRaters));
}

/// A second category that is only declared makes chance-even measures defined, and no others.
#[test]
fn one_category_of_two_declared() {
    let study = Ratings::from_rows([[Some("A"), Some("A")]]).unwrap().declaring(["B"]);
    let tally = study.nominal_tally();
    let q = study.categories().len();
    assert_eq!(gwet_ac1(&tally, q).map(|ac1| ac1.value), Ok(1.0));
    assert_eq!(randolph_kappa(&tally, q).map(|kappa| kappa.value), Ok(1.0));
    assert_eq!(alpha_nominal(&tally), Err(Undefined::OneCategory));
    assert_eq!(fleiss_kappa(&tally), Err(Undefined::OneCategory));
    assert_eq!(gwet_ac1(&tally, 1), Err(Undefined::OneCategory));
    assert_eq!(gwet_ac1(&tally, 0), Err(Undefined::UndeclaredCategory));
}

/// Two full tables of two raters: the largest integers there can be.
#[test]
fn measures_are_exact_up_to_the_capacity_of_a_table() {
    let quarter = Contingency::<bool>::CAPACITY / 4;
    let mut coin_flips = Contingency::new();
    for (row, column) in [(false, false), (false, true), (true, false), (true, true)] {
        coin_flips.add_count(row, column, quarter);
    }
    let tally = NominalTally::from(&coin_flips);
    assert_eq!(fleiss_kappa(&tally).map(|kappa| kappa.value), Ok(0.0));
    assert_eq!(percent_by_item(&tally).map(|share| share.value), Ok(0.5));
    assert_eq!(agreement::scott_pi(&coin_flips).map(|pi| pi.value), Ok(0.0));
}
