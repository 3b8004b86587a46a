//! Where a coefficient comes from: its formula filled in, or why there is nothing to fill in.

use domain::{Measured, PairView, Steps};

use crate::pages::components::prelude::*;

use super::{
    alpha::AlphaSteps,
    beyond_chance::{ChanceSteps, KappaSteps},
    plain::PlainSteps,
};

/// The formula of the chosen measure with the numbers of this pair.
#[component]
pub(crate) fn FilledFormula(pair: PairView) -> impl IntoView {
    view! {
        <Section title_id="formula-title" title="Why this number">
            {filled(pair)}
        </Section>
    }
}

/// The steps, or why there are none.
pub(crate) fn filled(pair: PairView) -> AnyView {
    let note = "Rounded on screen only.";
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
        (
            Some(
                Steps::Percent { .. }
                | Steps::F1 { .. }
                | Steps::Graded { .. }
                | Steps::Correlation { .. },
            ),
            _,
        ) => {
            view! { <PlainSteps pair/><p class="soft">{note}</p> }
        }
        (None, Measured::Undefined(reason)) => {
            view! { <p>{format!("Nothing to compute: {}.", reason.sentence())}</p> }
        }
        (None, Measured::Value { .. }) => ().into_any(),
    }
}
