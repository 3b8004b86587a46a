//! Diagnostics: published parts of agreement, and what is printed of them.

use agreement::diagnostics::{
    Judgements, Layout, Prevalence, confusions, contingency_matrix, distance_matrix, listing,
};
use agreement::inference::Binary;
use agreement::{Contingency, Undefined, cohen_kappa, krippendorff_alpha_nominal};
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
    let units = units();
    let matrix = judgements(&units).coincidence_matrix();
    assert_eq!(
        matrix.numbers(&Layout { decimals: 2, ..Layout::default() }),
        "      1      2     3     4     5\n\
         1  7.00   1.33  0.33  0.33  0.00\n\
         2  1.33  10.00  1.33  0.33  0.00\n\
         3  0.33   1.33  8.00  0.33  0.00\n\
         4  0.33   0.33  0.33  4.00  0.00\n\
         5  0.00   0.00  0.00  0.00  3.00\n"
    );
    let totals: Vec<_> = matrix.row_totals().iter().map(|total| total.round()).collect();
    assert_eq!(totals, [9.0, 13.0, 10.0, 5.0, 3.0]);
}

#[test]
fn krippendorff_2004_p230_reliability_matrix() {
    let units = units();
    let judgements = judgements(&units);
    let matrix = judgements.reliability_matrix();
    let text = matrix.text(&Layout::default(), |judgement| {
        judgement.map_or(".".to_owned(), ToString::to_string)
    });
    assert_eq!(
        text,
        "   1  2  3  4  5  6  7  8  9  10  11  12\n\
         1  1  2  3  3  2  1  4  1  2   .   .   .\n\
         2  1  2  3  3  2  2  4  1  2   5   .   3\n\
         3  .  3  3  3  2  3  4  2  2   5   1   .\n\
         4  1  2  3  3  2  4  4  1  2   5   1   .\n"
    );
}

#[test]
fn parts_of_krippendorff_2004_p230() {
    let units = units();
    let judgements = judgements(&units);
    assert_eq!(
        listing(&judgements.by_category(), &Layout::default()),
        "category  judgements  agreement\n\
         1                  9      0.700\n\
         2                 13      0.769\n\
         3                 11      0.800\n\
         4                  5      0.800\n\
         5                  3      1.000\n"
    );
    let items = listing(&judgements.by_item(), &Layout::default());
    assert_eq!(items.lines().nth(2), Some("2              4      0.500"));
    assert_eq!(items.lines().last(), Some("12             1          –"));
    let pairs = judgements.by_pair();
    assert_eq!(pairs.len(), 6);
    assert_eq!((pairs[0].share.agreeing, pairs[0].share.pairs), (8, 9));
    assert_eq!(
        listing(&judgements.by_rater(), &Layout::default()),
        "rater  judgements  pairs  agreement\n\
         1               9     26      0.808\n\
         2              11     28      0.821\n\
         3              10     27      0.667\n\
         4              11     29      0.828\n"
    );
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
    assert_eq!(
        listing(&confusions(&table), &Layout::default()),
        "categories  →  ←  together  share\n\
         LOC – ORG   9  0         9  0.562\n\
         ORG – PER   4  3         7  0.438\n"
    );
    assert!(confusions(&Contingency::<u8>::new()).is_empty());
}

#[test]
fn long_and_wide_names_stay_in_their_columns() {
    let table = Contingency::from_iter([("a-very-long-category-name", "人名"), ("人名", "人名")]);
    let categories: Vec<_> = table.categories().into_iter().copied().collect();
    let layout = Layout { widest_name: 8, ..Layout::default() };
    assert_eq!(
        contingency_matrix(&table, &categories).text_with_totals(&layout),
        "          a-very-…  人名  Σ\n\
         a-very-…         0     1  1\n\
         人名             0     1  1\n\
         Σ                0     2  2\n"
    );
    let distances = distance_matrix(&[1.0, 2.5_f64], |a, b| (a - b).abs());
    assert_eq!(
        distances.numbers(&Layout { decimals: 1, widest_name: 4 }),
        "       1  2.5\n1    0.0  1.5\n2.5  1.5  0.0\n"
    );
}

#[test]
fn nothing_judged_prints_headings_only() {
    let none = judgements::<3>(&[]);
    assert_eq!((none.items(), none.raters()), (0, 0));
    assert_eq!(
        listing(&none.by_category(), &Layout::default()),
        "category  judgements  agreement\n"
    );
    assert!(none.by_pair().is_empty() && none.coincidence_matrix().cells.is_empty());
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
        let items: Vec<_> = pairs.iter().map(|&(row, column)| [Some(row), Some(column)]).collect();
        let judgements = judgements(&items);
        let matrix = judgements.coincidence_matrix();
        let totals = matrix.row_totals();
        let n: f64 = totals.iter().sum();
        let diagonal: f64 = matrix.cells.iter().enumerate().map(|(place, row)| row[place]).sum();
        let expected: f64 = totals.iter().map(|total| total * (total - 1.0)).sum();
        if let Ok(alpha) = krippendorff_alpha_nominal(&judgements.contingency(0, 1)) {
            let by_matrix = ((n - 1.0) * diagonal - expected) / (n * (n - 1.0) - expected);
            prop_assert!((alpha.value - by_matrix).abs() < 1e-12);
        }
        prop_assert_eq!(matrix.column_totals(), totals);
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
