//! A labeler's own agreement, as far as the project shows it, and why not where it does not.

use domain::{CoverageView, Measured, OwnAgreement, OwnValue, ScaleChoice};
use leptos::prelude::*;

use crate::{
    display,
    pages::components::matrix::{band::Band, face::FEW},
    view::view,
};

/// The labeler's own values: never another person's name or number.
#[component]
pub(super) fn OwnAgreementView(agreement: OwnAgreement) -> impl IntoView {
    let body = match agreement {
        OwnAgreement::Never => view! {
            <p>"This project does not show labelers their agreement. Your work counts all the same."</p>
        },
        OwnAgreement::NotReleased => view! {
            <p>"Your manager has not released agreement yet. Once they do, you will see yours here."</p>
        },
        OwnAgreement::GoldOnly { reviewers } => view! {
            <p class="soft">"How far your labels match the reviewers’ decisions, as of now."</p>
            <div class="grid"><Value title="With the reviewers" value=reviewers/></div>
        },
        OwnAgreement::Shown { peers, reviewers, as_of } => {
            let as_of = as_of.map_or_else(
                || "As of now.".to_owned(),
                |at| format!("As of {}, when your manager released it.", display::time(at)),
            );
            view! {
                <p class="soft">{as_of}</p>
                <div class="grid">
                    <Value title="With the other labelers" value=peers/>
                    <Value title="With the reviewers" value=reviewers/>
                </div>
            }
        }
    };
    view! {
        <section class="stack own-agreement" aria-labelledby="own-title">
            <h2 id="own-title">"My agreement"</h2>
            {body}
        </section>
    }
}

/// One comparison: κ and α with what they rest on.
#[component]
fn Value(title: &'static str, value: OwnValue) -> impl IntoView {
    let OwnValue { kappa, alpha, n, coverage } = value;
    let reason = match kappa {
        Measured::Undefined(reason) => {
            Some(view! { <p>{format!("No value yet: {}.", reason.sentence())}</p> })
        }
        Measured::Value { .. } => None,
    };
    let few = (kappa.value().is_some() && n < FEW)
        .then(|| view! { <p class="caution"><span class="few">"few"</span>" Few positions: these values still move a lot."</p> });
    view! {
        <div class="card">
            <h3>{title}</h3>
            <dl class="own-values">
                <div><dt>"Cohen’s κ"</dt><dd><Coefficient measured=kappa/></dd></div>
                <div><dt>"Krippendorff’s α"</dt><dd><Coefficient measured=alpha/></dd></div>
            </dl>
            {reason}
            <p class="soft number">{basis(n, coverage)}</p>
            {few}
        </div>
    }
}

/// A value with its word; a dash where there is none.
#[component]
fn Coefficient(measured: Measured) -> impl IntoView {
    let word = measured.value().map(|value| {
        let band = Band::of(value, ScaleChoice::default());
        view! { <span class=format!("band-word {}", band.class)>{band.word}</span> }
    });
    view! { <span class="number">{display::coefficient(measured)}</span> {word} }
}

/// What a value rests on.
fn basis(n: u64, coverage: CoverageView) -> String {
    format!(
        "n = {} · {} judged by both, in documents both submitted",
        display::thousands(n),
        display::coverage(coverage, coverage.both)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_says_how_much_of_the_work_it_rests_on() {
        let coverage = CoverageView { both: 42, only_first: 1000, only_second: 8 };
        assert_eq!(
            basis(42, coverage),
            "n = 42 · 42 of 1,050 positions judged by both, in documents both submitted"
        );
    }
}
