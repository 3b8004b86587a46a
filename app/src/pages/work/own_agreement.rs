//! A labeler's own agreement, as far as the project shows it, and why not where it does not.

use domain::{OwnAgreement, OwnValue};

use crate::pages::components::prelude::*;

/// The labeler's own values: never another person's name or number.
#[component]
pub(super) fn OwnAgreementView(agreement: OwnAgreement) -> impl IntoView {
    let body = match agreement {
        OwnAgreement::Never => view! {
            <p>"This project does not show labelers their agreement."</p>
        },
        OwnAgreement::NotReleased => view! {
            <p>"Not released yet by your manager."</p>
        },
        OwnAgreement::GoldOnly { reviewers } => view! {
            <p class="soft">{floor("How far your labels match reviewer decisions.")}</p>
            <div class="grid"><Value title="With the reviewers" value=reviewers/></div>
        },
        OwnAgreement::Shown { peers, reviewers, as_of } => {
            let as_of =
                as_of.map_or_else(String::new, |at| format!("Released {}.", display::time(at)));
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
        <Section title_id="own-title" title="My agreement" class="stack own-agreement">
            {body}
        </Section>
    }
}

/// What the values are, and that they are rounded and move by batches only.
fn floor(what: &str) -> String {
    let floor = format!(
        "Rounded; updated every {} new documents and {} positions, so that nobody’s work shows.",
        OwnValue::FEWEST_DOCUMENTS,
        OwnValue::FEWEST_POSITIONS
    );
    if what.is_empty() { floor } else { format!("{what} {floor}") }
}

/// One comparison: κ and α with what they rest on; below the floor, that there is nothing yet.
#[component]
fn Value(title: &'static str, value: Option<OwnValue>) -> impl IntoView {
    let body = match value {
        None => view! { <p>"Not enough work yet."</p> },
        Some(OwnValue { kappa, alpha, n }) => {
            let reason = kappa.is_none().then(|| {
                view! { <p>"No value yet: only one label occurs."</p> }
            });
            view! {
                <dl class="own-values">
                    <div><dt>"Cohen’s κ"</dt><dd class="number">{coefficient(kappa)}</dd></div>
                    <div><dt>"Krippendorff’s α"</dt><dd class="number">{coefficient(alpha)}</dd></div>
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

/// A value, without a word since it comes without an interval; a dash where there is none.
fn coefficient(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| display::decimals(value, 2))
}

/// What a value rests on.
fn basis(n: u64) -> String {
    format!("{} or more positions labelled by both", display::thousands(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_says_roughly_what_it_rests_on_and_how_it_moves() {
        assert_eq!(basis(1_000), "1,000 or more positions labelled by both");
        assert_eq!(
            floor("As of now."),
            "As of now. Rounded; updated every 5 new documents and 30 positions, so that nobody’s work shows."
        );
    }
}
