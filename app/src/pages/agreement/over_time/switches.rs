//! The switches of agreement over time: links, so that every choice has an address.

use domain::{
    Documents, PolicyChoice, ProjectId, ScaleChoice, SeveralMeasure, TimeSubject, TimeSwitches,
};

use crate::{
    pages::components::{
        agreement::matrix::{
            band::published,
            controls::switch_bar::{POLICY, SCALE_MEANING, documents_name, policy_name},
        },
        prelude::*,
    },
    query::time_address,
};

/// Whose agreement, measure, policy, documents and scale, each with what the choice means.
#[component]
pub(super) fn TimeSwitchBar(project: ProjectId, switches: TimeSwitches) -> impl IntoView {
    let link = |text: &'static str, chosen: TimeSwitches| {
        let current = (chosen == switches).then_some("true");
        view! { <a class="button" href=time_address(project, chosen) aria-current=current>{text}</a> }
    };
    let subjects = TimeSubject::ALL
        .iter()
        .map(|&subject| link(naming::time_subject(subject), TimeSwitches { subject, ..switches }));
    let measures = SeveralMeasure::ALL.iter().map(|&measure| {
        link(
            naming::several_measure(measure, switches.subject),
            TimeSwitches { measure, ..switches },
        )
    });
    let policies = PolicyChoice::ALL
        .iter()
        .map(|&policy| link(policy_name(policy), TimeSwitches { policy, ..switches }));
    let documents = Documents::ALL
        .iter()
        .map(|&documents| link(documents_name(documents), TimeSwitches { documents, ..switches }));
    let scales = ScaleChoice::ALL
        .iter()
        .map(|&scale| link(published(scale).name, TimeSwitches { scale, ..switches }));
    let (about_subject, about_measure) = (subject_meaning(switches), measure_meaning(switches));
    view! {
        <section class="switches" aria-label="What counts, and how">
            {switch("Between", subjects.collect_view().into_any(), about_subject)}
            {switch("Measure", measures.collect_view().into_any(), about_measure)}
            {switch(POLICY, policies.collect_view().into_any(), policy_meaning(switches))}
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

const fn subject_meaning(switches: TimeSwitches) -> &'static str {
    match switches.subject {
        TimeSubject::Labelers => "All labelers together, on every position judged by two.",
        TimeSubject::Reviewers => "Each labeler with each reviewer, pooled.",
    }
}

const fn measure_meaning(switches: TimeSwitches) -> &'static str {
    match switches.measure {
        SeveralMeasure::FleissKappa => {
            "Beyond chance; chance from how all together use the labels."
        }
        SeveralMeasure::Alpha => {
            "Beyond chance, corrected for small samples; any number of raters."
        }
        SeveralMeasure::Percent => "How often two say the same; no correction for chance.",
    }
}

const fn policy_meaning(switches: TimeSwitches) -> &'static str {
    match switches.policy {
        PolicyChoice::Cleaned => "Raters who did not judge a position are left out.",
        PolicyChoice::EmptyLabel => "No span counts as ∅; submitted documents only.",
    }
}

const fn documents_meaning(switches: TimeSwitches) -> &'static str {
    match (switches.policy, switches.documents) {
        (PolicyChoice::EmptyLabel, _) => {
            "No effect here: before submitting, no span is no judgement."
        }
        (PolicyChoice::Cleaned, Documents::Saved) => "Saved work counts.",
        (PolicyChoice::Cleaned, Documents::Submitted) => "Only submitted work counts.",
    }
}
