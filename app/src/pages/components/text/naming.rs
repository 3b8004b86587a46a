//! What categories and raters are called.

use domain::{
    Attribute, Label, LabelId, LabelSet, MemberId, PositionKind, Rater, SeveralMeasure,
    TimeSubject, UndefinedReason,
};

/// What the two numbers are that a position is shown with.
pub(crate) const OFFSETS: &str = "Start and end, in characters";

/// "PER", "PER + ORG", "∅".
pub(crate) fn category(set: &LabelSet, labels: &[Label]) -> String {
    if set.is_empty() {
        return "∅".to_owned();
    }
    set.iter().map(|id| label(id, labels)).collect::<Vec<_>>().join(" + ")
}

/// A label's name; its number if it is newer than the page.
pub(crate) fn label(id: LabelId, labels: &[Label]) -> String {
    let known = labels.iter().find(|label| label.id == id);
    known.map_or_else(|| format!("label {id}"), |label| label.name.clone())
}

/// "PER: Gender", "Document: Genre".
pub(crate) fn question(attribute: &Attribute, labels: &[Label]) -> String {
    let of = match attribute.label {
        LabelId::DOCUMENT => "Document".to_owned(),
        id => label(id, labels),
    };
    format!("{of}: {}", attribute.name)
}

/// A rater's name; nothing for somebody who is gone.
pub(crate) fn rater(id: MemberId, raters: &[Rater]) -> String {
    raters.iter().find(|rater| rater.id == id).map(|rater| rater.name.clone()).unwrap_or_default()
}

/// Why there is no value, in few words; what is missing says the page itself.
pub(crate) const fn undefined(reason: UndefinedReason) -> &'static str {
    match reason {
        UndefinedReason::NoSharedDocuments => "nothing to compare yet",
        UndefinedReason::NoSharedPositions => "no position judged by two",
        UndefinedReason::OneCategory | UndefinedReason::OneChoice => "only one category",
        UndefinedReason::NothingMarked | UndefinedReason::NobodyMarked => "no spans",
        UndefinedReason::NoDocumentOfAll => "no document shared by all",
        UndefinedReason::OverlappingSpans => "overlapping spans of one label",
        UndefinedReason::NoCommonPositions => "spans are paired by two raters",
        UndefinedReason::TooManyOverlaps => "too many overlapping spans",
        UndefinedReason::NoOrder => "categories without an order",
        UndefinedReason::TooFewPositions => "fewer than two positions judged by all",
        UndefinedReason::NoVariance => "all positions have the same mean",
        UndefinedReason::NegativeVariance => "variance estimated below 0",
        UndefinedReason::NotPooled => "not of one with several",
        UndefinedReason::TooLongScale => "scale of more than 200 steps",
    }
}

/// What a position is called.
pub(crate) const fn position(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Exact | PositionKind::Overlapping => "position",
        PositionKind::Tokens => "token",
    }
}

/// What the measure is called for those who are compared.
pub(crate) const fn several_measure(measure: SeveralMeasure, subject: TimeSubject) -> &'static str {
    match (measure, subject) {
        (SeveralMeasure::FleissKappa, TimeSubject::Labelers) => "Fleiss’ κ",
        (SeveralMeasure::FleissKappa, TimeSubject::Reviewers) => "Scott’s π",
        (SeveralMeasure::Alpha, _) => "Krippendorff’s α",
        (SeveralMeasure::Percent, _) => "Percentage",
    }
}

/// Who is compared.
pub(crate) const fn time_subject(subject: TimeSubject) -> &'static str {
    match subject {
        TimeSubject::Labelers => "All labelers",
        TimeSubject::Reviewers => "Labelers and reviewers",
    }
}

#[cfg(test)]
mod tests {
    use domain::NewLabel;

    use super::*;

    #[test]
    fn a_category_is_called_by_its_labels() {
        let labels: Vec<_> = [(1, "PER"), (2, "ORG")]
            .into_iter()
            .map(|(id, name)| {
                let NewLabel { name, colour, hotkey } = NewLabel::numbered(name, 0);
                Label { id: LabelId(id), name, colour, hotkey }
            })
            .collect();
        let set = |ids: &[i64]| ids.iter().map(|id| LabelId(*id)).collect::<LabelSet>();
        assert_eq!(category(&set(&[]), &labels), "∅");
        assert_eq!(category(&set(&[2, 1]), &labels), "PER + ORG");
        assert_eq!(category(&set(&[2, 7]), &labels), "ORG + label 7");
    }
}
