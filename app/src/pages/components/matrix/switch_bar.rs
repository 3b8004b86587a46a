//! The switches of the agreement pages: links, so that every choice has an address.

use domain::{Documents, Measure, PolicyChoice, ScaleChoice, Switches};
use leptos::prelude::*;

use super::{band::published, guide::MeasureGuide};
use crate::view::view;

/// Measure, policy, documents and scale, each with what the present choice means.
#[component]
pub(crate) fn SwitchBar<F>(
    /// What the page's address says now.
    switches: Switches,
    /// The page's address under other switches.
    address: F,
    /// Leaves the measure out, where it has no say.
    #[prop(optional)]
    any_measure: bool,
    /// Leaves the scale out, where nothing is shown by it.
    #[prop(optional)]
    any_scale: bool,
) -> impl IntoView
where
    F: Fn(Switches) -> String,
{
    let choice =
        |name, wanted| Choice { name, is_current: wanted == switches, address: address(wanted) };
    let measures = Measure::ALL
        .iter()
        .map(|&measure| choice(measure_name(measure), Switches { measure, ..switches }));
    let policies = PolicyChoice::ALL
        .iter()
        .map(|&policy| choice(policy_name(policy), Switches { policy, ..switches }));
    let documents = Documents::ALL
        .iter()
        .map(|&documents| choice(documents_name(documents), Switches { documents, ..switches }));
    let scales = ScaleChoice::ALL
        .iter()
        .map(|&scale| choice(published(scale).name, Switches { scale, ..switches }));
    view! {
        <section class="switches" aria-label="What is counted, and how">
            {(!any_measure).then(|| view! {
                <Switch name="Measure" choices=measures.collect() meaning=measure_meaning(switches)/>
            })}
            <Switch name="One-sided positions" choices=policies.collect() meaning=policy_meaning(switches)/>
            <Switch name="Documents" choices=documents.collect() meaning=documents_meaning(switches)/>
            {(!any_scale).then(|| view! { <Switch name="Scale" choices=scales.collect() meaning=SCALE_MEANING/> })}
            {(!any_measure).then(|| view! { <MeasureGuide measure=switches.measure/> })}
        </section>
    }
}

/// A choice of a switch, and the address that makes it.
struct Choice {
    name: &'static str,
    is_current: bool,
    address: String,
}

/// One switch. The links keep the page where it is scrolled to.
#[component]
fn Switch(name: &'static str, choices: Vec<Choice>, meaning: &'static str) -> impl IntoView {
    let links = choices.into_iter().map(|Choice { name, is_current, address }| {
        view! {
            <a
                class="button"
                href=address
                aria-current=is_current.then_some("true")
                data-noscroll=""
            >
                {name}
            </a>
        }
    });
    view! {
        <div class="switch">
            <p class="switch-name" aria-hidden="true">{name}</p>
            <div class="segmented" role="group" aria-label=name>{links.collect_view()}</div>
            <p class="hint">{meaning}</p>
        </div>
    }
}

const SCALE_MEANING: &str =
    "Whose words and bounds the colours follow; the numbers stay what they are.";

const fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Kappa => "Cohen’s κ",
        Measure::Alpha => "Krippendorff’s α",
        Measure::Pi => "Scott’s π",
        Measure::S => "Bennett’s S",
        Measure::Ac1 => "Gwet’s AC1",
        Measure::Percent => "Percentage",
        Measure::F1 => "F1 (exact spans)",
    }
}

const fn policy_name(policy: PolicyChoice) -> &'static str {
    match policy {
        PolicyChoice::Cleaned => "Cleaned",
        PolicyChoice::EmptyLabel => "Empty label",
    }
}

const fn documents_name(documents: Documents) -> &'static str {
    match documents {
        Documents::Saved => "Saved",
        Documents::Submitted => "Submitted",
    }
}

const fn measure_meaning(switches: Switches) -> &'static str {
    match switches.measure {
        Measure::Kappa => {
            "Agreement beyond chance, where chance follows each rater’s own use of the labels."
        }
        Measure::Alpha => {
            "Agreement beyond chance, where chance follows how both use the labels together; \
             corrected for small samples."
        }
        Measure::Pi => {
            "Agreement beyond chance, where chance follows how both use the labels together."
        }
        Measure::S => "Agreement beyond chance, where chance is an even guess among all labels.",
        Measure::Ac1 => {
            "Agreement beyond chance that stays steady where one label is far more common."
        }
        Measure::Percent => "How often both said the same; chance is not taken off.",
        Measure::F1 => "Exactly the same spans, of all spans of both; chance is not taken off.",
    }
}

const fn policy_meaning(switches: Switches) -> &'static str {
    if matches!(switches.measure, Measure::F1) {
        return "No effect on F1: what only one of the two marked always counts against it.";
    }
    match switches.policy {
        PolicyChoice::Cleaned => {
            "Positions that only one of the two judged are left out; the coverage says how many stayed."
        }
        PolicyChoice::EmptyLabel => {
            "Where only one marked something, the other counts as ∅; counts only documents both submitted."
        }
    }
}

const fn documents_meaning(switches: Switches) -> &'static str {
    if matches!(switches.measure, Measure::F1) {
        return match switches.documents {
            Documents::Saved => "Documents count as soon as both have saved work on them.",
            Documents::Submitted => "Documents count once both have submitted them.",
        };
    }
    match (switches.policy, switches.documents) {
        (PolicyChoice::EmptyLabel, _) => {
            "No effect with the empty label: before both submit, no mark is no judgement."
        }
        (PolicyChoice::Cleaned, Documents::Saved) => {
            "Documents count as soon as both have saved work on them."
        }
        (PolicyChoice::Cleaned, Documents::Submitted) => {
            "Documents count once both have submitted them."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_label_says_that_it_counts_submitted_documents_only() {
        let empty = |documents| Switches {
            policy: PolicyChoice::EmptyLabel,
            documents,
            ..Switches::default()
        };
        assert!(policy_meaning(empty(Documents::Saved)).contains("only documents both submitted"));
        assert_eq!(
            documents_meaning(empty(Documents::Saved)),
            documents_meaning(empty(Documents::Submitted))
        );
        assert_ne!(
            documents_meaning(Switches::default()),
            documents_meaning(Switches { documents: Documents::Submitted, ..Switches::default() })
        );
    }
}
