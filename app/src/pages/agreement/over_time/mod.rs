//! Agreement over time: a curve with its interval, the same as a table, the rounds, and the form
//! that starts the next one.

mod chart;
mod days;
mod new_round;
mod rounds;
mod switches;
mod wording;

use domain::{
    AlertNotice, Headlines, Measure, NextRound, PositionKind, ProjectId, Switches, TimeSubject,
    TimeSwitches, TimeView,
    base::policy::{Action as Act, Standpoint, offers},
};

use self::{
    chart::Chart, days::DaysTable, new_round::NewRoundForm, rounds::RoundsTable,
    switches::TimeSwitchBar,
};
use crate::pages::{
    components::{
        agreement::{
            alert_notices::{AlertNotices, load_standing},
            headline::{TwoNumbers, load_headlines},
            matrix::controls::unoffered::NothingOf,
        },
        prelude::*,
    },
    project::ProjectContext,
};

#[component]
pub(crate) fn OverTimePage() -> impl IntoView {
    let (project, switches) = (use_project_id(), query::read_time_switches(in_query));
    if switches.check().is_err() {
        return view! {
            <PageBody title="Trend" class="page over-time">
                <TimeSwitchBar project switches/>
                <NothingOf
                    what="No trend of overlapping spans".to_owned()
                    why="They are paired by two people at a time."
                    exact=query::time_address(project, of_exact_spans(switches))
                />
            </PageBody>
        };
    }
    let view = load(load_view(project, switches));
    view! {
        <Title text="Trend"/>
        <div class="page over-time">
            <Loaded resource=view view=|(view, alerts, headlines)| view! { <OverTime view alerts headlines/> }/>
        </div>
    }
}

fn of_exact_spans(switches: TimeSwitches) -> TimeSwitches {
    TimeSwitches { policy: switches.policy.by(PositionKind::Exact), ..switches }
}

async fn load_view(
    project: ProjectId,
    switches: TimeSwitches,
) -> Result<(TimeView, Vec<AlertNotice>, Headlines), ApiError> {
    let (services, actor) = request()?;
    let view =
        services::agreement::over_time::load_soon(&services, &actor, project, switches).await;
    let view = answer(view)?;
    let headlines = load_headlines(project, of_matrix(switches)).await?;
    Ok((view, load_standing(project).await?, headlines))
}

#[component]
fn OverTime(view: TimeView, alerts: Vec<AlertNotice>, headlines: Headlines) -> impl IntoView {
    let TimeView { project, revision, pending, switches, .. } = view;
    let ProjectContext(context) = expect_context();
    let to_settings = move |page: &'static str, class: &'static str, words: &'static str| {
        view! {
            <Loaded resource=context.clone() quiet=true view=move |project: domain::ProjectView| {
                let standpoint = Standpoint::Member { role: project.role, owns: false };
                offers(Act::ManageProject, standpoint).then(|| {
                    let address = format!("/projects/{}/settings/{page}", project.id);
                    view! { <p><a class=class href=address>{words}</a></p> }
                })
            }/>
        }
    };
    let targets = to_settings("targets", "button small", "Targets and limits");
    let new_round = to_settings("rounds#new-round", "button", "New round");
    let target = headlines.target.map(|(target, _)| target).filter(|target| {
        target.policy == switches.policy
            && target.measure.several() == Some(switches.measure)
            && switches.question.is_none()
    });
    // On another server than the one that is followed it may be there and nobody tell of it.
    let computing = pending.then(|| {
        let words = (!view.days.is_empty()).then_some("Newer values are being computed.");
        view! { <p class="soft" role="status" data-again="">{words}</p> }
    });
    let days = if view.days.is_empty() {
        view! { <div class="empty"><p>{missing(&view)}</p></div> }
    } else {
        view! {
            <Chart view=view.clone() target/>
            <details class="fold">
                <summary>"Numbers by day"</summary>
                <DaysTable view=view.clone()/>
            </details>
        }
    };
    view! {
        <PageHead heading="Trend">
            <LiveLine project switches=switches.of_matrix() revision pending/>
            {targets}
        </PageHead>
        <TimeSwitchBar project switches/>
        <TwoNumbers
            headlines
            switches=of_matrix(switches)
            address={move |wanted: Switches| {
                query::time_address(project, TimeSwitches { policy: wanted.policy, ..switches })
            }}
        />
        <AlertNotices project notices=alerts/>
        {computing}
        {days}
        <RoundsTable view/>
        {new_round}
    }
}

/// The rounds of a project, and the form that starts the next one.
#[component]
pub(crate) fn RoundsPage() -> impl IntoView {
    let project = use_project_id();
    let view = load_with(move |services, actor| async move {
        let switches = TimeSwitches::default();
        let view =
            services::agreement::over_time::load_soon(&services, &actor, project, switches).await?;
        let next = services::agreement::over_time::next_round(&services, &actor, project).await?;
        Ok::<_, services::Error>((view, next))
    });
    view! {
        <PageBody title="Rounds" class="page over-time">
            <Loaded resource=view titled=true view=move |(view, next): (TimeView, Option<NextRound>)| {
                let form = next.map(|next| {
                    let present = view.rounds.last().map_or(0, |last| last.round.number);
                    view! { <NewRoundForm project present next/> }
                });
                let computing = view.pending.then(|| {
                    view! { <p class="soft" role="status" data-again="">"Values are being computed."</p> }
                });
                view! { {computing} <RoundsTable view/> {form} }
            }/>
        </PageBody>
    }
}

/// The switches of the matrix that show the same number.
fn of_matrix(switches: TimeSwitches) -> Switches {
    let is_same = |measure: &&Measure| measure.several() == Some(switches.measure);
    let measure = Measure::ALL.iter().find(is_same).copied().unwrap_or_default();
    Switches { measure, ..switches.of_matrix() }
}

/// What is missing before there is anything to see.
const fn missing(view: &TimeView) -> &'static str {
    if view.pending {
        return "Computing…";
    }
    match (view.switches.subject, view.labelers, view.reviewers) {
        (_, 0, _) => "No labelers yet: a manager can invite some.",
        (TimeSubject::Labelers, 1, _) => "Only one labeler: agreement needs two.",
        (TimeSubject::Reviewers, _, 0) => "No reviewer yet to compare labelers with.",
        (TimeSubject::Labelers, ..) => "No document with work by two labelers counts yet.",
        (TimeSubject::Reviewers, ..) => {
            "No document with work by a labeler and a reviewer counts yet."
        }
    }
}
