//! What a cell of the matrix says: value, word, basis and the whole in a sentence.

use domain::{Confidence, FEW, Measured, PairCell, ScaleChoice, UndefinedReason};

use crate::{display, pages::components::agreement::matrix::band::Band};

/// The texts of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// "0.54", "−0.07", "–".
    pub(crate) value: String,
    /// The word that can be claimed, if any, or in short why there is no value.
    pub(crate) word: &'static str,
    /// "0.41 to 0.67", "interval pending"; empty where there is no value.
    pub(crate) interval: String,
    /// Value, and the ends of its interval where it has one, to be drawn.
    pub(crate) drawn: Option<(f64, Option<(f64, f64)>)>,
    /// "n=6 · 6 of 8"; empty where nothing was compared.
    pub(crate) basis: String,
    /// Everything in full.
    pub(crate) sentence: String,
    pub(crate) class: &'static str,
    /// The words that mark a value on few positions; none on many.
    pub(crate) few: Option<String>,
}

/// What a pair's cell says on a scale.
pub(crate) fn face(cell: &PairCell, scale: ScaleChoice) -> Face {
    let n = display::thousands(cell.n);
    let basis = format!(
        "n={n} · {} of {}",
        display::thousands(cell.coverage.both),
        display::thousands(cell.coverage.positions())
    );
    let counted = format!(
        "{n} counted; both judged {} in {}",
        display::coverage(cell.coverage, cell.coverage.both),
        display::count(cell.documents, "document")
    );
    match cell.measured {
        Measured::Value { value, .. } => {
            let claimed = Band::claimed(cell.confidence, scale);
            // A cell without an interval has a colour all the same, by which the matrix is seen as a whole.
            let class = claimed.unwrap_or_else(|| Band::of(value, scale)).class;
            let word = claimed.map_or("", |band| band.word);
            let in_brackets = claimed.map(|band| format!(" ({})", band.word)).unwrap_or_default();
            let few = few_words(cell);
            let caution =
                few.as_ref().map_or("", |_| "; few positions, so each moves the value a lot");
            Face {
                value: display::coefficient(cell.measured),
                word,
                interval: display::confidence(cell.confidence),
                drawn: Some((value, ends(cell.confidence))),
                basis,
                sentence: format!(
                    "{}{in_brackets}, {}: {counted}{caution}",
                    display::coefficient(cell.measured),
                    display::confidence_in_full(cell.confidence)
                ),
                class,
                few,
            }
        }
        Measured::Undefined(reason) => Face {
            value: display::coefficient(cell.measured),
            word: in_short(reason),
            interval: String::new(),
            drawn: None,
            basis: if reason == UndefinedReason::NoSharedDocuments { String::new() } else { basis },
            sentence: match reason {
                UndefinedReason::NoSharedDocuments => format!("no value: {}", reason.sentence()),
                _ => format!("no value: {}; {counted}", reason.sentence()),
            },
            class: "undefined",
            few: None,
        },
    }
}

const fn ends(confidence: Confidence) -> Option<(f64, f64)> {
    match confidence {
        Confidence::Interval { lower, upper } => Some((lower, upper)),
        Confidence::Pending | Confidence::None(_) => None,
    }
}

/// Marks a value on fewer than [`FEW`] positions, "few: n < 30", or that counts so many and has
/// fewer with a judgement, "few: 12 < 30". By token most may be without one, which says little.
pub(crate) fn few_words(cell: &PairCell) -> Option<String> {
    cell.measured.value()?;
    let judged = cell.coverage.positions();
    match (cell.n < FEW, judged < FEW) {
        (true, _) => Some(format!("few: n < {FEW}")),
        (false, true) => Some(format!("few: {judged} < {FEW}")),
        (false, false) => None,
    }
}

