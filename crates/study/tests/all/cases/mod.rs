//! Tables as people have them, each with its right value, or with the ways to read it.
//!
//! A case is a kind, a table, the options that it needs, and what is right: measures to the last
//! digits that doubles have, a warning, or a refusal with words in it.

mod counts;
mod files;
mod forms;
mod values;

use study::fields;
use study::report::Report;

/// The right outcome of a case.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// Measures by their ids, as numerator and denominator.
    Values(&'static [(&'static str, f64, f64)]),
    /// The same, with a warning of this code.
    Warned(&'static str, &'static [(&'static str, f64, f64)]),
    /// A refusal that says all of this.
    Refused(&'static [&'static str]),
}

struct Case {
    kind: &'static str,
    file: String,
    options: &'static str,
    right: Right,
}

use Right::{Refused, Values, Warned};

fn case(kind: &'static str, file: impl Into<String>, right: Right) -> Case {
    with(kind, file, "", right)
}

/// A case with options as a form has them: `form=long&missing=NA`.
fn with(kind: &'static str, file: impl Into<String>, options: &'static str, right: Right) -> Case {
    Case { kind, file: file.into(), options, right }
}

fn report(case: &Case) -> Result<Report, study::Error> {
    let named = case.options.split('&').filter_map(|option| option.split_once('='));
    let mut options = fields::options(named)?;
    options.report.resamples = Some(10);
    study::command::run(&options, case.file.as_bytes(), std::io::sink(), |_| ())
        .map(|run| run.report)
}

/// The fault of a case.
fn fault(case: &Case) -> Option<String> {
    let right_values = |report: &Report, values: &[(&str, f64, f64)]| {
        let found = values.iter().map(|(id, over, under)| {
            let found = report.measure(id).and_then(|measure| measure.value);
            let is_right = found.is_some_and(|found| (found - over / under).abs() < 1e-9);
            (is_right, format!("{id} is {found:?}, right {}", over / under))
        });
        let wrong: Vec<String> =
            found.filter(|(is_right, _)| !is_right).map(|(_, text)| text).collect();
        let understood = &report.understood;
        (!wrong.is_empty()).then(|| {
            format!(
                "{}: {}, {:?}, {:?}",
                wrong.join(", "),
                understood.read_as,
                understood.raters,
                understood.categories
            )
        })
    };
    match (case.right, report(case)) {
        (Values(values), Ok(report)) => right_values(&report, values),
        (Warned(code, values), Ok(report)) => {
            let has = report.warnings.iter().any(|warning| warning.code == code);
            let missing = || format!("no warning {code} among {:?}", report.warnings);
            right_values(&report, values).or_else(|| (!has).then(missing))
        }
        (Refused(words), Err(error)) => {
            let error = error.to_string();
            let lacks = words.iter().find(|word| !error.contains(**word));
            lacks.map(|word| format!("“{word}” is not in: {error}"))
        }
        (_, Err(error)) => Some(format!("refused: {error}")),
        (Refused(_), Ok(report)) => {
            let understood = report.understood;
            Some(format!("taken: {}, {:?}", understood.read_as, understood.raters))
        }
    }
}

fn check(cases: &[Case]) {
    let faults: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            Some(format!("{} {}\n{}\n{}", case.kind, case.options, case.file, fault(case)?))
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} are wrong\n\n{}",
        faults.len(),
        cases.len(),
        faults.join("\n\n")
    );
}

/// Six items, two raters: κ and Fleiss' κ 1/3, α 7/18.
const SIX: &[(&str, &str)] =
    &[("x", "x"), ("y", "y"), ("x", "y"), ("y", "y"), ("x", "x"), ("y", "x")];

const OF_SIX: Right = Values(&[
    ("cohen_kappa", 1.0, 3.0),
    ("krippendorff_alpha_nominal", 7.0, 18.0),
    ("fleiss_kappa", 1.0, 3.0),
]);

/// The six items as a long table under these headings, with item, rater and label in this order.
fn long(
    headings: &str,
    order: [usize; 3],
    labels: [&str; 2],
    raters: [&str; 2],
    item: &str,
) -> String {
    let mut file = format!("{headings}\n");
    let label = |word: &str| if word == "x" { labels[0] } else { labels[1] };
    for (place, (first, second)) in (1..).zip(SIX) {
        for (rater, word) in raters.iter().zip([first, second]) {
            let cells = [format!("{item}{place}"), (*rater).to_owned(), label(word).to_owned()];
            let row: Vec<&str> = order.iter().map(|&cell| cells[cell].as_str()).collect();
            file.push_str(&format!("{}\n", row.join(",")));
        }
    }
    file
}

/// The six items as a wide table.
fn wide(heading: &str, separator: &str, labels: [&str; 2]) -> String {
    let mut file = format!("{}\n", heading.replace(',', separator));
    let label = |word: &str| if word == "x" { labels[0] } else { labels[1] };
    for (place, (first, second)) in (1..).zip(SIX) {
        let cells = [place.to_string(), label(first).to_owned(), label(second).to_owned()];
        file.push_str(&format!("{}\n", cells.join(separator)));
    }
    file
}

/// κ 2/5 on 50 items.
const FIFTY: Right = Values(&[("cohen_kappa", 2.0, 5.0), ("percent", 7.0, 10.0)]);
