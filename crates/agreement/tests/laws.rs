//! Laws that hold for every table and every history of changes.
#![expect(clippy::float_cmp, reason = "only an exact 1 is perfect agreement")]

use std::collections::BTreeMap;

use agreement::{
    Coefficient, Contingency, NotCounted, PairTally, Policy, Undefined, alpha_steps, cohen_kappa,
    compare, kappa_steps, krippendorff_alpha_nominal, percent,
};
use proptest::prelude::*;

type Measure<C> = fn(&Contingency<C>) -> Result<Coefficient, Undefined>;
type Judgements = BTreeMap<u8, u8>;

/// Every measure with the least value it can take.
fn measures<C: Ord + Clone>() -> [(Measure<C>, f64); 3] {
    [(percent, 0.0), (cohen_kappa, -1.0), (krippendorff_alpha_nominal, -1.0)]
}

/// Few categories and few pairs, so that undefined and extreme tables come up too.
fn pairs() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0..5_u8, 0..5_u8), 0..40)
}

fn table(pairs: &[(u8, u8)]) -> Contingency<u8> {
    pairs.iter().copied().collect()
}

/// One rater's judgements of one document; category 0 is the empty one.
fn judgements() -> impl Strategy<Value = Judgements> {
    prop::collection::btree_map(0..8_u8, 0..4_u8, 0..8)
}

fn policy() -> impl Strategy<Value = Policy> {
    prop::sample::select(vec![Policy::Cleaned, Policy::EmptyLabel])
}

