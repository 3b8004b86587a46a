//! Where a coefficient comes from: its formula filled in, or why there is nothing to fill in.

use domain::{Measured, PairView, Steps};
use leptos::prelude::*;

use crate::view::view;

use super::{alpha::AlphaSteps, chance::ChanceSteps, kappa::KappaSteps, plain::PlainSteps};

/// The formula of the chosen measure with the numbers of this pair.
#[component]
pub(crate) fn FilledFormula(pair: PairView) -> impl IntoView {
    view! {
        <section class="stack" aria-labelledby="formula-title">
            <h2 id="formula-title">"Why this number"</h2>
            {filled(pair)}
        </section>
    }
}

/// The steps, or why there are none.
pub(crate) fn filled(pair: PairView) -> AnyView {
    let note = "Numbers are rounded on screen only; the computation is not.";
    match (&pair.steps, pair.cell.measured) {
        (Some(Steps::Kappa { .. }), _) => {
            view! { <KappaSteps pair/><p class="soft">{note}</p> }
        }
        (Some(Steps::Alpha { .. }), _) => {
            view! { <AlphaSteps pair/><p class="soft">{note}</p> }
        }
        (Some(Steps::Pi { .. } | Steps::S { .. } | Steps::Ac1 { .. }), _) => {
            view! { <ChanceSteps pair/><p class="soft">{note}</p> }
        }
        (Some(Steps::Percent { .. } | Steps::F1 { .. }), _) => {
            view! { <PlainSteps pair/><p class="soft">{note}</p> }
        }
        (None, Measured::Undefined(reason)) => {
            view! { <p>{format!("There is nothing to fill in: {}.", reason.sentence())}</p> }
        }
        (None, Measured::Value { .. }) => ().into_any(),
    }
}
