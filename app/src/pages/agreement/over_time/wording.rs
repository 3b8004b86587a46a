//! How values, their intervals and their changes are put into words here.

use domain::{
    Measured, RoundChange, ScaleChoice, SeveralMeasure, TimeSubject, TimeValue, UndefinedReason,
};
use leptos::prelude::*;

use crate::{display, pages::components::matrix::band::Band, view::view};

/// A value with its interval below it, or why there is none.
pub(super) fn value_cell(value: &TimeValue) -> AnyView {
    match value.measured {
        Measured::Value { .. } => view! {
            <strong>{display::coefficient(value.measured)}</strong>
            <br/>
            <small>{display::confidence(value.confidence)}</small>
        },
        Measured::Undefined(reason) => view! {
            <span aria-hidden="true">"– "</span>
            <small class="reason">{undefined(reason)}</small>
        },
    }
}

/// Why there is no value, in few words; what is missing says the page itself.
pub(crate) const fn undefined(reason: UndefinedReason) -> &'static str {
    match reason {
        UndefinedReason::NoSharedDocuments => "nothing to compare yet",
        UndefinedReason::NoSharedPositions => "no position that two have judged",
        UndefinedReason::OneCategory | UndefinedReason::OneChoice => {
            "one category only: chance is certain"
        }
        UndefinedReason::NothingMarked | UndefinedReason::NobodyMarked => "nothing is marked",
        UndefinedReason::NoDocumentOfAll => "no document of all labelers",
        UndefinedReason::OverlappingSpans => "spans of one label overlap",
    }
}

/// The word of the scale for what can be claimed.
pub(super) fn word(value: &TimeValue, scale: ScaleChoice) -> Option<AnyView> {
    let band = Band::claimed(value.measured.value()?, value.confidence, scale);
    let class = format!("band-word {}", band.class);
    Some(view! { <span class=class>{band.word}</span> })
}

/// "+0.12 since round 1".
pub(super) fn change(change: &RoundChange) -> String {
    let sign = if change.by > 0.0 { "+" } else { "" };
    format!("{sign}{} since round {}", display::decimals(change.by, 2), change.since)
}

/// What the measure is called for those who are compared.
pub(crate) const fn measure_name(measure: SeveralMeasure, subject: TimeSubject) -> &'static str {
    match (measure, subject) {
        (SeveralMeasure::FleissKappa, TimeSubject::Labelers) => "Fleiss’ κ",
        (SeveralMeasure::FleissKappa, TimeSubject::Reviewers) => "Scott’s π",
        (SeveralMeasure::Alpha, _) => "Krippendorff’s α",
        (SeveralMeasure::Percent, _) => "Percentage",
    }
}

/// Who is compared.
pub(crate) const fn subject_name(subject: TimeSubject) -> &'static str {
    match subject {
        TimeSubject::Labelers => "All labelers",
        TimeSubject::Reviewers => "Labelers and reviewers",
    }
}
