//! Words for kinds of disagreement and for verdicts.

use domain::{DisagreementKind, Judgement, PositionRow, Verdict};

/// The icon, the word and the meaning of a kind.
pub(crate) const fn kind_words(
    kind: DisagreementKind,
) -> (&'static str, &'static str, &'static str) {
    match kind {
        DisagreementKind::Label => ("≠", "label", "different labels on the same position"),
        DisagreementKind::OneSided => ("◐", "marked by only one", "others have no span near it"),
        DisagreementKind::Boundary => ("↔", "boundaries", "others have an overlapping span"),
    }
}

/// The same of a row of positions, where raters differ.
pub(crate) fn kind_of_row(row: &PositionRow) -> Option<(&'static str, String, &'static str)> {
    let judgements: Vec<_> = row.said.iter().map(|said| said.judgement.clone()).collect();
    row.kind.map(|kind| kind_told(kind, &judgements))
}

/// The icon, the word and the meaning of a kind where it is known who said what: "marked by 1 of 3".
pub(crate) fn kind_told(
    kind: DisagreementKind,
    judgements: &[Judgement],
) -> (&'static str, String, &'static str) {
    let (icon, word, meaning) = kind_words(kind);
    if kind != DisagreementKind::OneSided {
        return (icon, word.to_owned(), meaning);
    }
    let has_marked = |said: &&Judgement| matches!(said, Judgement::Labels(set) if !set.is_empty());
    let marked = judgements.iter().filter(has_marked).count();
    let judged = judgements.iter().filter(|said| **said != Judgement::NotJudged).count();
    (icon, format!("marked by {marked} of {judged}"), meaning)
}

/// What a reviewer did, in the past.
pub(crate) const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "accepted",
        Verdict::Relabel => "relabelled",
        Verdict::Reject => "rejected",
        Verdict::Add => "added",
    }
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, LabelSet};

    use super::*;

    #[test]
    fn who_marked_a_position_is_told_of_those_who_judged_it() {
        let marked = Judgement::Labels(LabelSet::one(LabelId(1)));
        let judgements = [marked, Judgement::Nothing, Judgement::NotJudged, Judgement::Nothing];
        assert_eq!(kind_told(DisagreementKind::OneSided, &judgements).1, "marked by 1 of 3");
        assert_eq!(kind_told(DisagreementKind::Label, &judgements).1, "label");
    }
}
