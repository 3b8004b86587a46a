//! The two numbers of agreement beside each other, each a link: what labelers say where both marked,
//! and with everything counted. Neither is the number.

use std::sync::Arc;

use domain::{
    AgreementSnapshot, Confidence, CoverageView, Measured, NoInterval, PolicyChoice, ProjectId,
    ScaleChoice, SeveralMeasure, Switches, Target, TargetVerdict, TimeSubject, UndefinedReason,
};
use services::agreement::SharedSnapshot;

use super::{
    matrix::band::Band,
    shares::{percent, share},
    target::{TargetBadge, in_full, load_target},
};
use crate::pages::components::prelude::*;

/// What one of the two numbers says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) policy: PolicyChoice,
    pub(crate) measured: Measured,
    pub(crate) confidence: Confidence,
    /// Positions and documents that it rests on.
    pub(crate) n: u64,
    pub(crate) documents: u64,
    pub(crate) coverage: CoverageView,
}

/// One of the two numbers: a link to what it is made of.
#[component]
pub(crate) fn HeadlineCard(
    number: Number,
    scale: ScaleChoice,
    href: String,
    /// Whether the page is about this one.
    #[prop(optional)]
    is_current: bool,
    /// The project's target with what this number says of it, if it is about this one.
    #[prop(optional_no_strip)]
    judged: Option<(Target, TargetVerdict)>,
    /// What else belongs to it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let Number { policy, measured, confidence, .. } = number;
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
    let badge = judged.map(|(target, verdict)| view! { <TargetBadge target verdict/> });
    view! {
        <a class="headline card" href=href aria-current=is_current.then_some("true")>
            <span class="headline-title">{title(policy)}</span>
            <span class="headline-value">
                <strong class="number">{display::coefficient(measured)}</strong>
                <span class="number">{interval}</span>
            </span>
            <span class="headline-words">{word}{badge}</span>
            {children.map(|children| children())}
            <span class="soft headline-basis">{basis(number)}</span>
        </a>
    }
}

/// What a number of this policy is called.
const fn title(policy: PolicyChoice) -> &'static str {
    match policy {
        PolicyChoice::Cleaned => "Same label where both marked",
        PolicyChoice::EmptyLabel => "Everything counted",
    }
}

/// "n = 1,204 positions in 40 documents; both marked 62 %".
fn basis(number: Number) -> String {
    let Number { policy, n, documents, coverage, .. } = number;
    let both = match policy {
        PolicyChoice::Cleaned => share(coverage.both, coverage.positions()),
        PolicyChoice::EmptyLabel => None,
    };
    let both = both.map(|both| format!("; both marked {}", percent(both)));
    format!(
        "n = {} in {}{}",
        display::count(n, "position"),
        display::count(documents, "document"),
        both.unwrap_or_default()
    )
}

/// The snapshots of both policies under the same other switches, and the project's target.
#[derive(Clone)]
pub(crate) struct Both {
    /// In the order of the policies.
    of: Vec<Arc<SharedSnapshot>>,
    target: Option<Target>,
}

impl Both {
    /// Loads what the two numbers are read from.
    pub(crate) async fn load(project: ProjectId, switches: Switches) -> Result<Self, ApiError> {
        let (services, actor) = request()?;
        let mut of = Vec::new();
        for &policy in PolicyChoice::ALL {
            let switches = Switches { policy, ..switches };
            let snapshot =
                services::agreement::snapshot(&services, &actor, project, switches).await;
            of.push(answer(snapshot)?);
        }
        Ok(Self { of, target: load_target(project).await? })
    }

    /// What the project is to reach.
    pub(crate) const fn target(&self) -> Option<Target> {
        self.target
    }

    /// Whether an interval is still to come.
    pub(crate) fn is_pending(&self) -> bool {
        self.of.iter().any(|snapshot| snapshot.pending() > 0)
    }
}

/// The two numbers of all labelers, by the chosen measure, or by α where that is for two only.
#[component]
pub(crate) fn TwoNumbers<F>(
    both: Both,
    /// The page's switches.
    switches: Switches,
    /// Where a number leads, under its switches.
    address: F,
) -> impl IntoView
where
    F: Fn(Switches) -> String,
{
    let Both { of, target } = both;
    let measure = switches.measure.several().unwrap_or(SeveralMeasure::Alpha);
    let judge = |snapshot: &AgreementSnapshot| {
        let target = target.filter(|target| target.measure.several() == Some(measure))?;
        Some((target, target.judge_snapshot(snapshot)?))
    };
    let is_here = of.iter().any(|snapshot| judge(snapshot).is_some());
    let cards = of.iter().map(|snapshot| {
        let shown = snapshot.switches;
        view! {
            <HeadlineCard
                number=by_measure(snapshot, measure)
                scale=switches.scale
                href=address(shown)
                is_current={shown.policy == switches.policy}
                judged=judge(snapshot)
            />
        }
    });
    let cards = cards.collect_view();
    let elsewhere = target.filter(|_| !is_here).map(|target| {
        view! { " · Target: "<a href=address(target.switches())>{in_full(target)}</a> }
    });
    view! {
        <section class="two-numbers" aria-label="All labelers together">
            <div class="headlines">{cards}</div>
            <p class="soft headline-measure">
                {naming::several_measure(measure, TimeSubject::Labelers)}" of all labelers, 95 % intervals"{elsewhere}
            </p>
        </section>
    }
}

/// The value of all labelers by a measure; a reason where there are no two.
fn by_measure(snapshot: &AgreementSnapshot, measure: SeveralMeasure) -> Number {
    let several = snapshot.several.as_ref();
    let row = several.and_then(|it| it.rows.iter().find(|row| row.measure == measure));
    let missing = Measured::Undefined(UndefinedReason::NoSharedDocuments);
    Number {
        policy: snapshot.switches.policy,
        measured: row.map_or(missing, |row| row.measured),
        confidence: row.map_or(Confidence::None(NoInterval::NoValue), |row| row.confidence),
        n: several.map_or(0, |it| it.n),
        documents: several.map_or(0, |it| it.documents),
        coverage: snapshot.coverage_of_labelers(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_positions_out_says_how_many_it_leaves() {
        let number = Number {
            policy: PolicyChoice::Cleaned,
            measured: Measured::Undefined(UndefinedReason::NobodyMarked),
            confidence: Confidence::Pending,
            n: 1200,
            documents: 1,
            coverage: CoverageView { both: 30, only_first: 10, only_second: 10 },
        };
        assert_eq!(basis(number), "n = 1,200 positions in 1 document; both marked 60 %");
        let everything = Number { policy: PolicyChoice::EmptyLabel, n: 1, documents: 2, ..number };
        assert_eq!(basis(everything), "n = 1 position in 2 documents");
    }
}
