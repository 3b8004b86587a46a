//! The switches of the agreement pages: links, so that every choice has an address.

use domain::{Documents, Measure, PolicyChoice, ScaleChoice, Switches};
use leptos::prelude::*;

use super::{band::published, guide::MeasureGuide};
use crate::view::view;

/// Measure, policy, documents and scale, each with what the present choice means.
#[component]
pub(crate) fn SwitchBar<F>(
    /// What the page's address says now.
    switches: Signal<Switches>,
    /// The page's address under other switches.
    address: F,
    /// Leaves the measure out, where it has no say.
    #[prop(optional)]
    any_measure: bool,
) -> impl IntoView
where
    F: Fn(Switches) -> String + Clone + Send + Sync + 'static,
{
    let measures = Measure::ALL.iter().map(|&measure| {
        (
            measure_name(measure),
            choice(switches, move |s| Switches { measure, ..s }, address.clone()),
        )
    });
    let policies = PolicyChoice::ALL.iter().map(|&policy| {
        (policy_name(policy), choice(switches, move |s| Switches { policy, ..s }, address.clone()))
    });
    let documents = Documents::ALL.iter().map(|&documents| {
        let set = move |s| Switches { documents, ..s };
        (documents_name(documents), choice(switches, set, address.clone()))
    });
    let scales = ScaleChoice::ALL.iter().map(|&scale| {
        (published(scale).name, choice(switches, move |s| Switches { scale, ..s }, address.clone()))
    });
    view! {
        <section class="switches" aria-label="What is counted, and how">
            {(!any_measure).then(|| view! {
                <Switch name="Measure" choices=measures.collect() meaning=move || measure_meaning(switches.get())/>
            })}
            <Switch name="One-sided positions" choices=policies.collect() meaning=move || policy_meaning(switches.get())/>
            <Switch name="Documents" choices=documents.collect() meaning=move || documents_meaning(switches.get())/>
            <Switch name="Scale" choices=scales.collect() meaning=|| SCALE_MEANING/>
            {(!any_measure).then(|| view! { <MeasureGuide switches/> })}
        </section>
    }
}

/// A choice of a switch: whether it is the present one, and the address that makes it.
#[derive(Clone, Copy)]
struct Choice {
    current: Signal<bool>,
    address: Signal<String>,
}

fn choice(
    switches: Signal<Switches>,
    set: impl Fn(Switches) -> Switches + Copy + Send + Sync + 'static,
    address: impl Fn(Switches) -> String + Send + Sync + 'static,
) -> Choice {
    Choice {
        current: Signal::derive(move || set(switches.get()) == switches.get()),
        address: Signal::derive(move || address(set(switches.get()))),
    }
}

/// One switch. The links keep the page where it is scrolled to.
#[component]
fn Switch<M>(name: &'static str, choices: Vec<(&'static str, Choice)>, meaning: M) -> impl IntoView
where
    M: Fn() -> &'static str + Send + Sync + 'static,
{
    let links = choices.into_iter().map(|(text, Choice { current, address })| {
        view! {
            <a
                class="button"
                href=move || address.get()
                aria-current=move || current.get().then_some("true")
                data-noscroll=""
            >
                {text}
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
