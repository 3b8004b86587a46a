//! True agreement against its definition, tried out for every division.

use agreement::Undefined;
use agreement::inference::{
    Binary, Level, TrueAgreement, TwoSided, conservative_interval, fisher_exact,
    homogeneity_interval,
};
use proptest::prelude::*;

const BOTH_WAYS: [TwoSided; 2] = [TwoSided::AtMostAsLikely, TwoSided::DoubledTail];

fn span(fitting: impl Iterator<Item = u64> + Clone) -> Option<(u64, u64)> {
    Some((fitting.clone().min()?, fitting.max()?))
}

/// Section 5.1 as it is written.
fn conservative_by_definition(table: &Binary, level: f64, sides: TwoSided) -> Option<(u64, u64)> {
    let agreements = table.both + table.neither;
    span((0..=agreements).filter(|&m| {
        (m.saturating_sub(table.neither)..=table.both.min(m)).any(|yes| {
            let rest =
                Binary { both: table.both - yes, neither: table.neither - (m - yes), ..*table };
            fisher_exact(&rest, sides).is_ok_and(|p| p > 1.0 - level)
        })
    }))
}

/// Two-sided binomial test, summed term by term.
fn binomial(successes: u64, trials: u64, probability: f64, sides: TwoSided) -> f64 {
    let terms = (0..trials).fold(vec![1.0_f64], |terms, _| {
        let without = terms.iter().map(|term| term * (1.0 - probability)).chain([0.0]);
        let with = [0.0].into_iter().chain(terms.iter().map(|term| term * probability));
        without.zip(with).map(|(without, with)| without + with).collect()
    });
    let sum = |keep: &dyn Fn(u64, f64) -> bool| -> f64 {
        (0..).zip(&terms).filter(|&(x, &term)| keep(x, term)).map(|(_, term)| term).sum()
    };
    let observed = sum(&|x, _| x == successes);
    match sides {
        TwoSided::AtMostAsLikely => sum(&|_, term| term <= observed * (1.0 + 1e-9)),
        TwoSided::DoubledTail => {
            let (lower, upper) = (sum(&|x, _| x <= successes), sum(&|x, _| x >= successes));
            f64::min(1.0, 2.0 * lower.min(upper))
        }
    }
}

/// Section 5.2 as it is written.
fn homogeneity_by_definition(table: &Binary, level: f64, sides: TwoSided) -> Option<(u64, u64)> {
    let float = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let (row, column) = (table.both + table.only_row, table.both + table.only_column);
    let n = row + table.only_column + table.neither;
    let averaged = float(row + column) / float(2 * n);
    let agreements = table.both + table.neither;
    span((0..=agreements).filter(|&m| {
        let rest = n - m;
        if rest == 0 {
            return true;
        }
        let share = |margin: u64| (float(margin) - averaged * float(m)) / float(rest);
        let (a, b) = (share(row), share(column));
        let possible = |share: f64| (-1e-12..=1.0 + 1e-12).contains(&share);
        possible(a)
            && possible(b)
            && binomial(agreements - m, rest, a * b + (1.0 - a) * (1.0 - b), sides) > 1.0 - level
    }))
}

fn found(shares: Result<TrueAgreement, Undefined>) -> Option<(u64, u64)> {
    match shares {
        Ok(shares) => Some((shares.least, shares.most)),
        Err(reason) => {
            assert_eq!(reason, Undefined::BelowChance);
            None
        }
    }
}

fn tables(most: u64) -> impl Strategy<Value = Binary> {
    (0..=most, 0..=most, 0..=most, 0..=most)
        .prop_filter("no position", |(a, b, c, d)| a + b + c + d > 0)
        .prop_map(|(both, only_row, only_column, neither)| Binary {
            both,
            only_row,
            only_column,
            neither,
        })
}

