//! Figures that papers print for several raters, graded disagreement and sets; each test is named
//! after its paper.
#![expect(clippy::unwrap_used, reason = "what papers print is defined")]

mod crossed;

use std::collections::BTreeSet;

use agreement::{
    By, CoincidenceTally, Contingency, Counts, Distance, Graded, Interval, Linear, Masi,
    MasiProduct, NominalTally, Number, Ordinal, Ratings, Ratio, Scheme, SetThirds, Undefined,
    Weights, alpha_nominal, alpha_of_category, bennett_s, cohen_kappa, fleiss_kappa,
    fleiss_kappa_of_category, gwet_ac1, gwet_ac2, hubert_kappa, krippendorff_alpha, light_kappa,
    percent_by_item, percent_by_rating, randolph_kappa, scott_pi, weighted_kappa,
};
use crossed::crossed;

/// Asserts that a value rounds to the printed figure, digit by digit.
#[track_caller]
fn assert_prints(value: f64, printed: &str) {
    let decimals = printed.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    assert_eq!(format!("{value:.decimals$}"), printed);
}

/// Rows as they are printed: `.` for a missing rating, else one character per rating.
fn study(rows: &str) -> Ratings<u32> {
    let rating = |character: char| character.to_digit(10);
    Ratings::from_rows(rows.split_whitespace().map(|row| row.chars().map(rating))).unwrap()
}

fn disagreement<C: Ord + Clone>(
    tally: &CoincidenceTally<C>,
    distance: &impl Distance<C>,
) -> Graded {
    krippendorff_alpha(tally, distance).unwrap()
}

/// Diagnoses of 30 patients by six psychiatrists (page 379).
///
/// The paper's category kappas (.248, .248, .517, .470, .565) come from shares rounded to three
/// digits; the values here are exact.
#[test]
fn fleiss_1971_p379() {
    let tally = Counts::from_table(
        1..=5,
        [
            [0, 0, 0, 6, 0],
            [0, 3, 0, 0, 3],
            [0, 1, 4, 0, 1],
            [0, 0, 0, 0, 6],
            [0, 3, 0, 3, 0],
            [2, 0, 4, 0, 0],
            [0, 0, 4, 0, 2],
            [2, 0, 3, 1, 0],
            [2, 0, 0, 4, 0],
            [0, 0, 0, 0, 6],
            [1, 0, 0, 5, 0],
            [1, 1, 0, 4, 0],
            [0, 3, 3, 0, 0],
            [1, 0, 0, 5, 0],
            [0, 2, 0, 3, 1],
            [0, 0, 5, 0, 1],
            [3, 0, 0, 1, 2],
            [5, 1, 0, 0, 0],
            [0, 2, 0, 4, 0],
            [1, 0, 2, 0, 3],
            [0, 0, 0, 0, 6],
            [0, 1, 0, 5, 0],
            [0, 2, 0, 1, 3],
            [2, 0, 0, 4, 0],
            [1, 0, 0, 4, 1],
            [0, 5, 0, 1, 0],
            [4, 0, 0, 0, 2],
            [0, 2, 0, 4, 0],
            [1, 0, 5, 0, 0],
            [0, 0, 0, 0, 6],
        ],
    )
    .unwrap()
    .nominal_tally();
    let kappa = fleiss_kappa(&tally).unwrap();
    assert_prints(kappa.observed, "0.5556");
    assert_prints(kappa.expected, "0.2199");
    assert_prints(kappa.value, "0.430");
    for (category, exact) in (1..).zip(["0.245", "0.245", "0.520", "0.471", "0.566"]) {
        assert_prints(fleiss_kappa_of_category(&tally, &category).unwrap().value, exact);
    }
}

#[test]
fn randolph_2005_p17() {
    let balanced = study("111 110 001 000").nominal_tally();
    assert_prints(randolph_kappa(&balanced, 2).unwrap().value, "0.33");
    assert_prints(fleiss_kappa(&balanced).unwrap().value, "0.33");
    let skewed = study("111 110 110 111").nominal_tally();
    assert_prints(randolph_kappa(&skewed, 2).unwrap().value, "0.33");
    assert_prints(fleiss_kappa(&skewed).unwrap().value, "-0.20");
}

/// Eight pathologists (O'Malley et al. 2006); the paper rounds .83235, .83244 and .83571 up.
#[test]
fn warrens_2010_p284() {
    let patterns = [
        ("NNNNNNNN", 14),
        ("NNNANNNN", 1),
        ("NNNNNNNA", 1),
        ("AAAAAAAA", 10),
        ("AANAAAAN", 2),
        ("AANANAAN", 1),
        ("AANANANN", 1),
    ];
    let rows = patterns.map(|(row, times)| (row.chars().map(Some), times));
    let study = Ratings::from_patterns(rows).unwrap();
    assert_prints(hubert_kappa(&study).unwrap().value, "0.8326");
    assert_prints(light_kappa(&study).unwrap(), "0.8324");
    assert_prints(fleiss_kappa(&study.nominal_tally()).unwrap().value, "0.8323");
    assert_prints(randolph_kappa(&study.nominal_tally(), 2).unwrap().value, "0.8357");
}

