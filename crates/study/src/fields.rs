//! Options as a form has them: names and texts, called as on the command line.

use std::str::FromStr;

use crate::command::Options;
use crate::read::Extent;
use crate::{Misuse, words};

/// The options that fields name. An empty field says nothing; a field that is there several times
/// says all of it.
pub fn options<N, T>(fields: impl IntoIterator<Item = (N, T)>) -> Result<Options, Misuse>
where
    N: AsRef<str>,
    T: AsRef<str>,
{
    let mut options = Options::default();
    for (name, text) in fields {
        let text = text.as_ref().trim();
        if !text.is_empty() {
            set(&mut options, name.as_ref(), text)?;
        }
    }
    Ok(options)
}

fn set(options: &mut Options, name: &str, text: &str) -> Result<(), Misuse> {
    let (read, report) = (&mut options.read, &mut options.report);
    match name {
        "delimiter" => read.delimiter = Some(text.parse()?),
        "header" => read.header = Some(yes_or_no(text)?),
        "form" => read.form = Some(text.parse()?),
        "units" => read.units = Some(extent(text)?),
        "continuum" => read.continuum = Some(continuum(text)?),
        "level" => read.level = text.parse()?,
        "raters" => read.raters.extend(list(text)),
        "columns" => read.columns.extend(list(text)),
        "sequence" => read.sequence = Some(text.to_owned()),
        "categories" => read.categories.extend(list(text)),
        "missing" => text.split(',').for_each(|word| read.missing.add(word.trim())),
        "strict" => read.strict = yes_or_no(text)?,
        "measures" => report.measures.extend(list(text)),
        "consensus" => report.consensus = Some(text.parse()?),
        "gold" => report.gold = Some(text.to_owned()),
        "stand-in" => report.stand_in = Some(text.to_owned()),
        "annotators" => report.annotators = Some(text.parse()?),
        "diagnostics" => {
            for word in list(text) {
                match word.as_str() {
                    "all" => report.all_diagnostics = true,
                    word => report.diagnostics.push(word.parse()?),
                }
            }
        }
        "top" => report.top = parse_number(text)?,
        "confidence" => report.confidence = parse_number(text)?,
        "resamples" => report.resamples = Some(parse_number(text)?),
        "seed" => report.seed = parse_number(text)?,
        _ => return Err(words::unknown(name, "an option", NAMES)),
    }
    Ok(())
}

/// What fields can be called.
const NAMES: &[&str] = &[
    "delimiter",
    "header",
    "form",
    "units",
    "continuum",
    "level",
    "raters",
    "columns",
    "sequence",
    "categories",
    "missing",
    "strict",
    "measures",
    "consensus",
    "gold",
    "stand-in",
    "annotators",
    "diagnostics",
    "top",
    "confidence",
    "resamples",
    "seed",
];

/// Where a continuum begins and ends, as in `0-5000`.
pub fn continuum(text: &str) -> Result<(u64, u64), Misuse> {
    let ends = text
        .split_once('-')
        .and_then(|(begin, end)| Some((begin.trim().parse().ok()?, end.trim().parse().ok()?)));
    let is_wrong = || words::unknown(text, "a continuum", &["where it begins and ends, as 0-5000"]);
    ends.filter(|(begin, end)| begin < end).ok_or_else(is_wrong)
}

/// Units, and perhaps what their second number is.
fn extent(text: &str) -> Result<Option<Extent>, Misuse> {
    if text == "yes" { Ok(None) } else { text.parse().map(Some) }
}

fn yes_or_no(text: &str) -> Result<bool, Misuse> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(words::unknown(text, "an answer", &["yes", "no"])),
    }
}

fn parse_number<N: FromStr>(text: &str) -> Result<N, Misuse> {
    text.parse().map_err(|_| words::unknown(text, "a number that fits here", &["as in 20"]))
}

/// `a, b` as a list.
fn list(text: &str) -> impl Iterator<Item = String> {
    text.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Delimiter, Form, Level, Missing};
    use crate::report::{Annotators, ConsensusMethod, Diagnostic};

    #[test]
    fn nothing_is_said_by_empty_fields() {
        let empty = NAMES.iter().map(|name| (*name, " "));
        assert_eq!(options(empty), Ok(Options::default()));
    }

    #[test]
    fn each_field_is_the_option_of_its_name() {
        let said = [
            ("delimiter", "tab"),
            ("header", "no"),
            ("form", "long"),
            ("units", "end"),
            ("continuum", "150-450"),
            ("level", "ordinal"),
            ("raters", "a, b"),
            ("raters", "3-5"),
            ("columns", "1,2"),
            ("sequence", "4"),
            ("categories", "low,high"),
            ("missing", "-"),
            ("strict", "yes"),
            ("measures", "percent"),
            ("consensus", "majority"),
            ("gold", "a"),
            ("stand-in", "c"),
            ("annotators", "experts"),
            ("diagnostics", "items"),
            ("diagnostics", "all"),
            ("top", "5"),
            ("confidence", "0.9"),
            ("resamples", "50"),
            ("seed", "7"),
        ];
        let Options { read, report, .. } = options(said).unwrap();
        assert_eq!((read.delimiter, read.header), (Some(Delimiter::Tab), Some(false)));
        assert_eq!((read.form, read.units), (Some(Form::Long), Some(Some(Extent::End))));
        assert_eq!((read.continuum, read.level), (Some((150, 450)), Level::Ordinal));
        assert_eq!(read.raters, ["a", "b", "3-5"]);
        assert_eq!((read.columns, read.categories.len()), (vec!["1".into(), "2".into()], 2));
        assert_eq!(read.sequence.as_deref(), Some("4"));
        assert_eq!((read.missing, read.strict), (Missing::of(["-"]), true));
        assert_eq!(report.measures, ["percent"]);
        assert_eq!(report.consensus, Some(ConsensusMethod::Majority));
        let (gold, stand_in) = (report.gold.as_deref(), report.stand_in.as_deref());
        assert_eq!((gold, stand_in), (Some("a"), Some("c")));
        assert_eq!(report.annotators, Some(Annotators::Experts));
        assert_eq!((report.diagnostics, report.all_diagnostics), (vec![Diagnostic::Items], true));
        assert_eq!((report.top, report.resamples, report.seed), (5, Some(50), 7));
        assert!((report.confidence - 0.9).abs() < f64::EPSILON);
        let named: Vec<_> = said.iter().map(|(name, _)| *name).collect();
        assert!(NAMES.iter().all(|name| named.contains(name)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (name, text, words) in [
            ("level", "nomnal", "“nomnal” is not a level of measurement"),
            ("top", "many", "“many” is not a number"),
            ("header", "maybe", "“maybe” is not an answer"),
            ("colour", "red", "“colour” is not an option"),
        ] {
            let misuse = options([(name, text)]).unwrap_err().to_string();
            assert!(misuse.starts_with(words), "{misuse}");
        }
    }

    #[test]
    fn a_continuum_has_two_ends_in_order() {
        assert_eq!(continuum("150-450"), Ok((150, 450)));
        for wrong in ["", "5", "5-", "9-3", "a-b", "-1-5"] {
            continuum(wrong).unwrap_err();
        }
    }
}
