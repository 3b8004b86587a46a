//! The two numbers of a project, side by side: neither is the number.

use chrono::NaiveDate;
use domain::{
    Confidence, Headline, HeadlineChange, Measured, PolicyChoice, ProjectId, Target, TargetVerdict,
    TimeValue,
};
use services::overview::{MEASURE, headline_switches};

use crate::pages::components::{
    agreement::{
        matrix::band::Band,
        shares::{direction, percent, share},
        target::{self, TargetBadge},
    },
    prelude::*,
};

/// The size of a sparkline, in its own units.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 28.0;

#[component]
pub(super) fn Headlines(
    project: ProjectId,
    headlines: Vec<Headline>,
    target: Option<(Target, TargetVerdict)>,
) -> impl IntoView {
    let settings = format!("/projects/{project}/settings/targets#target");
    let below = match target {
        Some((target, _)) if target.measure == MEASURE => None,
        Some((target, verdict)) => {
            Some(view! { " "{target::in_full(target)}" "<TargetBadge target verdict/> }.into_any())
        }
        None => Some(view! { " "<a href=settings>"Set a target"</a> }.into_any()),
    };
    let cards: Vec<_> = headlines
        .into_iter()
        .map(|headline| {
            let target = target.filter(|(target, _)| {
                target.measure == MEASURE && target.policy == headline.policy
            });
            let badge = target.map(|(target, verdict)| view! { <TargetBadge target verdict/> });
            view! { <Card project headline badge=badge.into_any()/> }
        })
        .collect();
    view! {
        <Section title_id="agreement-title" title="Agreement">
            <div class="headlines">{cards}</div>
            <p class="soft">"Krippendorff’s α of all labelers, with 95 % intervals."{below}</p>
        </Section>
    }
}

#[component]
fn Card(project: ProjectId, headline: Headline, badge: AnyView) -> impl IntoView {
    let Headline { policy, measured, confidence, n, documents, coverage, course, change } =
        headline;
    let switches = headline_switches(policy);
    let (title, basis) = match policy {
        PolicyChoice::Cleaned => {
            let both = share(coverage.both, coverage.positions());
            let both = both.map(|both| format!("; both marked {} of positions", percent(both)));
            ("Same label where both marked", both.unwrap_or_default())
        }
        PolicyChoice::EmptyLabel => ("Everything counted", String::new()),
    };
    let basis = format!(
        "n = {} in {}{basis}",
        display::count(n, "position"),
        display::count(documents, "document"),
    );
    let word = match measured {
        Measured::Value { .. } => Band::claimed(confidence, switches.scale).map(Band::badge),
        Measured::Undefined(reason) => {
            Some(view! { <span class="soft">{naming::undefined(reason)}</span> }.into_any())
        }
    };
    let interval = match confidence {
        Confidence::None(_) if measured.value().is_none() => String::new(),
        confidence => display::confidence(confidence),
    };
    view! {
        <a class="headline card" href=query::matrix_address(project, switches)>
            <span class="headline-title">{title}</span>
            <span class="headline-value">
                <strong class="number">{display::coefficient(measured)}</strong>
                <span class="number">{interval}</span>
            </span>
            <span class="headline-words">{word}{badge}</span>
            {change.map(moved)}
            {sparkline(&course)}
            <span class="soft">{basis}</span>
        </a>
    }
}

/// "▲ 0.05 since round 1 (−0.01 to 0.11)".
fn moved(change: HeadlineChange) -> AnyView {
    let HeadlineChange { rounds: (before, _), by, confidence } = change;
    let (icon, class) = direction(by, confidence);
    let sign = if by < 0.0 { "−" } else { "+" };
    let words = format!("{sign}{} since round {before}", display::decimals(by.abs(), 2));
    let interval = match confidence {
        Confidence::Interval { .. } => format!(" ({})", display::confidence(confidence)),
        Confidence::Pending | Confidence::None(_) => String::new(),
    };
    view! {
        <span class=format!("headline-change {class}")>
            <span aria-hidden="true">{icon}" "</span>{words}{interval}
        </span>
    }
}

/// How the value came there, day by day; nothing of a single day.
fn sparkline(course: &[(NaiveDate, TimeValue)]) -> Option<AnyView> {
    let values: Vec<(NaiveDate, f64)> =
        course.iter().filter_map(|(day, value)| Some((*day, value.measured.value()?))).collect();
    let (first, last) = (values.first()?, values.last()?);
    let days = days_between(first.0, last.0);
    if days == 0.0 {
        return None;
    }
    let lowest = values.iter().map(|(_, value)| *value).fold(0.6, f64::min);
    let points: Vec<_> = values
        .iter()
        .map(|(day, value)| {
            let x = WIDTH * days_between(first.0, *day) / days;
            let y = 2.0 + (HEIGHT - 4.0) * (1.0 - value) / (1.0 - lowest);
            format!("{},{}", display::decimals(x, 1), display::decimals(y, 1))
        })
        .collect();
    let label = format!(
        "{} on {}, {} on {}",
        display::decimals(first.1, 2),
        first.0,
        display::decimals(last.1, 2),
        last.0
    );
    Some(view! {
        <svg class="sparkline" viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" role="img" aria-label=label>
            <polyline points=points.join(" ")/>
        </svg>
    })
}

fn days_between(from: NaiveDate, to: NaiveDate) -> f64 {
    let days = to.signed_duration_since(from).num_days();
    i32::try_from(days).map_or(0.0, f64::from)
}