#[test]
fn krippendorff_2004_p227() {
    let study = study("11 12 22 22 22 22 23 33 33 33 33 33");
    let alpha = alpha_nominal(&study.nominal_tally()).unwrap();
    assert_prints(alpha.observed, "0.1667");
    assert_prints(alpha.expected, "0.6268");
    assert_prints(alpha.value, "0.734");
}

/// Four observers and twelve units, with missing ratings; figures of R's irrCAC beside the book's.
#[test]
fn krippendorff_2004_p230() {
    let study = study("11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3.");
    let nominal = study.nominal_tally();
    assert_prints(percent_by_item(&nominal).unwrap().value, "0.81818");
    assert_prints(percent_by_rating(&nominal).unwrap().value, "0.800");
    assert_prints(fleiss_kappa(&nominal).unwrap().expected, "0.23872");
    assert_prints(fleiss_kappa(&nominal).unwrap().value, "0.76117");
    assert_prints(gwet_ac1(&nominal, 5).unwrap().expected, "0.19032");
    assert_prints(gwet_ac1(&nominal, 5).unwrap().value, "0.77544");
    assert_prints(alpha_nominal(&nominal).unwrap().value, "0.743");

    let tally = study.coincidences();
    let bipolar = Weights::by_value(Scheme::Bipolar, 1..=5).unwrap();
    assert_prints(gwet_ac2(&tally, &bipolar).unwrap().value, "0.90037");
    assert_prints(disagreement(&tally, &Ordinal::of(&tally)).value, "0.815");
    assert_prints(disagreement(&tally, &Ratio).value, "0.797");
    let interval = disagreement(&tally, &Interval);
    assert_prints(interval.observed, "0.433");
    assert_prints(interval.expected, "2.872");
    assert_prints(interval.value, "0.849");
}

#[test]
fn krippendorff_2004_p246_tells_the_coefficients_apart() {
    let left = crossed(["a", "b", "c"], [[12, 9, 9], [9, 14, 9], [9, 9, 20]]);
    let right = crossed(["a", "b", "c"], [[12, 18, 18], [0, 14, 18], [0, 0, 20]]);
    for table in [&left, &right] {
        assert_prints(bennett_s(table, 3).unwrap().value, "0.190");
        assert_prints(scott_pi(table).unwrap().value, "0.186");
    }
    assert_prints(cohen_kappa(&left).unwrap().value, "0.186");
    assert_prints(cohen_kappa(&right).unwrap().value, "0.258");
}

#[test]
fn hayes_krippendorff_2007_p84() {
    let tally = study(
        "112.2 1101. 2333. .00.0 000.0 000.0 102.1 1.20. 222.2 2111. .100. 0000. 1222. 33223 \
         111.1 111.1 212.2 1233. 1101. 000.0 0011. 00.00 2333. 0000. 12.22 0111. 00010 1212. \
         1122. 112.2 110.0 2121. 22.22 3222. 222.2 223.2 222.2 22.12 2222. 111.1",
    )
    .coincidences();
    assert_prints(disagreement(&tally, &Ordinal::of(&tally)).value, "0.7598");
}

/// Three raters (Krippendorff 1980, page 139); .740 and .777 of the paper are cut off.
#[test]
fn meyer_2014() {
    let study = study("111 122 222 444 144 222 123 333 222");
    let tally = study.coincidences();
    let nominal = alpha_nominal(tally.nominal()).unwrap();
    assert_prints(nominal.observed, "0.259");
    assert_prints(nominal.expected, "0.724");
    assert_prints(nominal.value, "0.642");
    for (category, printed) in (1..).zip(["0.381", "0.711", "0.717", "0.764"]) {
        assert_prints(alpha_of_category(tally.nominal(), &category).unwrap().value, printed);
    }
    assert_prints(percent_by_item(tally.nominal()).unwrap().value, "0.741");
    assert_prints(disagreement(&tally, &Interval).value, "0.547");
    assert_prints(disagreement(&tally, &Ratio).value, "0.483");
}

/// Weights 0, 1, 3; 1, 0, 6; 3, 6, 0 (table 1).
#[test]
fn cohen_1968_table_1() {
    let mut table = Contingency::new();
    for (row, counts) in (1..).zip([[88, 14, 18], [10, 40, 10], [2, 6, 12]]) {
        for (column, count) in (1..).zip(counts) {
            table.add_count(row, column, count);
        }
    }
    let weight = |&a: &i32, &b: &i32| match (a, b) {
        (1, 2) => 1.0,
        (1, 3) => 3.0,
        _ => 6.0,
    };
    assert_prints(weighted_kappa(&table, &weight).unwrap().value, "0.348");
}

