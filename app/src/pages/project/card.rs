//! A project on the start page: its two numbers, and what waits for the viewer.

use domain::{
    Confidence, Measured, OwnAgreement, OwnValue, ProjectCard, ProjectId, Role, StartAgreement,
    StartCard, StartValue, Waiting,
};
use services::overview::headline_switches;

use crate::pages::components::{
    agreement::{matrix::band::Band, shares::direction},
    prelude::*,
};

/// Whether something of a card is still being counted.
pub(super) fn is_on_its_way(card: &StartCard) -> bool {
    match &card.agreement {
        StartAgreement::Counting => true,
        StartAgreement::All(values) => {
            values.iter().any(|value| value.confidence == Confidence::Pending)
        }
        StartAgreement::Own(_) => false,
    }
}

#[component]
pub(super) fn Card(card: StartCard) -> impl IntoView {
    let StartCard { project, waiting, agreement } = card;
    let ProjectCard { id, name, role, documents, submitted, assigned } = project;
    let progress = match assigned {
        0 => "Nothing assigned yet".to_owned(),
        _ => format!(
            "{} of {} submitted",
            display::thousands(submitted),
            display::count(assigned, "assignment")
        ),
    };
    let bar = (assigned > 0).then(|| {
        let (value, max) = (submitted.to_string(), assigned.to_string());
        view! { <progress value=value max=max aria-hidden="true"></progress> }
    });
    let basis = format!("{} · {progress}", display::count(documents, "document"));
    view! {
        <article class="card project-card">
            <div class="row spread">
                <h2 dir="auto"><a href=format!("/projects/{id}")>{name}</a></h2>
                <span class="badge">{role.name()}</span>
            </div>
            <Agreement project=id agreement/>
            <Waits project=id role waiting/>
            <div class="stack tight">
                {bar}
                <p class="soft number">{basis}</p>
            </div>
        </article>
    }
}

/// What the viewer may see of agreement.
#[component]
fn Agreement(project: ProjectId, agreement: StartAgreement) -> impl IntoView {
    match agreement {
        StartAgreement::Counting => view! { <p class="soft">"Counting agreement …"</p> },
        StartAgreement::All(values) => {
            let values: Vec<_> = values.into_iter().map(|value| all(project, value)).collect();
            view! { <div class="start-values">{values}</div> }
        }
        StartAgreement::Own(agreement) => own(agreement),
    }
}

fn all(project: ProjectId, value: StartValue) -> AnyView {
    let StartValue { policy, measured, confidence, change } = value;
    let switches = headline_switches(policy);
    let word = match measured {
        Measured::Value { .. } => Band::claimed(confidence, switches.scale).map(Band::badge),
        Measured::Undefined(reason) => {
            Some(view! { <span class="soft">{naming::undefined(reason)}</span> })
        }
    };
    let interval = measured.value().map(|_| display::confidence(confidence));
    let change = change.map(|(by, confidence)| {
        let (icon, class) = direction(by, confidence);
        let sign = if by < 0.0 { "−" } else { "+" };
        let words = format!("{sign}{} since the last round", display::decimals(by.abs(), 2));
        view! { <span class=format!("headline-change {class}")><span aria-hidden="true">{icon}" "</span>{words}</span> }
    });
    view! {
        <a class="start-value" href=query::matrix_address(project, switches)>
            <span class="soft">{policy.called()}</span>
            <span class="headline-value">
                <strong class="number">{display::coefficient(measured)}</strong>
                <span class="number">{interval}</span>
            </span>
            {word}
            {change}
        </a>
    }
}

/// A labeler's own agreement, as far as it is released.
fn own(agreement: OwnAgreement) -> AnyView {
    let values = match agreement {
        OwnAgreement::Never => return ().into_any(),
        OwnAgreement::NotReleased => {
            return view! { <p class="soft">"Your agreement is not released yet."</p> };
        }
        OwnAgreement::GoldOnly { reviewers } => vec![("With the reviewers", reviewers)],
        OwnAgreement::Shown { peers, reviewers, .. } => {
            vec![("With the other labelers", peers), ("With the reviewers", reviewers)]
        }
    };
    let value = |(title, value): (&'static str, Option<OwnValue>)| {
        let alpha = value.map(|value| value.alpha);
        let number = match alpha {
            None => view! { <span class="soft">"not enough work yet"</span> },
            Some(None) => view! { <span class="soft">"only one label occurs"</span> },
            Some(Some(alpha)) => {
                view! { <strong class="number">{display::decimals(alpha, 2)}</strong> }
            }
        };
        view! {
            <div class="start-value">
                <span class="soft">{title}</span>
                <span class="headline-value">{number}</span>
            </div>
        }
    };
    let values: Vec<_> = values.into_iter().map(value).collect();
    view! { <div class="start-values">{values}</div> }
}

/// What waits for the viewer, each a link to it.
#[component]
fn Waits(project: ProjectId, role: Role, waiting: Waiting) -> impl IntoView {
    let links: Vec<_> = waits(project, role, waiting)
        .into_iter()
        .map(|(n, words, address, class)| {
            view! { <li><a class=format!("button small {class}") href=address>{format!("{} {words}", display::thousands(n))}</a></li> }
        })
        .collect();
    let nothing = links.is_empty().then(|| {
        let words = match (role, waiting.conflicts) {
            (Role::Manager | Role::Reviewer, None) => "",
            _ => "Nothing waits for you.",
        };
        view! { <p class="soft">{words}</p> }
    });
    view! { <ul class="plain-list row waits" aria-label="Waiting for you">{links}</ul>{nothing} }
}

/// How many of what, where they are, and how the link looks; what there is none of is left out.
fn waits(
    project: ProjectId,
    role: Role,
    waiting: Waiting,
) -> Vec<(u64, &'static str, String, &'static str)> {
    let Waiting { to_label, returned, to_review, conflicts } = waiting;
    let home = format!("/projects/{project}");
    let decide =
        if role == Role::Reviewer { "review" } else { "review/disagreements?decided=false" };
    let mut waits = vec![
        (to_label, "to label", format!("{home}/work"), "primary"),
        (returned, "returned", format!("{home}/work?show=returned"), ""),
        (to_review, "to review", format!("{home}/review"), "primary"),
        (conflicts.unwrap_or_default(), "to decide", format!("{home}/{decide}"), ""),
    ];
    waits.retain(|(n, ..)| *n > 0);
    waits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_a_link_to_it_and_nothing_else_is() {
        let waiting = Waiting { to_label: 3, returned: 1, ..Waiting::default() };
        let links = waits(ProjectId(7), Role::Labeler, waiting);
        let words: Vec<_> = links.iter().map(|(n, words, ..)| format!("{n} {words}")).collect();
        assert_eq!(words, ["3 to label", "1 returned"]);
        assert_eq!(links[1].2, "/projects/7/work?show=returned");
        let one = Waiting { conflicts: Some(1), ..Waiting::default() };
        assert_eq!(waits(ProjectId(7), Role::Manager, one)[0].1, "to decide");
        assert!(waits(ProjectId(7), Role::Reviewer, Waiting::default()).is_empty());
    }
}
