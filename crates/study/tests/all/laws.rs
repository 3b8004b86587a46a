//! Laws that hold for every study.

use proptest::prelude::*;
use study::read::{Form, Missing, Options, read};

use crate::{measure_with, words};

const RATERS: [&str; 4] = ["Ann", "Bob", "Cid", "Dee"];

/// A study of up to four raters and thirty items, with ratings missing.
fn study() -> impl Strategy<Value = Vec<Vec<Option<u8>>>> {
    (2..=4_usize).prop_flat_map(|raters| {
        let rating = prop_oneof![1 => Just(None), 4 => (0..4_u8).prop_map(Some)];
        prop::collection::vec(prop::collection::vec(rating, raters), 2..30)
    })
}

fn cell(rating: Option<u8>) -> String {
    rating.map_or_else(String::new, |category| format!("c{category}"))
}

fn wide(rows: &[Vec<Option<u8>>], order: &[usize]) -> String {
    let header: Vec<_> = order.iter().map(|&rater| RATERS[rater]).collect();
    let mut file = format!("item,{}\n", header.join(","));
    for (item, row) in rows.iter().enumerate() {
        let cells: Vec<_> = order.iter().map(|&rater| cell(row[rater])).collect();
        file.push_str(&format!("i{item},{}\n", cells.join(",")));
    }
    file
}

fn long(rows: &[Vec<Option<u8>>]) -> String {
    let mut file = String::from("rater\tlabel\titem\n");
    for rater in 0..rows[0].len() {
        for (item, row) in rows.iter().enumerate() {
            file.push_str(&format!("{}\t{}\ti{item}\n", RATERS[rater], cell(row[rater])));
        }
    }
    file
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn wide_is_long_is_permuted(rows in study()) {
        let all: Vec<usize> = (0..rows[0].len()).collect();
        let backwards: Vec<usize> = all.iter().rev().copied().collect();
        let names: Vec<&str> = all.iter().map(|&rater| RATERS[rater]).collect();
        let expected = measure_with(&wide(&rows, &all), |_| ());
        let from_long = measure_with(&long(&rows), |_| ());
        let permuted = measure_with(&wide(&rows, &backwards), |options| {
            options.read.raters = words(&names);
        });
        let mut shuffled = rows.clone();
        shuffled.reverse();
        let reordered = measure_with(&wide(&shuffled, &all), |_| ());
        prop_assert_eq!(from_long.understood.form, Some(Form::Long));
        for other in [&from_long, &permuted, &reordered] {
            prop_assert_eq!(&expected.measures, &other.measures);
            prop_assert_eq!(&expected.pairs, &other.pairs);
            prop_assert_eq!(&expected.true_agreement, &other.true_agreement);
        }
    }

    /// Where the crate `csv` is right, fields are the same.
    #[test]
    fn fields_are_those_of_the_crate_csv(
        rows in prop::collection::vec(prop::collection::vec("[a-c ,;\"\n]{0,6}", 2..=2), 1..20),
    ) {
        let mut writer = csv::WriterBuilder::new()
            .quote_style(csv::QuoteStyle::Always)
            .from_writer(Vec::new());
        writer.write_record(["A", "B"]).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let file = writer.into_inner().unwrap();
        let options = Options {
            header: Some(true),
            raters: words(&["A", "B"]),
            missing: Missing::of(["="]),
            delimiter: Some(study::read::Delimiter::Comma),
            ..Options::default()
        };
        let study = read(file.as_slice(), &options, |_| ()).unwrap();
        let study::read::Data::Coding(ratings) = &study.data else { panic!("units") };
        for (item, row) in rows.iter().enumerate() {
            for (rater, field) in row.iter().enumerate() {
                let name = ratings.rating(item, rater).map_or("", |&code| {
                    study.understood.categories[usize::try_from(code).unwrap()].as_str()
                });
                prop_assert_eq!(name, field);
            }
        }
    }

    /// Whatever the bytes are, there is a study or an error, and never a panic.
    #[test]
    fn any_bytes_are_taken_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(bytes.as_slice(), &Options::default(), |_| ());
    }

    #[test]
    fn any_table_is_measured_or_refused(text in "([a-c0-3\",;\t]{0,3}[,\n]){0,40}") {
        let mut options = study::command::Options::default();
        options.report.resamples = Some(5);
        options.report.diagnostics = "contingency coincidence reliability weights categories items \
            raters pairs prevalence confusions".split_whitespace().map(|d| d.parse().unwrap()).collect();
        let _ = study::command::run(&options, text.as_bytes(), std::io::sink(), |_| ());
    }
}
