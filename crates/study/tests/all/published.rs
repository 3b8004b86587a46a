//! The worked examples of the papers, from a file as their authors would have it.

use study::command::Options;
use study::read::Level;

use crate::{measure, measure_with, rounded, words};

/// Krippendorff (2011), example C.
pub(crate) const FOUR_OBSERVERS: &str = "unit;A;B;C;D\n1;1;1;;1\n2;2;2;3;2\n3;3;3;3;3\n4;3;3;3;3\n\
     5;2;2;2;2\n6;1;2;3;4\n7;4;4;4;4\n8;1;1;2;1\n9;2;2;2;2\n10;;5;5;5\n11;;;1;1\n12;;;3;\n";

/// A line for each pair of judgements that a table counts.
fn of_table(categories: &[&str], table: &[&[usize]]) -> String {
    let mut file = String::from("A,B\n");
    for (row, counts) in categories.iter().zip(table) {
        for (column, &count) in categories.iter().zip(*counts) {
            file.push_str(&format!("{row},{column}\n").repeat(count));
        }
    }
    file
}

fn at(level: Level) -> impl FnOnce(&mut Options) {
    move |options| options.read.level = level
}

#[test]
fn komen_2009_table_2() {
    let report = measure("John;Mary\n0;0\n1;1\n1;0\n0;0\n0;0\n1;0\n0;0\n1;0\n0;1\n0;0\n");
    assert_eq!(rounded(&report, "percent", 1), "0.6");
    assert_eq!(rounded(&report, "cohen_kappa", 2), "0.09");
    let kappa = report.measure("cohen_kappa").unwrap();
    assert_eq!((kappa.observed, kappa.expected), (Some(0.6), Some(0.56)));
}

#[test]
fn komen_2009_table_6_raters_with_different_categories() {
    let report = measure("John;Mary\n0;0\n1;1\n2;0\n0;0\n0;0\n1;0\n0;0\n2;0\n0;1\n0;0\n");
    assert_eq!(rounded(&report, "cohen_kappa", 2), "0.17");
}

#[test]
fn komen_2009_table_9_antecedents_in_chosen_columns() {
    let file = "21;0;0\n23;13;13\n27;23;0\n34;0;0\n50;0;0\n62;13;0\n78;0;0\n82;62;0\n84;0;13\n\
                90;0;0\n";
    let report = measure_with(file, |options| options.read.raters = words(&["2", "3"]));
    assert_eq!(report.understood.raters, ["column 2", "column 3"]);
    assert_eq!(report.understood.other_columns, ["column 1"]);
    let kappa = report.measure("cohen_kappa").unwrap();
    assert_eq!((kappa.observed, kappa.expected), (Some(0.6), Some(0.52)));
    assert_eq!(rounded(&report, "cohen_kappa", 2), "0.17");
}

#[test]
fn krippendorff_1980_p133_as_recal_has_it() {
    // No header, a column a coder, numbers for categories.
    let report = measure("0,0\n1,1\n0,1\n0,0\n0,0\n0,1\n0,0\n0,1\n1,0\n0,0\n");
    assert_eq!(rounded(&report, "krippendorff_alpha_nominal", 3), "0.095");
}

#[test]
fn krippendorff_1980_p139_in_long_form() {
    let items = [
        [1, 1, 1],
        [1, 2, 2],
        [2, 2, 2],
        [4, 4, 4],
        [1, 4, 4],
        [2, 2, 2],
        [1, 2, 3],
        [3, 3, 3],
        [2, 2, 2],
    ];
    let mut file = String::from("item,rater,category\n");
    for (item, ratings) in items.iter().enumerate() {
        for (rater, category) in ratings.iter().enumerate() {
            file.push_str(&format!("{item},{rater},{category}\n"));
        }
    }
    let report = measure(&file);
    let alpha = report.measure("krippendorff_alpha_nominal").unwrap();
    assert_eq!(
        format!("{:.3} {:.3}", alpha.observed.unwrap(), alpha.value.unwrap()),
        "0.259 0.642"
    );
}

#[test]
fn krippendorff_2011_example_c_at_each_level() {
    for (level, alpha) in
        [(Level::Ordinal, "0.815"), (Level::Interval, "0.849"), (Level::Ratio, "0.797")]
    {
        let report = measure_with(FOUR_OBSERVERS, at(level));
        assert_eq!(rounded(&report, "krippendorff_alpha_nominal", 3), "0.743");
        assert_eq!(rounded(&report, "krippendorff_alpha", 3), alpha);
        assert_eq!(report.understood.missing, 7);
    }
}

#[test]
fn artstein_poesio_2008_p558() {
    let report = measure(&of_table(&["IReq", "STAT"], &[&[50, 20], &[10, 20]]));
    for (id, value) in [
        ("percent", "0.700"),
        ("bennett_s", "0.400"),
        ("scott_pi", "0.341"),
        ("cohen_kappa", "0.348"),
    ] {
        assert_eq!(rounded(&report, id, 3), value, "{id}");
    }
}

