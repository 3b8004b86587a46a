//! Words for kinds of disagreement and for verdicts.

use domain::{DisagreementKind, Verdict};

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

/// What a reviewer did, in the past.
pub(crate) const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "accepted",
        Verdict::Relabel => "relabelled",
        Verdict::Reject => "rejected",
        Verdict::Add => "added",
    }
}
