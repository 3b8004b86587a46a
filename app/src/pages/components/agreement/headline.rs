//! The two numbers of agreement beside each other, each a link: what labelers say where both marked,
//! and with everything counted. Neither is the number.

use domain::{
    Confidence, HeadlineNumber, Headlines, Measured, PolicyChoice, PositionKind, ProjectId,
    ScaleChoice, Switches, Target, TargetVerdict, TimeSubject,
};

use super::{
    matrix::{band::Band, controls::switch_bar::measure_name},
    shares::{percent, share},
    target::{TargetBadge, in_full},
};
use crate::pages::components::prelude::*;

/// One of the two numbers: a link to what it is made of.
#[component]
pub(crate) fn HeadlineCard(
    number: HeadlineNumber,
    scale: ScaleChoice,
    href: String,
    /// Whether the page is about this one.
    #[prop(optional)]
    is_current: bool,
    /// The project's target with what this number says of it, if it is about this one.
    #[prop(optional_no_strip)]
    judged: Option<(Target, TargetVerdict)>,
    /// Whether it is of what was chosen of an attribute, and not of labels.
    #[prop(optional)]
    of_choices: bool,
    /// What else belongs to it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let HeadlineNumber { policy, measured, confidence, .. } = number;
    let word = match measured {
        Measured::Value { .. } => Band::claimed(confidence, scale).map(Band::badge),
        Measured::Undefined(reason) => {
            Some(view! { <span class="soft">{naming::undefined(reason)}</span> }.into_any())
        }
    };
    let interval = match confidence {
        Confidence::None(_) if measured.value().is_none() => String::new(),
        confidence => display::confidence(confidence),
    };
    let (title, both) = match (policy, of_choices) {
        (PolicyChoice::Cleaned, true) => ("Same answer where both answered", "both answered"),
        _ => (policy.called(), "both marked"),
    };
    let badge = judged.map(|(target, verdict)| view! { <TargetBadge target verdict/> });
    view! {
        <a class="headline card" href=href aria-current=is_current.then_some("true")>
            <span class="headline-title">{title}</span>
            <span class="headline-value">
                <strong class="number">{display::coefficient(measured)}</strong>
                <span class="number">{interval}</span>
            </span>
            <span class="headline-words">{word}{badge}</span>
            {children.map(|children| children())}
            <span class="soft headline-basis">{basis(number, both)}</span>
        </a>
    }
}

/// "n = 1,204 positions in 40 documents; both marked 62 %".
fn basis(number: HeadlineNumber, words: &str) -> String {
    let HeadlineNumber { policy, n, documents, coverage, .. } = number;
    let leaves_out = !policy.has_empty();
    let both = leaves_out.then(|| share(coverage.both, coverage.positions())).flatten();
    let both = both.map(|both| format!("; {words} {}", percent(both)));
    format!(
        "n = {} in {}{}",
        display::count(n, "position"),
        display::count(documents, "document"),
        both.unwrap_or_default()
    )
}

/// Loads the two numbers under a page's switches.
pub(crate) async fn load_headlines(
    project: ProjectId,
    switches: Switches,
) -> Result<Headlines, ApiError> {
    let (services, actor) = request()?;
    answer(services::agreement::headlines(&services, &actor, project, switches).await)
}

/// The two numbers of all labelers, by the chosen measure, or by α where that is for two only.
#[component]
pub(crate) fn TwoNumbers<F>(
    headlines: Headlines,
    /// The page's switches.
    switches: Switches,
    /// Where a number leads, under its switches.
    address: F,
) -> impl IntoView
where
    F: Fn(Switches) -> String,
{
    let cards = headlines.numbers.iter().map(|&number| {
        let policy = number.policy;
        view! {
            <HeadlineCard
                number
                scale=switches.scale
                href=address(Switches { policy, ..switches })
                is_current={policy == switches.policy}
                judged=headlines.judged(policy)
                of_choices=switches.filter.question.is_some()
            />
        }
    });
    let cards = cards.collect_view();
    let is_here = PolicyChoice::HEADLINES.iter().any(|policy| headlines.judged(*policy).is_some());
    let elsewhere = headlines.target.filter(|_| !is_here).map(|(target, _)| {
        view! { " · Target: "<a href=address(target.switches())>{in_full(target)}</a> }
    });
    let kind = match switches.policy.positions() {
        PositionKind::Exact => "",
        PositionKind::Tokens | PositionKind::Overlapping => ", of exact spans",
    };
    let (measure, nominal) = if switches.measure.is_graded_of_all() {
        (measure_name(switches.measure), "")
    } else {
        let nominal = if switches.measure.is_graded() { ", nominal," } else { "" };
        (naming::several_measure(headlines.measure, TimeSubject::Labelers), nominal)
    };
    let what = format!("{measure}{nominal} of all labelers{kind}, 95 % intervals");
    view! {
        <section class="two-numbers" aria-label="All labelers together">
            <div class="headlines">{cards}</div>
            <p class="soft headline-measure">
                {what}{elsewhere}
            </p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use domain::{CoverageView, UndefinedReason};

    use super::*;

    #[test]
    fn only_what_leaves_positions_out_says_how_many_it_leaves() {
        let number = HeadlineNumber {
            policy: PolicyChoice::Cleaned,
            measured: Measured::Undefined(UndefinedReason::NobodyMarked),
            confidence: Confidence::Pending,
            n: 1200,
            documents: 1,
            coverage: CoverageView { both: 30, only_first: 10, only_second: 10 },
        };
        assert_eq!(
            basis(number, "both marked"),
            "n = 1,200 positions in 1 document; both marked 60\u{a0}%"
        );
        let everything =
            HeadlineNumber { policy: PolicyChoice::EmptyLabel, n: 1, documents: 2, ..number };
        assert_eq!(basis(everything, "both marked"), "n = 1 position in 2 documents");
    }
}
