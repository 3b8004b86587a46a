//! A generated project of a wanted size: to see how the server does with as much, and for tests that
//! need a lot. The same size gives the same project on every machine.

use std::{fmt, str::FromStr};

use domain::{Range, Verdict, WorkState};

use super::{
    dice::Dice,
    sample::{LabelledRange, Review, Sample, SampleRound, SampleWork},
};

/// The project's name.
pub(super) const NAME: &str = "Generated";

/// How large a generated project is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratedSize {
    labelers: usize,
    documents: usize,
    /// In each assignment.
    spans: usize,
}

/// The most of each; more would take the demo's people into the future.
const MOST: GeneratedSize = GeneratedSize { labelers: 100, documents: 1_000, spans: 100 };

/// Why a size is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSize;

impl fmt::Display for NoSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GeneratedSize { labelers, documents, spans } = MOST;
        write!(
            f,
            "a size is labelers x documents x spans, as in 20x500x20, and at most \
             {labelers}x{documents}x{spans}"
        )
    }
}

impl std::error::Error for NoSize {}

impl FromStr for GeneratedSize {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Self, NoSize> {
        let numbers: Result<Vec<usize>, _> = text.split('x').map(str::parse).collect();
        let Ok([labelers, documents, spans]) = numbers.as_deref() else { return Err(NoSize) };
        let size = Self { labelers: *labelers, documents: *documents, spans: *spans };
        let fits = (2..=MOST.labelers).contains(&size.labelers)
            && (1..=MOST.documents).contains(&size.documents)
            && (1..=MOST.spans).contains(&size.spans);
        fits.then_some(size).ok_or(NoSize)
    }
}

impl GeneratedSize {
    pub(super) const fn labelers(self) -> usize {
        self.labelers
    }
}

const LABELS: [&str; 4] = ["PER", "ORG", "LOC", "MISC"];

/// What texts are made of.
const WORDS: [&str; 12] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu",
];

/// One word in so many is worth a span.
const STEP: usize = 6;

/// Of every so many assignments, one is saved and not submitted; of every so many documents, one is
/// reviewed.
const UNSUBMITTED: usize = 50;
const REVIEWED: usize = 10;

/// A text, and where its words are.
struct Text {
    text: String,
    words: Vec<Range>,
}

/// The project: most of the spans are alike, some are missing, longer or called otherwise.
pub(super) fn sample(size: GeneratedSize) -> Sample {
    let texts: Vec<_> = (0..size.documents).map(|document| text(document, size.spans)).collect();
    let assignments = |labeler: usize| {
        let assignment = |(document, text): (usize, &Text)| {
            let submitted = !(document + labeler).is_multiple_of(UNSUBMITTED);
            let state = if submitted { WorkState::Submitted } else { WorkState::Saved };
            SampleWork { state, spans: spans(text, document, labeler) }
        };
        texts.iter().enumerate().map(assignment).collect::<Vec<_>>()
    };
    let reviewed = texts.iter().enumerate().take(size.documents.div_ceil(REVIEWED));
    Sample {
        name: NAME,
        rounds: vec![SampleRound {
            title: "",
            note: "",
            guidelines: "# Generated\n\nThis project is generated: its texts mean nothing.",
            documents: size.documents,
            days: &[0, 1, 2, 3, 4, 5, 6, 7],
        }],
        labels: &LABELS,
        labelers: (0..size.labelers).map(assignments).collect(),
        reviews: reviewed.map(|(document, text)| review(text, document)).collect(),
        documents: texts
            .iter()
            .enumerate()
            .map(|(document, text)| (format!("document {}", document + 1), text.text.clone()))
            .collect(),
    }
}

fn seed(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn text(document: usize, spans: usize) -> Text {
    let mut dice = Dice::new([seed(document)]);
    let (mut text, mut words, mut at) = (String::new(), Vec::new(), 0);
    for _ in 0..spans * STEP {
        let word = dice.pick(&WORDS).copied().unwrap_or_default();
        let end = at + u32::try_from(word.len()).unwrap_or_default();
        words.push(Range::new(at, end));
        text.push_str(word);
        text.push(' ');
        at = end + 1;
    }
    Text { text: text.trim_end().to_owned(), words }
}

/// What a labeler marks: every sixth word, as they see it.
fn spans(text: &Text, document: usize, labeler: usize) -> Vec<LabelledRange> {
    let mut dice = Dice::new([seed(document), seed(labeler)]);
    let mut spans = Vec::new();
    for (place, words) in text.words.chunks(STEP).enumerate() {
        let label = LABELS.iter().cycle().nth(place + document).copied();
        let [first, second, ..] = words else { continue };
        if dice.chance(50) {
            continue;
        }
        let end = if dice.chance(80) { second.end } else { first.end };
        let other = dice.pick(&LABELS).copied();
        let label = if dice.chance(100) { other } else { label };
        spans.extend(label.map(|label| (Range::new(first.start, end), label)));
    }
    spans
}

/// What the reviewer decides: most of what the first labeler has is right.
fn review(text: &Text, document: usize) -> Review {
    let mut dice = Dice::new([seed(document), u64::MAX]);
    let decide = |(range, label)| {
        if dice.chance(100) {
            (range, Verdict::Reject, Vec::new())
        } else {
            (range, Verdict::Accept, vec![label])
        }
    };
    let decisions = spans(text, document, 0).into_iter().map(decide).collect();
    Review { state: WorkState::Submitted, decisions }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_three_numbers_within_bounds() {
        let size: GeneratedSize = "20x500x20".parse().unwrap();
        assert_eq!((size.labelers, size.documents, size.spans), (20, 500, 20));
        for wrong in ["", "20x500", "1x5x5", "2x0x5", "2x5x5x5", "101x5x5", "2x5x-1"] {
            assert_eq!(wrong.parse::<GeneratedSize>(), Err(NoSize), "{wrong}");
        }
    }

    #[test]
    fn the_same_size_gives_the_same_project_with_its_marks_in_its_texts() {
        let size = "3x12x5".parse().unwrap();
        let (one, other) = (sample(size), sample(size));
        assert_eq!((&one.labelers, &one.reviews), (&other.labelers, &other.reviews));
        assert_eq!(one.documents, other.documents);
        for assignments in &one.labelers {
            assert_eq!(assignments.len(), 12);
            for ((_, text), assignment) in one.documents.iter().zip(assignments) {
                let length = u32::try_from(text.chars().count()).unwrap();
                assert!(assignment.spans.iter().all(|(range, _)| range.end <= length));
            }
        }
        assert_ne!(one.labelers[0], one.labelers[1]);
    }
}
