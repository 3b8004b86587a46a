//! Krenn, Evert and Zinsmeister (2004): every figure that they print.
//!
//! Tables 1 and 2 come without the counts behind them. The counts below are those that yield all
//! five figures of a row at once, given that BK is the same in all rows of one part of the data
//! (129, 142 and 146 collocations of 855, and 149 of 853). A few more tables, which differ in one
//! or two disagreements, yield the same figures.

use agreement::inference::{
    Binary, Level, TrueAgreement, TwoSided, cohen_kappa_estimate, conservative_interval,
    fisher_exact, homogeneity_interval,
};
use agreement::{Contingency, cohen_kappa};

const FIGURE_2: Binary = Binary { both: 40, only_row: 15, only_column: 20, neither: 25 };

/// NN, `[both, only BK, only NN, neither]`, kappa, Table 1 and Table 2.
type Row = (u8, [u64; 4], &'static str, [&'static str; 2], [&'static str; 2]);

const TABLES: [Row; 12] = [
    (1, [109, 20, 55, 671], ".692", ["12.16", "86.08"], ["63.39", "75.91"]),
    (2, [85, 44, 32, 694], ".639", ["9.24", "85.03"], ["56.14", "70.64"]),
    (3, [124, 5, 148, 578], ".520", ["13.92", "78.95"], ["51.70", "64.33"]),
    (4, [120, 22, 57, 656], ".696", ["13.33", "85.26"], ["64.09", "75.91"]),
    (5, [104, 38, 41, 672], ".669", ["11.46", "84.33"], ["60.12", "72.75"]),
    (6, [114, 28, 56, 657], ".671", ["12.63", "83.74"], ["61.05", "73.33"]),
    (7, [123, 23, 33, 676], ".775", ["13.92", "89.36"], ["71.93", "82.22"]),
    (8, [126, 20, 231, 478], ".341", ["12.51", "59.18"], ["33.68", "49.71"]),
    (9, [115, 31, 30, 679], ".747", ["12.98", "88.19"], ["68.65", "79.77"]),
    (10, [123, 26, 53, 651], ".700", ["13.72", "84.76"], ["64.36", "75.85"]),
    (11, [108, 41, 66, 638], ".592", ["11.61", "78.55"], ["52.40", "65.65"]),
    (12, [61, 88, 97, 607], ".265", ["4.34", "60.73"], ["17.00", "35.05"]),
];

fn binary([both, only_row, only_column, neither]: [u64; 4]) -> Binary {
    Binary { both, only_row, only_column, neither }
}

fn contingency(table: Binary) -> Contingency<char> {
    let mut counts = Contingency::new();
    counts.add_count('+', '+', table.both);
    counts.add_count('+', '-', table.only_row);
    counts.add_count('-', '+', table.only_column);
    counts.add_count('-', '-', table.neither);
    counts
}

fn percent(shares: TrueAgreement) -> [String; 2] {
    let interval = shares.interval();
    [interval.lower, interval.upper].map(|share| format!("{:.2}", 100.0 * share))
}

#[test]
fn table_1_conservative_estimates() {
    for (nn, counts, _, printed, _) in TABLES {
        let shares =
            conservative_interval(&binary(counts), Level::P95, TwoSided::DoubledTail).unwrap();
        assert_eq!(percent(shares), printed, "NN{nn}");
    }
}

#[test]
fn table_2_kappa_and_homogeneity_estimates() {
    for (nn, counts, kappa, _, printed) in TABLES {
        let table = binary(counts);
        let value = cohen_kappa(&contingency(table)).unwrap().value;
        assert_eq!(format!("{value:.3}").trim_start_matches('0'), kappa, "NN{nn}");
        let shares = homogeneity_interval(&table, Level::P95, TwoSided::DoubledTail).unwrap();
        assert_eq!(percent(shares), printed, "NN{nn}");
    }
}

#[test]
fn formula_5_is_the_standard_error_for_two_categories() {
    for counts in TABLES.map(|row| row.1).into_iter().chain([[40, 15, 20, 25]]) {
        let [n11, n12, n21, n22] = counts.map(|count| f64::from(u32::try_from(count).unwrap()));
        let n = n11 + n12 + n21 + n22;
        let [p11, p12, p21, p22] = [n11, n12, n21, n22].map(|count| count / n);
        let (p1_, p2_, p_1, p_2) = (p11 + p12, p21 + p22, p11 + p21, p12 + p22);
        let (po, pc) = (p11 + p22, p1_ * p_1 + p2_ * p_2);
        let right = p11 * ((1.0 - pc) - (p_1 + p1_) * (1.0 - po)).powi(2)
            + p22 * ((1.0 - pc) - (p_2 + p2_) * (1.0 - po)).powi(2)
            + (1.0 - po).powi(2) * p12 * (p_1 + p2_).powi(2)
            + (1.0 - po).powi(2) * p21 * (p_2 + p1_).powi(2)
            - (po * pc - 2.0 * pc + po).powi(2);
        let sigma = (right / (n * (1.0 - pc).powi(4))).sqrt();
        let estimate = cohen_kappa_estimate(&contingency(binary(counts))).unwrap();
        assert!((estimate.standard_error - sigma).abs() < 1e-14);
    }
}

#[test]
fn figure_2_under_both_two_sided_tests() {
    let shares = |sides| {
        let conservative = conservative_interval(&FIGURE_2, Level::P95, sides).unwrap();
        let homogeneity = homogeneity_interval(&FIGURE_2, Level::P95, sides).unwrap();
        [(conservative.least, conservative.most), (homogeneity.least, homogeneity.most)]
    };
    assert_eq!(shares(TwoSided::AtMostAsLikely), [(7, 46), (10, 44)]);
    assert_eq!(shares(TwoSided::DoubledTail), [(6, 46), (9, 44)]);
}

#[test]
fn figures_3_and_4_are_two_divisions_of_figure_2() {
    // Chance is compatible with the one division and not with the other.
    let figure_3 = Binary { both: 15, only_row: 15, only_column: 20, neither: 10 };
    let figure_4 = Binary { both: 0, only_row: 15, only_column: 20, neither: 25 };
    for division in [figure_3, figure_4] {
        assert_eq!(division.total(), Some(60));
        let agreed = FIGURE_2.both - division.both + FIGURE_2.neither - division.neither;
        assert_eq!(agreed, 40);
    }
    assert!(fisher_exact(&figure_3, TwoSided::AtMostAsLikely).unwrap() > 0.05);
    assert!(fisher_exact(&figure_4, TwoSided::AtMostAsLikely).unwrap() < 0.01);
}

#[test]
fn groups_of_section_6_by_the_minimum_of_the_homogeneity_interval() {
    let minimum = |wanted: u8| {
        let (_, counts, ..) = TABLES.into_iter().find(|row| row.0 == wanted).unwrap();
        let sides = TwoSided::DoubledTail;
        homogeneity_interval(&binary(counts), Level::P95, sides).unwrap().interval().lower
    };
    let between = |group: &[u8], low: f64, high: f64| {
        group.iter().all(|&nn| (low..high).contains(&minimum(nn)))
    };
    assert!(between(&[7, 9], 0.68, 1.0));
    assert!(between(&[10, 4, 1, 6, 5], 0.60, 0.65));
    assert!(between(&[2, 11, 3], 0.51, 0.57));
    assert!(between(&[8, 12], 0.0, 0.34));
}
