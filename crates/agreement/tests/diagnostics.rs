//! Diagnostics: published parts of agreement, and laws of them.

use agreement::diagnostics::{Judgements, Prevalence, Share, confusions};
use agreement::inference::Binary;
use agreement::{
    CoincidenceTally, Contingency, Ratings, Undefined, cohen_kappa, krippendorff_alpha_nominal,
};
use proptest::prelude::*;

/// Krippendorff (2004), page 230: twelve units, each with the judgements of four observers.
fn units() -> [[Option<u8>; 4]; 12] {
    [
        [1, 1, 0, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [0, 5, 5, 5],
        [0, 0, 1, 1],
        [0, 3, 0, 0],
    ]
    .map(|unit| unit.map(|judgement| (judgement > 0).then_some(judgement)))
}

fn judgements<const N: usize>(items: &[[Option<u8>; N]]) -> Judgements<'_, u8> {
    Judgements::new(items.iter().map(|item| item.iter().map(Option::as_ref)))
}

#[test]
fn krippendorff_2004_p231_coincidence_matrix() {
    let tally = Ratings::from_rows(units()).unwrap().coincidences();
    let cell = |c: u8, k: u8| format!("{:.2}", tally.coincidences(&c, &k));
    for (c, row) in (1..).zip([
        ["7.00", "1.33", "0.33", "0.33", "0.00"],
        ["1.33", "10.00", "1.33", "0.33", "0.00"],
        ["0.33", "1.33", "8.00", "0.33", "0.00"],
        ["0.33", "0.33", "0.33", "4.00", "0.00"],
        ["0.00", "0.00", "0.00", "0.00", "3.00"],
    ]) {
        assert_eq!([1, 2, 3, 4, 5].map(|k| cell(c, k)), row);
    }
}

#[test]
fn parts_of_krippendorff_2004_p230() {
    let units = units();
    let judgements = judgements(&units);
    let shown = |judgements: u64, share: Share| {
        (judgements, share.agreement().map(|agreement| format!("{agreement:.3}")))
    };
    let part = |judgements: u64, agreement: &str| (judgements, Ok(agreement.to_owned()));
    let categories = judgements.by_category();
    assert_eq!(
        categories.iter().map(|found| shown(found.judgements, found.share)).collect::<Vec<_>>(),
        [
            part(9, "0.700"),
            part(13, "0.769"),
            part(11, "0.800"),
            part(5, "0.800"),
            part(3, "1.000")
        ]
    );
    let items = judgements.by_item();
    assert_eq!(shown(items[1].judgements, items[1].share), part(4, "0.500"));
    let nobody_else = Err(Undefined::NoSharedPositions);
    assert_eq!(shown(items[11].judgements, items[11].share), (1, nobody_else));
    let pairs = judgements.by_pair();
    assert_eq!(pairs.len(), 6);
    assert_eq!((pairs[0].share.agreeing, pairs[0].share.pairs), (8, 9));
    let raters = judgements.by_rater();
    assert_eq!(
        raters.iter().map(|found| shown(found.judgements, found.share)).collect::<Vec<_>>(),
        [part(9, "0.808"), part(11, "0.821"), part(10, "0.667"), part(11, "0.828")]
    );
    let pairs: Vec<_> = raters.iter().map(|found| found.share.pairs).collect();
    assert_eq!(pairs, [26, 28, 27, 29]);
}

#[test]
fn feinstein_cicchetti_1990_prevalence_explains_a_low_kappa() {
    let table = Binary { both: 80, only_row: 10, only_column: 5, neither: 5 };
    let sentence = Prevalence::of(&table).unwrap().explanation();
    assert_eq!(
        sentence,
        "Kappa is 0.32, PABAK 0.70 and AC1 0.81 at 85 % agreement: yes is so common (prevalence \
         index 0.75) that agreement by chance is likely, for which kappa allows and the others do \
         not."
    );
    let mirrored = Binary { both: 5, neither: 80, ..table };
    assert!(Prevalence::of(&mirrored).unwrap().explanation().contains(": no is so common"));
    let biased = Binary { both: 30, only_row: 40, only_column: 0, neither: 30 };
    let sentence = Prevalence::of(&biased).unwrap().explanation();
    assert!(sentence.contains("the first rater says yes more often (bias index 0.40)"));
    let even = Binary { both: 40, only_row: 9, only_column: 6, neither: 45 };
    assert!(Prevalence::of(&even).unwrap().explanation().contains("hardly differ"));
    let constant = Binary { both: 5, ..Binary::default() };
    assert!(Prevalence::of(&constant).unwrap().explanation().contains("undefined"));
    assert_eq!(Prevalence::of(&Binary::default()), Err(Undefined::NoSharedPositions));
    let beyond = Binary { both: u64::MAX, ..Binary::default() };
    assert_eq!(Prevalence::of(&beyond), Err(Undefined::TooManyPositions));
}