proptest! {
    #[test]
    fn exchanging_the_raters_changes_no_measure(pairs in pairs()) {
        let table = table(&pairs);
        for (measure, _) in measures() {
            prop_assert_eq!(measure(&table), measure(&table.transposed()));
        }
    }

    #[test]
    fn transposing_twice_gives_the_table_back(pairs in pairs()) {
        let table = table(&pairs);
        prop_assert_eq!(&table.transposed().transposed(), &table);
        for (row, column, count) in table.cells() {
            prop_assert_eq!(table.transposed().count(column, row), count);
        }
    }

    #[test]
    fn names_of_categories_do_not_matter(
        pairs in pairs(),
        names in Just(["E", "D", "C", "B", "A"]).prop_shuffle(),
    ) {
        let named: Contingency<&str> = pairs
            .iter()
            .map(|&(row, column)| (names[usize::from(row)], names[usize::from(column)]))
            .collect();
        for ((plain, _), (renamed, _)) in measures().into_iter().zip(measures()) {
            prop_assert_eq!(plain(&table(&pairs)), renamed(&named));
        }
    }

    #[test]
    fn order_of_judgements_does_not_matter(
        (pairs, shuffled) in pairs().prop_flat_map(|pairs| {
            (Just(pairs.clone()), Just(pairs).prop_shuffle())
        }),
    ) {
        prop_assert_eq!(table(&pairs), table(&shuffled));
    }

    #[test]
    fn measures_stay_within_their_bounds(pairs in pairs()) {
        for (measure, least) in measures() {
            if let Ok(Coefficient { value, observed, expected }) = measure(&table(&pairs)) {
                prop_assert!((least..=1.0).contains(&value));
                prop_assert!((0.0..=1.0).contains(&observed));
                prop_assert!((0.0..1.0).contains(&expected));
                prop_assert!((value - (observed - expected) / (1.0 - expected)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn undefined_exactly_when_empty_or_of_one_category(pairs in pairs()) {
        let table = table(&pairs);
        let reason = match table.categories().len() {
            0 => Some(Undefined::NoSharedPositions),
            1 => Some(Undefined::OneCategory),
            _ => None,
        };
        prop_assert_eq!(cohen_kappa(&table).err(), reason);
        prop_assert_eq!(krippendorff_alpha_nominal(&table).err(), reason);
    }

    #[test]
    fn perfect_agreement_and_nothing_else_gives_one(pairs in pairs()) {
        let table = table(&pairs);
        for (measure, _) in measures() {
            if let Ok(coefficient) = measure(&table) {
                let perfect = table.agreements() == table.total();
                prop_assert_eq!(coefficient.value == 1.0, perfect);
            }
        }
    }

    #[test]
    fn steps_add_up_to_their_measure(pairs in pairs()) {
        let table = table(&pairs);
        if let Ok(steps) = kappa_steps(&table) {
            prop_assert_eq!(cohen_kappa(&table).map(|kappa| kappa.value), Ok(steps.kappa));
            let by_row: u64 = steps.per_category.iter().map(|(_, row, _)| row).sum();
            let by_column: u64 = steps.per_category.iter().map(|(_, _, column)| column).sum();
            prop_assert_eq!((by_row, by_column), (steps.n, steps.n));
        }
        if let Ok(steps) = alpha_steps(&table) {
            let alpha = krippendorff_alpha_nominal(&table);
            prop_assert_eq!(alpha.map(|alpha| alpha.value), Ok(steps.alpha));
            let labels: u64 = steps.per_category.iter().map(|(_, labels, _)| labels).sum();
            prop_assert_eq!(labels, steps.r);
            let expected: f64 = steps.per_category.iter().map(|(_, _, share)| share * share).sum();
            prop_assert!((expected - steps.expected).abs() < 1e-12);
        }
    }

    #[test]
    fn totals_are_sums_of_cells(pairs in pairs()) {
        let table = table(&pairs);
        for category in 0..5 {
            let row = pairs.iter().filter(|pair| pair.0 == category).count();
            let column = pairs.iter().filter(|pair| pair.1 == category).count();
            prop_assert_eq!(table.row_total(&category), u64::try_from(row)?);
            prop_assert_eq!(table.column_total(&category), u64::try_from(column)?);
        }
        prop_assert_eq!(table.total(), u64::try_from(pairs.len())?);
    }

    #[test]
    fn what_is_merged_can_be_subtracted_again(kept in pairs(), passing in pairs()) {
        let mut merged = table(&kept);
        merged.merge(&table(&passing));
        prop_assert_eq!(&merged, &table(&[kept.clone(), passing.clone()].concat()));
        prop_assert_eq!(merged.subtract(&table(&passing)), Ok(()));
        prop_assert_eq!(merged, table(&kept));
    }

    #[test]
    fn subtracting_more_than_was_counted_changes_nothing(kept in pairs(), taken in pairs()) {
        let mut less = table(&kept);
        let taken = table(&taken);
        let counted = taken.cells().all(|(row, column, count)| less.count(row, column) >= count);
        prop_assert_eq!(less.subtract(&taken), if counted { Ok(()) } else { Err(NotCounted) });
        if !counted {
            prop_assert_eq!(less, table(&kept));
        }
    }

    #[test]
    fn any_history_of_additions_and_removals_ends_where_a_recount_does(
        history in prop::collection::vec((any::<bool>(), 0..3_u8, 0..3_u8), 0..80),
    ) {
        let mut live = Contingency::new();
        let mut counted = Vec::new();
        for (is_addition, row, column) in history {
            if is_addition {
                live.add(row, column);
                counted.push((row, column));
            } else {
                let found = counted.iter().position(|&pair| pair == (row, column));
                prop_assert_eq!(live.remove(&row, &column).is_ok(), found.is_some());
                found.map(|index| counted.swap_remove(index));
            }
            prop_assert_eq!(&live, &table(&counted));
        }
    }

    #[test]
    fn saving_documents_one_by_one_ends_where_a_recount_does(
        policy in policy(),
        saves in prop::collection::vec((0..4_usize, any::<bool>(), judgements()), 0..30),
    ) {
        let mut documents = vec![(Judgements::new(), Judgements::new()); 4];
        let mut live = PairTally::default();
        for (document, is_first_rater, saved) in saves {
            let (first, second) = &mut documents[document];
            let before = compare(&*first, &*second, policy, &0);
            *(if is_first_rater { &mut *first } else { &mut *second }) = saved;
            prop_assert_eq!(live.subtract(&before), Ok(()));
            live.merge(&compare(&*first, &*second, policy, &0));

            let mut recount = PairTally::default();
            for (first, second) in &documents {
                recount.merge(&compare(first, second, policy, &0));
            }
            prop_assert_eq!(&live, &recount);
        }
    }

    #[test]
    fn comparing_the_other_way_round_transposes_the_tally(
        policy in policy(),
        first in judgements(),
        second in judgements(),
    ) {
        let tally = compare(&first, &second, policy, &0);
        prop_assert_eq!(compare(&second, &first, policy, &0), tally.transposed());
    }

    #[test]
    fn policy_decides_what_is_counted_and_never_the_coverage(
        first in judgements(),
        second in judgements(),
    ) {
        let cleaned = compare(&first, &second, Policy::Cleaned, &0);
        let with_empty = compare(&first, &second, Policy::EmptyLabel, &0);
        prop_assert_eq!(cleaned.coverage, with_empty.coverage);
        prop_assert_eq!(cleaned.table.total(), cleaned.coverage.both);
        prop_assert_eq!(with_empty.table.total(), with_empty.coverage.positions());
    }
}
