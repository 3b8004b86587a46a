//! The worked example of the literature: one sentence pair, two labelers, one reviewer, and
//! values that can be looked up.

use domain::{Range, Verdict, WorkState, base::text};

use super::sample::{LabelledRange, Review, Sample, SampleRound, SampleWork};

const TEXT: &str = include_str!("../samples/hamlet.txt");

/// The project's name.
pub(super) const NAME: &str = "Hamlet";

/// The project. Compared without ∅, labeler A and the reviewer have α = 0.56 and
/// κ = .538; with ∅, κ is .4878 between the labelers, .36 and .475 between each and the reviewer.
pub(super) fn sample() -> Sample {
    let [tragedy, prince, hamlet, william, from, to, shakespeare, words] = positions();
    let first = vec![
        (tragedy, "EVE"),
        (prince, "PER"),
        (hamlet, "PER"),
        (william, "PER"),
        (from, "YEAR"),
        (to, "YEAR"),
        (shakespeare, "ORG"),
    ];
    let second = vec![
        (tragedy, "TITLE"),
        (hamlet, "TITLE"),
        (william, "PER"),
        (from, "YEAR"),
        (to, "YEAR"),
        (shakespeare, "ORG"),
    ];
    // Nothing is decided on the prince.
    let decisions = vec![
        (tragedy, Verdict::Accept, vec!["TITLE"]),
        (hamlet, Verdict::Accept, vec!["PER"]),
        (william, Verdict::Accept, vec!["PER"]),
        (from, Verdict::Accept, vec!["YEAR"]),
        (to, Verdict::Accept, vec!["YEAR"]),
        (shakespeare, Verdict::Relabel, vec!["PER"]),
        (words, Verdict::Add, vec!["QTY"]),
    ];
    let submitted =
        |spans: Vec<LabelledRange>| vec![SampleWork { state: WorkState::Submitted, spans }];
    Sample {
        name: NAME,
        rounds: vec![SampleRound {
            title: "",
            note: "",
            guidelines: include_str!("../samples/hamlet_guidelines.md"),
            documents: 1,
            days: &[4],
        }],
        labels: &["EVE", "TITLE", "PER", "ORG", "YEAR", "QTY"],
        documents: vec![(NAME.to_owned(), TEXT.trim_end().to_owned())],
        labelers: vec![submitted(first), submitted(second)],
        reviews: vec![Review { state: WorkState::Submitted, decisions }],
    }
}

/// The eight positions of the example, in the order of the text.
fn positions() -> [Range; 8] {
    [
        ("", "The Tragedy of Hamlet"),
        ("", "Prince of Denmark"),
        ("shortened to ", "Hamlet"),
        ("", "William Shakespeare"),
        ("", "1599"),
        ("", "1601"),
        ("It is ", "Shakespeare"),
        ("", "30557"),
    ]
    .map(|(before, words)| find(before, words))
}

/// Where the words stand that follow `before`.
fn find(before: &str, words: &str) -> Range {
    let start = TEXT.find(&format!("{before}{words}")).map_or(0, |at| at + before.len());
    let start = text::length(TEXT.get(..start).unwrap_or_default());
    Range::new(start, start + text::length(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_hold_the_words_of_the_example() {
        let words = positions().map(|range| text::slice(TEXT, range));
        assert_eq!(
            words,
            [
                "The Tragedy of Hamlet",
                "Prince of Denmark",
                "Hamlet",
                "William Shakespeare",
                "1599",
                "1601",
                "Shakespeare",
                "30557",
            ]
        );
        assert!(positions().is_sorted());
    }
}
