//! How points are put: each with its answer.

use domain::{Confidence, Measured};
use formats::ReportBlock;

use crate::agreement::{table, tables};

pub(super) const NOT_RECORDED: &str = "not recorded";

/// A table of points and their answers.
pub(super) fn points<const N: usize>(caption: &str, points: [(&str, String); N]) -> ReportBlock {
    let rows = points.map(|(point, answer)| vec![point.to_owned(), answer]).into();
    table(caption, (tables::heads(["Point", "Answer"]), rows))
}

/// A value with its interval.
pub(super) fn with_interval(measured: Measured, confidence: Confidence) -> String {
    match measured {
        Measured::Value { .. } => {
            format!("{} (95 % interval {})", tables::value(measured), tables::interval(confidence))
        }
        Measured::Undefined(_) => tables::value(measured),
    }
}

/// Of a list, or that there is nothing.
pub(super) fn or_none(words: Vec<String>) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join("; ") }
}

/// What people wrote, or that they wrote nothing.
pub(super) fn not_recorded(words: Vec<String>) -> String {
    if words.is_empty() { NOT_RECORDED.to_owned() } else { words.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wrote_is_not_recorded_and_what_there_is_none_of_is_none() {
        assert_eq!(not_recorded(Vec::new()), "not recorded");
        assert_eq!(or_none(Vec::new()), "none");
        assert_eq!(or_none(vec!["a".to_owned(), "b".to_owned()]), "a; b");
    }
}
