//! A labeler's own agreement, as far as the project shows it, and why not where it does not.

use domain::{Label, OwnAgreement, OwnLabel, OwnValue};

use crate::pages::components::prelude::*;

/// The labeler's own values: never another person's name or number.
#[component]
pub(super) fn OwnAgreementView(agreement: OwnAgreement, labels: Vec<Label>) -> impl IntoView {
    let value = |title, value| view! { <Value title value labels=labels.clone()/> };
    let body = match agreement {
        OwnAgreement::Never => view! {
            <p>"This project does not show labelers their agreement."</p>
        },
        OwnAgreement::NotReleased => view! {
            <p>"Not released yet by your manager."</p>
        },
        OwnAgreement::GoldOnly { reviewers } => view! {
            <p class="soft">"How far your labels match reviewer decisions. "{floor()}</p>
            <div class="grid">{value("With the reviewers", reviewers)}</div>
        },
        OwnAgreement::Shown { peers, reviewers, as_of } => {
            let as_of = as_of.map(|at| view! { "Released "<Moment at/>". " });
            view! {
                <p class="soft">{as_of}{floor()}</p>
                <div class="grid">
                    {value("With the other labelers", peers)}
                    {value("With the reviewers", reviewers)}
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
fn floor() -> String {
    format!(
        "Rounded; updated every {} new documents and {} positions, so that nobody’s work shows.",
        OwnValue::FEWEST_DOCUMENTS,
        OwnValue::FEWEST_POSITIONS
    )
}

/// One comparison: κ and α with what they rest on; below the floor, that there is nothing yet.
#[component]
fn Value(title: &'static str, value: Option<OwnValue>, labels: Vec<Label>) -> impl IntoView {
    let body = match value {
        None => view! { <p>"Not enough work yet."</p> },
        Some(OwnValue { kappa, alpha, n, labels: differing }) => {
            let most = differing_labels(&differing, &labels);
            let reason = kappa.is_none().then(|| {
                view! { <p>"No value yet: only one label occurs."</p> }
            });
            view! {
                <dl class="own-values">
                    <div><dt>"Cohen’s κ"</dt><dd class="number">{coefficient(kappa)}</dd></div>
                    <div><dt>"Krippendorff’s α"</dt><dd class="number">{coefficient(alpha)}</dd></div>
                </dl>
                {reason}
                {most}
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

/// The labels on which the others differed most; none where no label has enough positions.
fn differing_labels(differing: &[OwnLabel], labels: &[Label]) -> Option<AnyView> {
    let rows: Vec<_> = differing
        .iter()
        .filter_map(|OwnLabel { label, tenths }| {
            let label = labels.iter().find(|known| known.id == *label)?.clone();
            let class = format!("chip colour-{}", label.colour.index());
            let share = format!("about {} %", 10 * tenths);
            Some(view! {
                <li class="row spread"><span class=class dir="auto">{label.name}</span><span class="number">{share}</span></li>
            })
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <div class="stack tight">
                <p class="soft">"They gave something else most often where you gave"</p>
                <ul class="plain-list stack tight">{rows}</ul>
            </div>
        }
    })
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
            floor(),
            "Rounded; updated every 5 new documents and 30 positions, so that nobody’s work shows."
        );
    }
}