#[test]
fn all_small_tables_equal_the_definition() {
    for code in 1..5_u64.pow(4) {
        let table = Binary {
            both: code % 5,
            only_row: code / 5 % 5,
            only_column: code / 25 % 5,
            neither: code / 125,
        };
        for sides in BOTH_WAYS {
            assert_eq!(
                found(conservative_interval(&table, Level::P95, sides)),
                conservative_by_definition(&table, 0.95, sides),
                "{table:?}"
            );
            assert_eq!(
                found(homogeneity_interval(&table, Level::P95, sides)),
                homogeneity_by_definition(&table, 0.95, sides),
                "{table:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn larger_tables_equal_the_definition(table in tables(40), percent in 50..=99_u32) {
        let level = f64::from(percent) / 100.0;
        for sides in BOTH_WAYS {
            let wanted = Level::new(level).unwrap();
            prop_assert_eq!(
                found(conservative_interval(&table, wanted, sides)),
                conservative_by_definition(&table, level, sides)
            );
            prop_assert_eq!(
                found(homogeneity_interval(&table, wanted, sides)),
                homogeneity_by_definition(&table, level, sides)
            );
        }
    }

    #[test]
    fn exchanging_raters_or_answers_changes_nothing(table in tables(60)) {
        let raters = Binary { only_row: table.only_column, only_column: table.only_row, ..table };
        let answers = Binary { both: table.neither, neither: table.both, ..table };
        for sides in BOTH_WAYS {
            let intervals = |table| (
                conservative_interval(table, Level::P95, sides),
                homogeneity_interval(table, Level::P95, sides),
            );
            prop_assert_eq!(intervals(&table), intervals(&raters));
            prop_assert_eq!(intervals(&table), intervals(&answers));
        }
    }

    #[test]
    fn higher_level_gives_an_interval_around_the_lower(table in tables(60)) {
        for sides in BOTH_WAYS {
            for interval in [conservative_interval, homogeneity_interval] {
                if let Ok(narrow) = interval(&table, Level::P90, sides) {
                    let wide = interval(&table, Level::P99, sides).unwrap();
                    prop_assert!(wide.least <= narrow.least && narrow.most <= wide.most);
                }
            }
        }
    }
}

#[test]
fn lopsided_and_large_tables_equal_the_definition() {
    for [both, only_row, only_column, neither] in [
        [300, 2, 3, 5],
        [4, 60, 1, 300],
        [7, 5, 90, 250],
        [150, 1, 0, 200],
        [120, 40, 35, 160],
        [0, 10, 12, 330],
        [200, 200, 3, 9],
    ] {
        let table = Binary { both, only_row, only_column, neither };
        for sides in BOTH_WAYS {
            assert_eq!(
                found(conservative_interval(&table, Level::P95, sides)),
                conservative_by_definition(&table, 0.95, sides),
                "{table:?} {sides:?}"
            );
        }
    }
}

#[test]
fn more_items_shrink_the_homogeneity_interval_as_foretold() {
    let table = Binary { both: 40, only_row: 15, only_column: 20, neither: 25 };
    let times =
        |n: u64| Binary { both: 40 * n, only_row: 15 * n, only_column: 20 * n, neither: 25 * n };
    let width = |table: &Binary| {
        let shares = homogeneity_interval(table, Level::P95, TwoSided::AtMostAsLikely).unwrap();
        shares.interval().width()
    };
    let half = width(&table) / 2.0;
    let more = agreement::inference::more_items_for_width(100, width(&table), half).unwrap();
    assert_eq!(more, 300);
    assert!((width(&times(4)) - half).abs() < 0.02);
    assert!((width(&times(100)) - width(&table) / 10.0).abs() < 0.003);
}

#[test]
fn perfect_agreement_may_be_true_throughout() {
    let table = Binary { both: 50, only_row: 0, only_column: 0, neither: 50 };
    for interval in [conservative_interval, homogeneity_interval] {
        let shares = interval(&table, Level::P95, TwoSided::AtMostAsLikely).unwrap();
        assert_eq!(shares.most, 100);
        assert!(shares.least > 40);
    }
}

#[test]
fn one_answer_only_says_nothing() {
    let table = Binary { both: 50, ..Binary::default() };
    for interval in [conservative_interval, homogeneity_interval] {
        let shares = interval(&table, Level::P95, TwoSided::AtMostAsLikely).unwrap();
        assert_eq!((shares.least, shares.most), (0, 50));
    }
}

#[test]
fn undefined_without_positions_below_chance_and_beyond_capacity() {
    let opposed = Binary { only_row: 50, only_column: 50, ..Binary::default() };
    let large = Binary { both: 1_000_000, neither: 1, ..Binary::default() };
    let beyond = Binary { both: u64::MAX, neither: u64::MAX, ..Binary::default() };
    for interval in [conservative_interval, homogeneity_interval] {
        let of = |table: &Binary| interval(table, Level::P95, TwoSided::DoubledTail);
        assert_eq!(of(&Binary::default()), Err(Undefined::NoSharedPositions));
        assert_eq!(of(&opposed), Err(Undefined::BelowChance));
        assert_eq!(of(&large), Err(Undefined::TooManyPositions));
        assert_eq!(of(&beyond), Err(Undefined::TooManyPositions));
    }
}