#[test]
fn artstein_poesio_2008_scaled_500() {
    let report = measure(&of_table(&["IReq", "STAT"], &[&[25_000, 10_000], &[5_000, 10_000]]));
    assert_eq!(rounded(&report, "scott_pi", 3), "0.341");
    assert_eq!(rounded(&report, "cohen_kappa", 3), "0.348");
}

#[test]
fn artstein_poesio_2008_p568() {
    let table: &[&[usize]] = &[&[10, 0, 0], &[6, 32, 6], &[0, 0, 46]];
    let report = measure(&of_table(&["Chck", "IReq", "STAT"], table));
    assert_eq!(rounded(&report, "scott_pi", 4), "0.7995");
    assert_eq!(rounded(&report, "cohen_kappa", 4), "0.8013");
}

/// Shrout and Fleiss (1979), tables 2 and 4, with an item that somebody has not rated.
#[test]
fn shrout_fleiss_1979() {
    let file = "item,A,B,C,D\n1,9,2,5,8\n2,6,1,3,2\n3,8,4,6,8\n4,7,1,2,6\n5,10,5,6,9\n6,6,2,4,7\n\
                7,9,,5,5\n";
    let report = measure_with(file, at(Level::Interval));
    for (id, value) in [
        ("icc_1", "0.17"),
        ("icc_a1", "0.29"),
        ("icc_c1", "0.71"),
        ("icc_k", "0.44"),
        ("icc_ak", "0.62"),
        ("icc_ck", "0.91"),
    ] {
        assert_eq!(rounded(&report, id, 2), value, "{id}");
        let measure = report.measure(id).unwrap();
        assert_eq!((measure.incomplete, measure.bands.len()), (Some(1), 0), "{id}");
        assert!(measure.interval.as_ref().unwrap().method == study::report::Method::Formula);
    }
    let text = crate::printed(file, at(Level::Interval));
    assert!(text.contains("left out, as somebody has not rated them: 1 of 7 items"), "{text}");
    assert!(measure(file).measure("icc_1").is_none());
}

#[test]
fn krenn_2004_figure_2() {
    let report = measure(&of_table(&["+", "-"], &[&[40, 15], &[20, 25]]));
    assert_eq!(rounded(&report, "cohen_kappa", 3), "0.286");
    let interval = report.measure("cohen_kappa").unwrap().interval.as_ref().unwrap();
    assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.097 to 0.474");
    let [truth] = report.true_agreement.as_slice() else { panic!("{:?}", report.true_agreement) };
    assert_eq!((truth.homogeneity.lower, truth.homogeneity.upper), (Some(0.10), Some(0.44)));
    assert_eq!((truth.conservative.lower, truth.conservative.upper), (Some(0.07), Some(0.46)));
}

#[test]
fn lecture_4_f1_of_the_left_table() {
    let file = of_table(&["negative", "positive"], &[&[43, 2], &[1, 4]]);
    let report = measure_with(&file, |options| {
        options.report.diagnostics = vec!["categories".parse().unwrap()];
    });
    let rows = report.diagnostics.categories.unwrap();
    let positive = rows.iter().find(|row| row.category == "positive").unwrap();
    assert_eq!(positive.precision, Some(0.8));
    assert_eq!(positive.recall, Some(2.0 / 3.0));
    assert_eq!(positive.f1, Some(8.0 / 11.0));
}

#[test]
fn krippendorff_2004_p254_units() {
    let file = "rater,start,length,category\none,225,70,c\none,370,30,c\none,180,60,k\n\
                one,300,50,k\ntwo,220,80,c\ntwo,355,20,c\ntwo,400,20,c\ntwo,180,60,k\n\
                two,300,50,k\n";
    let report = measure_with(file, |options| options.read.continuum = Some((150, 450)));
    assert_eq!(rounded(&report, "alpha_u", 5), "0.85867");
    let categories: Vec<_> = report
        .measures
        .iter()
        .filter(|measure| measure.id == "alpha_u_category")
        .map(|measure| measure.category.as_deref().unwrap())
        .collect();
    assert_eq!(categories, ["c", "k"]);
}

#[test]
fn krippendorff_1995_p57_units_with_ends() {
    let file = "one,100000,500000,A\none,700000,1000000,A\ntwo,200000,400000,A\n\
                two,750000,850000,A\n";
    let report = measure_with(file, |options| {
        options.read.units = Some(Some(study::read::Extent::End));
        options.read.continuum = Some((0, 1_200_000));
    });
    let alpha = report.measure("alpha_u").unwrap();
    assert_eq!(
        format!("{:.3} {:.5}", alpha.value.unwrap(), alpha.observed.unwrap()),
        "0.553 0.03125"
    );
}
