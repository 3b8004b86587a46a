//! Words for kinds of disagreement and for verdicts.

use domain::{DisagreementKind, Judgement, Verdict};

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

/// The word of a kind where it is known who said what: "marked by 1 of 3".
pub(crate) fn kind_told(kind: DisagreementKind, judgements: &[Judgement]) -> String {
    if kind != DisagreementKind::OneSided {
        return kind_words(kind).1.to_owned();
    }
    let marked =
        |judgement: &&Judgement| matches!(judgement, Judgement::Labels(set) if !set.is_empty());
    let judged = |judgement: &&Judgement| **judgement != Judgement::NotJudged;
    let (marked, judged) =
        (judgements.iter().filter(marked).count(), judgements.iter().filter(judged).count());
    format!("marked by {marked} of {judged}")
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
        assert_eq!(kind_told(DisagreementKind::OneSided, &judgements), "marked by 1 of 3");
        assert_eq!(kind_told(DisagreementKind::Label, &judgements), "label");
    }
}
