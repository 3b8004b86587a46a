//! The switches of agreement over time: menus of links, so that every choice has an address.

use domain::{
    Documents, PolicyChoice, PositionKind, ProjectId, ProjectView, ScaleChoice, SeveralMeasure,
    TimeSubject, TimeSwitches,
};

use crate::{
    pages::components::{
        agreement::matrix::{
            band::published,
            controls::{
                question_menu::QuestionMenu,
                switch::{Choice, Switch},
                switch_bar::{
                    POLICY, POSITIONS, SCALE_MEANING, documents_name, one_sided, policy_name,
                    positions_meaning, positions_name,
                },
            },
        },
        prelude::*,
    },
    pages::project::ProjectContext,
    query::time_address,
};

/// Whose agreement, measure, policy, documents and scale, each with what the choice means.
#[component]
pub(super) fn TimeSwitchBar(project: ProjectId, switches: TimeSwitches) -> impl IntoView {
    let ProjectContext(context) = expect_context();
    let choice = |name: &'static str, chosen: TimeSwitches| Choice {
        name: name.into(),
        is_current: chosen == switches,
        address: time_address(project, chosen),
    };
    let subjects = TimeSubject::ALL.iter().map(|&subject| {
        choice(naming::time_subject(subject), TimeSwitches { subject, ..switches })
    });
    let measures = SeveralMeasure::ALL.iter().map(|&measure| {
        let name = naming::several_measure(measure, switches.subject);
        choice(name, TimeSwitches { measure, ..switches })
    });
    let kinds = PositionKind::ALL.iter().filter_map(|&kind| {
        let wanted = TimeSwitches { policy: switches.policy.by(kind), ..switches };
        wanted.check().is_ok().then(|| choice(positions_name(kind), wanted))
    });
    let policies = one_sided(switches.policy)
        .iter()
        .map(|&policy| choice(policy_name(policy), TimeSwitches { policy, ..switches }));
    let documents = Documents::ALL.iter().map(|&documents| {
        choice(documents_name(documents), TimeSwitches { documents, ..switches })
    });
    let scales = ScaleChoice::ALL
        .iter()
        .map(|&scale| choice(published(scale).name, TimeSwitches { scale, ..switches }));
    // What is answered is compared by exact position.
    let to_question = move |question| {
        let policy = switches.policy.by(PositionKind::Exact);
        time_address(project, TimeSwitches { question, policy, ..switches })
    };
    view! {
        <section class="choice-bar" aria-label="What counts, and how">
            <Switch name="Between" choices=subjects.collect() meaning=subject_meaning(switches)/>
            <Switch name="Measure" choices=measures.collect() meaning=measure_meaning(switches)/>
            {switches.question.is_none().then(|| view! {
                <Switch name=POSITIONS choices=kinds.collect() meaning=positions_meaning(switches.policy.positions())/>
            })}
            <Switch name=POLICY choices=policies.collect() meaning=policy_meaning(switches)/>
            <Switch name="Documents" choices=documents.collect() meaning=documents_meaning(switches)/>
            <Switch name="Scale" choices=scales.collect() meaning=SCALE_MEANING/>
            <Loaded resource=context quiet=true view=move |of: ProjectView| view! {
                <QuestionMenu question=switches.question project=of address=to_question/>
            }/>
        </section>
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
        PolicyChoice::Token => "A token without a label counts as ∅.",
        PolicyChoice::Overlap => "A span without a partner counts as ∅ for the other.",
    }
}

const fn documents_meaning(switches: TimeSwitches) -> &'static str {
    match (switches.policy, switches.documents) {
        (PolicyChoice::EmptyLabel | PolicyChoice::Token | PolicyChoice::Overlap, _) => {
            "No effect here: before submitting, no span is no judgement."
        }
        (PolicyChoice::Cleaned, Documents::Saved) => "Saved work counts.",
        (PolicyChoice::Cleaned, Documents::Submitted) => "Only submitted work counts.",
    }
}
