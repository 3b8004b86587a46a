//! How values, their intervals and their changes are put into words here.

use domain::{Measured, RoundChange, ScaleChoice, TimeValue};

use crate::pages::components::{agreement::matrix::band::Band, prelude::*};

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
            <small class="reason">{naming::undefined(reason)}</small>
        },
    }
}

/// The word of the scale for what can be claimed.
pub(super) fn word(value: &TimeValue, scale: ScaleChoice) -> Option<AnyView> {
    Band::claimed(value.confidence, scale).map(Band::badge)
}

/// "+0.12 since round 1".
pub(super) fn change(change: &RoundChange) -> String {
    let sign = if change.by > 0.0 { "+" } else { "" };
    format!("{sign}{} since round {}", display::decimals(change.by, 2), change.since)
}
