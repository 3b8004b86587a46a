//! A labeler's own agreement, as far as the project shows it, and why not where it does not.

use domain::{OwnAgreement, OwnValue, ScaleChoice};
use leptos::prelude::*;

use crate::{display, pages::components::matrix::band::Band, view::view};

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
            <p class="soft">{floor("How far your labels match the reviewers’ decisions.")}</p>
            <div class="grid"><Value title="With the reviewers" value=reviewers/></div>
        },
        OwnAgreement::Shown { peers, reviewers, as_of } => {
            let as_of = as_of.map_or_else(String::new, |at| {
                format!("As of {}, when your manager released it.", display::time(at))
            });
            view! {
                <p class="soft">{floor(&as_of)}</p>
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

/// What the values are, and that they are rounded and move by batches only.
fn floor(what: &str) -> String {
    let floor = format!(
        "Rounded, and moved only by {} new documents and {} positions at a time, so that nobody’s work shows.",
        OwnValue::FEWEST_DOCUMENTS,
        OwnValue::FEWEST_POSITIONS
    );
    if what.is_empty() { floor } else { format!("{what} {floor}") }
}

/// One comparison: κ and α with what they rest on; below the floor, that there is nothing yet.
#[component]
fn Value(title: &'static str, value: Option<OwnValue>) -> impl IntoView {
    let body = match value {
        None => view! { <p>"Not enough to show yet."</p> },
        Some(OwnValue { kappa, alpha, n }) => {
            let reason = kappa.is_none().then(|| {
                view! { <p>"No value yet: only one label occurs."</p> }
            });
            view! {
                <dl class="own-values">
                    <div><dt>"Cohen’s κ"</dt><dd><Coefficient value=kappa/></dd></div>
                    <div><dt>"Krippendorff’s α"</dt><dd><Coefficient value=alpha/></dd></div>
                </dl>
                {reason}
                <p class="soft number">{basis(n)}</p>
            }
        }
    };
    view! {
        <div class="card">
            <h3>{title}</h3>
            {body}
        </div>
    }
}

/// A value with its word; a dash where there is none.
#[component]
fn Coefficient(value: Option<f64>) -> impl IntoView {
    let word = value.map(|value| {
        let band = Band::of(value, ScaleChoice::default());
        view! { <span class=format!("band-word {}", band.class)>{band.word}</span> }
    });
    let value = value.map_or_else(|| "–".to_owned(), |value| display::decimals(value, 2));
    view! { <span class="number">{value}</span> {word} }
}

/// What a value rests on.
fn basis(n: u64) -> String {
    format!("{} positions or more that both marked", display::thousands(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_says_roughly_what_it_rests_on_and_how_it_moves() {
        assert_eq!(basis(1_000), "1,000 positions or more that both marked");
        assert_eq!(
            floor("As of now."),
            "As of now. Rounded, and moved only by 5 new documents and 30 positions at a time, so that nobody’s work shows."
        );
    }
}