/// The reason in the few words that a cell has room for.
pub(crate) const fn in_short(reason: UndefinedReason) -> &'static str {
    match reason {
        UndefinedReason::NoSharedDocuments | UndefinedReason::NoDocumentOfAll => "never compared",
        UndefinedReason::NoSharedPositions => "no shared positions",
        UndefinedReason::OneCategory | UndefinedReason::OneChoice => "one category",
        UndefinedReason::NothingMarked | UndefinedReason::NobodyMarked => "no spans",
        UndefinedReason::OverlappingSpans => "overlapping spans",
        UndefinedReason::NoCommonPositions => "pairs only",
        UndefinedReason::TooManyOverlaps => "too many overlaps",
        UndefinedReason::NoOrder => "no order",
        UndefinedReason::TooFewPositions => "too few positions",
        UndefinedReason::NoVariance => "no variance",
        UndefinedReason::NegativeVariance => "variance below 0",
        UndefinedReason::NotPooled => "not pooled",
        UndefinedReason::TooLongScale => "scale too long",
    }
}

#[cfg(test)]
mod tests {
    use domain::{CoverageView, MemberId};

    use super::*;

    fn cell(measured: Measured, n: u64) -> PairCell {
        PairCell {
            first: MemberId(1),
            second: MemberId(2),
            measured,
            confidence: Confidence::Interval { lower: 0.125, upper: 1.03 },
            n,
            coverage: CoverageView { both: n, only_first: 1, only_second: 1 },
            documents: 1,
        }
    }

    fn value(value: f64, n: u64) -> PairCell {
        cell(Measured::Value { value, observed: 0.5, expected: 0.5 }, n)
    }

    #[test]
    fn a_value_comes_with_its_lower_bounds_word_interval_n_and_coverage() {
        let face = face(&value(7.0 / 13.0, 6), ScaleChoice::LandisKoch);
        assert_eq!((face.value.as_str(), face.word), ("0.54", "slight"));
        assert_eq!(face.basis, "n=6 · 6 of 8");
        assert_eq!(face.interval, "0.13 to 1.00");
        assert_eq!(
            face.sentence,
            "0.54 (slight), 95 % interval 0.13 to 1.00: 6 counted; both judged 6 of 8 positions \
             in 1 document; few positions, so each moves the value a lot"
        );
    }

    #[test]
    fn a_value_without_an_interval_has_no_word() {
        let confidence = Confidence::None(domain::NoInterval::OneDocument);
        let face = face(&PairCell { confidence, ..value(0.29, 40) }, ScaleChoice::LandisKoch);
        assert_eq!((face.value.as_str(), face.word, face.class), ("0.29", "", "band-2"));
        assert!(face.sentence.starts_with("0.29, no interval"), "{}", face.sentence);
    }

    #[test]
    fn fewer_than_thirty_positions_are_few() {
        let few = |cell: &PairCell| face(cell, ScaleChoice::Green).few;
        assert_eq!(few(&value(1.0, 29)).as_deref(), Some("few: n < 30"));
        assert_eq!(few(&value(1.0, 30)), None);
        let tokens = PairCell { n: 5_000, ..value(1.0, 4) };
        assert_eq!(few(&tokens).as_deref(), Some("few: 6 < 30"));
    }

    #[test]
    fn no_value_is_a_dash_with_its_reason_and_never_a_zero() {
        let never = face(
            &cell(Measured::Undefined(UndefinedReason::NoSharedDocuments), 0),
            ScaleChoice::Green,
        );
        assert_eq!((never.value.as_str(), never.word), ("–", "never compared"));
        assert_eq!(never.basis, "");
        assert_eq!(never.sentence, "no value: no shared document");

        let one =
            face(&cell(Measured::Undefined(UndefinedReason::OneCategory), 3), ScaleChoice::Green);
        assert_eq!((one.value.as_str(), one.basis.as_str()), ("–", "n=3 · 3 of 5"));
        assert!(one.sentence.contains("0/0") && one.few.is_none());
    }
}
