//! The two numbers of a project, side by side: neither is the number.

use chrono::NaiveDate;
use domain::{Confidence, Course, HeadlineChange, ProjectId, Switches, TimeValue};

use crate::pages::components::{
    agreement::{
        headline::HeadlineCard,
        pictures::Sparkline,
        shares::direction,
        target::{self, TargetBadge},
    },
    prelude::*,
};

#[component]
pub(super) fn Headlines(
    project: ProjectId,
    headlines: domain::Headlines,
    /// In the order of the numbers.
    courses: Vec<Course>,
    /// On which days guidelines changed, and to which version.
    guidelines: Vec<(NaiveDate, i64)>,
) -> impl IntoView {
    let settings = format!("/projects/{project}/settings/targets#target");
    let below = match headlines.target {
        Some((target, _)) if target.measure.several() == Some(headlines.measure) => None,
        Some((target, verdict)) => {
            let badge = verdict.map(|verdict| view! { <TargetBadge target verdict/> });
            Some(view! { " "{target::in_full(target)}" "{badge} }.into_any())
        }
        None => Some(view! { " "<a href=settings>"Set a target"</a> }.into_any()),
    };
    let cards = headlines.numbers.iter().zip(courses).map(|(&number, course)| {
        let Course { days, change } = course;
        let switches = Switches { policy: number.policy, ..headlines.switches };
        let href = query::matrix_address(project, switches);
        let judged = headlines.judged(number.policy);
        let course = sparkline(&days, &guidelines, judged.map(|(target, _)| target.at_least));
        let change = change.map(moved);
        view! {
            <HeadlineCard number scale=switches.scale href judged>{change}{course}</HeadlineCard>
        }
    });
    let cards = cards.collect_view();
    view! {
        <Section title_id="agreement-title" title="Agreement">
            <div class="headlines">{cards}</div>
            <p class="soft">"Krippendorff’s α of all labelers, with 95 % intervals."{below}</p>
        </Section>
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

/// How the value came there, day by day, and where guidelines changed; nothing of a single day.
fn sparkline(
    course: &[(NaiveDate, TimeValue)],
    guidelines: &[(NaiveDate, i64)],
    target: Option<f64>,
) -> Option<AnyView> {
    let values: Vec<(NaiveDate, f64)> =
        course.iter().filter_map(|(day, value)| Some((*day, value.measured.value()?))).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let days = days_between(first.0, last.0);
    if days == 0.0 {
        return None;
    }
    let place = |day| days_between(first.0, day) / days;
    let points = values.iter().map(|(day, value)| (place(*day), *value)).collect();
    let happened: Vec<_> = guidelines
        .iter()
        .filter(|(day, _)| *day > first.0 && *day <= last.0)
        .map(|(day, version)| (place(*day), format!("Guidelines {version}, {day}")))
        .collect();
    let label = format!(
        "{} on {}, {} on {}",
        display::decimals(first.1, 2),
        first.0,
        display::decimals(last.1, 2),
        last.0
    );
    Some(view! { <Sparkline points happened target label/> })
}

fn days_between(from: NaiveDate, to: NaiveDate) -> f64 {
    let days = to.signed_duration_since(from).num_days();
    i32::try_from(days).map_or(0.0, f64::from)
}