/// Raters 2 and 3 of the anxiety data of R's irr, which scores by rank; level 5 is not used.
#[test]
fn irr_anxiety_scores_by_rank() {
    let pairs = study("32 61 44 64 23 42 21 46 31 31 21 32 33 33 21 21 13 33 32 42");
    let table = pairs.contingency(0, 1);
    let rank = |level: &u32| Number::from(if *level == 6 { 5 } else { *level });
    assert_prints(weighted_kappa(&table, &By(rank, Linear)).unwrap().value, "0.1459075");
    assert_prints(weighted_kappa(&table, &By(rank, Interval)).unwrap().value, "0.2520325");
    assert_prints(weighted_kappa(&table, &Linear).unwrap().value, "0.1262136");
    assert_prints(cohen_kappa(&table).unwrap().value, "-0.006289308");
}

#[test]
fn zwick_1988_p376_has_one_s_for_three_tables() {
    let tables = [
        [[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]],
        [[20, 10, 10, 0], [10, 10, 0, 0], [10, 0, 10, 0], [0, 0, 0, 20]],
        [[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]],
    ];
    let printed = [("0.467", "0.467"), ("0.444", "0.444"), ("0.459", "0.474")];
    for (counts, (pi, kappa)) in tables.into_iter().zip(printed) {
        let table = crossed(["A", "B", "C", "D"], counts);
        assert_prints(bennett_s(&table, 4).unwrap().value, "0.467");
        assert_prints(scott_pi(&table).unwrap().value, pi);
        assert_prints(cohen_kappa(&table).unwrap().value, kappa);
    }
}

#[test]
fn gwet_2008_hand_example() {
    let table = crossed(["n", "y"], [[1, 0], [1, 8]]);
    let ac1 = gwet_ac1(&NominalTally::from(&table), 2).unwrap();
    assert_prints(ac1.expected, "0.2550");
    assert_prints(ac1.value, "0.8658");
    assert_prints(scott_pi(&table).unwrap().value, "0.6078");
}

/// A common category: AC1 stays high where kappa falls.
#[test]
fn gwet_paradox_of_high_prevalence() {
    let table = crossed(["1", "2"], [[80, 7], [8, 5]]);
    let ac1 = gwet_ac1(&NominalTally::from(&table), 2).unwrap();
    assert_prints(ac1.expected, "0.21875");
    assert_prints(ac1.value, "0.80800");
    assert!(cohen_kappa(&table).unwrap().value < 0.35);
}

/// Set-valued annotations; `DKPro` prints .252 and .338 for what rounds to .253 and .339.
#[test]
fn dkpro_set_annotations() {
    let pairs = [
        ("", ""),
        ("A", ""),
        ("A", "A"),
        ("A", "B"),
        ("AB", "A"),
        ("AB", "AC"),
        ("ABC", "ABC"),
        ("C", "AC"),
        ("C", "AC"),
    ];
    let set = |labels: &str| Some(labels.chars().collect::<BTreeSet<char>>());
    let study = Ratings::from_rows(pairs.map(|(a, b)| [set(a), set(b)])).unwrap();
    let tally = study.coincidences();
    let product = disagreement(&tally, &MasiProduct);
    assert_prints(product.observed, "0.253");
    assert_prints(product.expected, "0.339");
    assert_prints(product.value, "0.253");
    let thirds = disagreement(&tally, &SetThirds);
    assert_prints(thirds.observed, "0.333");
    assert_prints(thirds.value, "0.186");
}

/// Antecedents of coreference have no end of categories: only those that occur cost anything.
#[test]
fn komen_2009_antecedents_without_bound() {
    let study = Ratings::from_rows((0..20_000_u64).map(|id| {
        let antecedent = id.pow(2);
        [Some(antecedent), Some(antecedent + u64::from(id % 10 == 0)), Some(antecedent)]
    }))
    .unwrap();
    assert_prints(cohen_kappa(&study.contingency(0, 1)).unwrap().observed, "0.9000");
    assert_prints(alpha_nominal(&study.nominal_tally()).unwrap().value, "0.9333");
    let tally = study.coincidences();
    assert_eq!(krippendorff_alpha(&tally, &agreement::Nominal), alpha_nominal(tally.nominal()));
    let used = study.nominal_tally().categories().len();
    assert_eq!(gwet_ac1(&study.nominal_tally(), used - 1), Err(Undefined::UndeclaredCategory));
}

/// {p} against {p, q} is one third of the way to nothing in common.
#[test]
fn passonneau_2006_masi() {
    let set = |labels: [char; 2]| labels.into_iter().collect::<BTreeSet<_>>();
    assert_prints(Masi.between(&set(['p', 'p']), &set(['p', 'q'])), "0.667");
    assert_prints(Masi.between(&set(['p', 'q']), &set(['q', 'r'])), "0.889");
    assert_prints(Masi.between(&set(['p', 'q']), &set(['r', 's'])), "1.000");
}