#[test]
fn byrt_1993_kappa_from_its_indices() {
    for counts in [[80, 10, 5, 5], [40, 9, 6, 45], [45, 15, 25, 15], [1, 98, 1, 0]] {
        let [both, only_row, only_column, neither] = counts;
        let found = Prevalence::of(&Binary { both, only_row, only_column, neither }).unwrap();
        let squares = found.bias_index.powi(2) - found.prevalence_index.powi(2);
        let kappa = (found.pabak + squares) / (1.0 + squares);
        assert!((found.kappa.unwrap() - kappa).abs() < 1e-12, "{counts:?}");
    }
}

#[test]
fn confusions_come_by_frequency() {
    let mut table = Contingency::new();
    for (row, column, count) in
        [("PER", "PER", 50), ("PER", "ORG", 3), ("ORG", "PER", 4), ("LOC", "ORG", 9)]
    {
        table.add_count(row, column, count);
    }
    let found: Vec<_> = confusions(&table)
        .into_iter()
        .map(|one| (one.first, one.second, one.first_by_row, one.second_by_row, one.share))
        .collect();
    assert_eq!(found, [("LOC", "ORG", 9, 0, 9.0 / 16.0), ("ORG", "PER", 4, 3, 7.0 / 16.0)]);
    assert!(confusions(&Contingency::<u8>::new()).is_empty());
}

#[test]
fn where_nothing_is_judged_nothing_is_said() {
    let none = judgements::<3>(&[]);
    assert_eq!((none.items(), none.raters()), (0, 0));
    assert!(none.by_pair().is_empty() && none.by_category().is_empty());
    let unjudged = [[None::<u8>; 2]; 2];
    assert_eq!(
        judgements(&unjudged).by_rater()[0].share.agreement(),
        Err(Undefined::NoSharedPositions)
    );
}

proptest! {
    #[test]
    fn coincidences_give_the_alpha_of_two(
        pairs in prop::collection::vec((0..3_u8, 0..3_u8), 1..30),
    ) {
        let table: Contingency<_> = pairs.into_iter().collect();
        let tally = CoincidenceTally::from(&table);
        let categories = table.categories();
        let total = |c: &u8| categories.iter().map(|k| tally.coincidences(c, k)).sum::<f64>();
        let n: f64 = categories.iter().map(|c| total(c)).sum();
        let diagonal: f64 = categories.iter().map(|c| tally.coincidences(c, c)).sum();
        let expected: f64 = categories.iter().map(|c| total(c) * (total(c) - 1.0)).sum();
        if let Ok(alpha) = krippendorff_alpha_nominal(&table) {
            let by_matrix = ((n - 1.0) * diagonal - expected) / (n * (n - 1.0) - expected);
            prop_assert!((alpha.value - by_matrix).abs() < 1e-12);
        }
        for (&c, &k) in categories.iter().zip(categories.iter().skip(1)) {
            prop_assert_eq!(tally.coincidences(c, k).to_bits(), tally.coincidences(k, c).to_bits());
        }
    }

    #[test]
    fn parts_add_up_to_the_whole(
        items in prop::collection::vec(prop::array::uniform4(prop::option::of(0..3_u8)), 0..20),
    ) {
        let judgements = judgements(&items);
        let total = |shares: Vec<(u64, u64)>| {
            shares.iter().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1))
        };
        let by_item = total(judgements.by_item().iter().map(|part| (part.share.agreeing, part.share.pairs)).collect());
        let by_category = total(judgements.by_category().iter().map(|part| (part.share.agreeing, part.share.pairs)).collect());
        let by_rater = total(judgements.by_rater().iter().map(|part| (part.share.agreeing, part.share.pairs)).collect());
        let by_pair = total(judgements.by_pair().iter().map(|part| (part.share.agreeing, part.share.pairs)).collect());
        prop_assert_eq!(by_item, by_category);
        prop_assert_eq!(by_item, by_rater);
        prop_assert_eq!(by_item, (2 * by_pair.0, 2 * by_pair.1));
    }

    #[test]
    fn prevalence_knows_the_same_kappa(
        [both, only_row, only_column, neither] in prop::array::uniform4(0..1_000_u64),
    ) {
        let table = Binary { both, only_row, only_column, neither };
        let mut counts = Contingency::new();
        counts.add_count(true, true, both);
        counts.add_count(true, false, only_row);
        counts.add_count(false, true, only_column);
        counts.add_count(false, false, neither);
        match (Prevalence::of(&table), cohen_kappa(&counts)) {
            (Ok(found), Ok(kappa)) => {
                prop_assert!((found.kappa.unwrap() - kappa.value).abs() < 1e-12);
            }
            (Ok(found), Err(reason)) => prop_assert_eq!(found.kappa, Err(reason)),
            (found, kappa) => prop_assert_eq!(found.err(), kappa.err()),
        }
    }
}
