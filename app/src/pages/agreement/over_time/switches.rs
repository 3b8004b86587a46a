//! The switches of agreement over time: links, so that every choice has an address.

use domain::{
    Documents, PolicyChoice, ProjectId, ScaleChoice, SeveralMeasure, TimeSubject, TimeSwitches,
};
use leptos::prelude::*;

use super::wording::{measure_name, subject_name};
use crate::{pages::components::matrix::band::published, query::time_address, view::view};

/// Whose agreement, measure, policy, documents and scale, each with what the choice means.
#[component]
pub(super) fn TimeSwitchBar(project: ProjectId, switches: TimeSwitches) -> impl IntoView {
    let link = |text: &'static str, chosen: TimeSwitches| {
        let current = (chosen == switches).then_some("true");
        view! { <a class="button" href=time_address(project, chosen) aria-current=current>{text}</a> }
    };
    let subjects = TimeSubject::ALL
        .iter()
        .map(|&subject| link(subject_name(subject), TimeSwitches { subject, ..switches }));
    let measures = SeveralMeasure::ALL.iter().map(|&measure| {
        link(measure_name(measure, switches.subject), TimeSwitches { measure, ..switches })
    });
    let policies = PolicyChoice::ALL.iter().map(|&policy| {
        let text = match policy {
            PolicyChoice::Cleaned => "Cleaned",
            PolicyChoice::EmptyLabel => "Empty label",
        };
        link(text, TimeSwitches { policy, ..switches })
    });
    let documents = Documents::ALL.iter().map(|&documents| {
        let text = match documents {
            Documents::Saved => "Saved",
            Documents::Submitted => "Submitted",
        };
        link(text, TimeSwitches { documents, ..switches })
    });
    let scales = ScaleChoice::ALL
        .iter()
        .map(|&scale| link(published(scale).name, TimeSwitches { scale, ..switches }));
    let (about_subject, about_measure) = (subject_meaning(switches), measure_meaning(switches));
    view! {
        <section class="switches" aria-label="What is counted, and how">
            {switch("Between", subjects.collect_view().into_any(), about_subject)}
            {switch("Measure", measures.collect_view().into_any(), about_measure)}
            {switch("One-sided positions", policies.collect_view().into_any(), policy_meaning(switches))}
            {switch("Documents", documents.collect_view().into_any(), documents_meaning(switches))}
            {switch("Scale", scales.collect_view().into_any(), SCALE_MEANING)}
        </section>
    }
}

fn switch(name: &'static str, links: AnyView, meaning: &'static str) -> AnyView {
    view! {
        <div class="switch">
            <p class="switch-name" aria-hidden="true">{name}</p>
            <div class="segmented" role="group" aria-label=name>{links}</div>
            <p class="hint">{meaning}</p>
        </div>
    }
}

const SCALE_MEANING: &str =
    "Whose words and bounds are drawn behind the curve; the numbers stay what they are.";

const fn subject_meaning(switches: TimeSwitches) -> &'static str {
    match switches.subject {
        TimeSubject::Labelers => "All labelers at once, on every position that two have judged.",
        TimeSubject::Reviewers => "Every labeler with every reviewer, all pairs pooled.",
    }
}

const fn measure_meaning(switches: TimeSwitches) -> &'static str {
    match switches.measure {
        SeveralMeasure::FleissKappa => {
            "Agreement beyond chance, where chance follows how all use the labels together."
        }
        SeveralMeasure::Alpha => {
            "Agreement beyond chance, corrected for small samples; takes any number of raters."
        }
        SeveralMeasure::Percent => "How often two said the same; chance is not taken off.",
    }
}

const fn policy_meaning(switches: TimeSwitches) -> &'static str {
    match switches.policy {
        PolicyChoice::Cleaned => "Who has not judged a position has no part in it.",
        PolicyChoice::EmptyLabel => {
            "Who marked nothing there counts as ∅; counts only documents that were submitted."
        }
    }
}

const fn documents_meaning(switches: TimeSwitches) -> &'static str {
    match (switches.policy, switches.documents) {
        (PolicyChoice::EmptyLabel, _) => {
            "No effect with the empty label: before somebody submits, no mark is no judgement."
        }
        (PolicyChoice::Cleaned, Documents::Saved) => "Copies count as soon as they are saved.",
        (PolicyChoice::Cleaned, Documents::Submitted) => "Copies count once they are submitted.",
    }
}
