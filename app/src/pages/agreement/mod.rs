//! The matrix of a project, live.

pub(crate) mod alerts;
pub(crate) mod breakdowns;
pub(crate) mod disagreements;
pub(crate) mod over_time;
pub(crate) mod pair;
pub(crate) mod positions;
pub(crate) mod study;
pub(crate) mod what_if;

use std::sync::Arc;

use chrono::SecondsFormat;
use domain::{
    AgreementSnapshot, AlertNotice, Confidence, LastChange, ProjectView, Switches, Target,
};
use leptos::nonce::use_nonce;
use services::agreement::SharedSnapshot;

use super::{
    components::agreement::{
        alert_notices::{AlertNotices, load_standing},
        matrix::{
            controls::{
                arrange::arrange, arrangement::Arrangement, filter_bar::FilterBar,
                switch_bar::SwitchBar,
            },
            export::export_buttons,
            legend::Legend,
            missing::{Missing, MissingNotice, missing},
            simulation::Simulation,
            table::{board::Board, grid::grid, seen::seen, several::SeveralTable, window::Window},
        },
        target::{in_full, load_target},
    },
    project::ProjectContext,
};
use crate::{pages::components::prelude::*, query::address::all_in_query};

/// The switches that the page's address names.
pub(crate) fn use_switches() -> Switches {
    query::read_switches(in_query)
}

/// Who agrees with whom, and how much.
#[component]
pub(crate) fn AgreementPage() -> impl IntoView {
    let project = use_project_id();
    let switches = use_switches();
    let snapshot = load_with(move |services, actor| async move {
        services::agreement::snapshot(&services, &actor, project, switches).await
    });
    let beside = load(async move {
        Ok::<_, ApiError>((load_standing(project).await?, load_target(project).await?))
    });
    let ProjectContext(context) = expect_context();
    view! {
        <PageBody title="Agreement" class="page agreement">
            <Loaded resource=snapshot titled=true view=move |snapshot| view! {
                <Loaded resource=context quiet=true view=move |project| view! {
                    <Loaded resource=beside quiet=true view=move |(alerts, target)| view! {
                        <Matrix snapshot project alerts target/>
                    }/>
                }/>
            }/>
        </PageBody>
        <script type="module" src="/matrix.js" nonce=use_nonce()></script>
    }
}

/// The matrix with the switches above it and everything that belongs to it below.
#[component]
fn Matrix(
    snapshot: Arc<SharedSnapshot>,
    project: ProjectView,
    alerts: Vec<AlertNotice>,
    target: Option<Target>,
) -> impl IntoView {
    let ProjectView { id, role, demo, .. } = project;
    let arrangement = Arrangement::read(all_in_query);
    let written = arrangement.written();
    let address = move |switches| query::matrix_address(id, switches) + &written;
    let switches = snapshot.switches;
    let board = Board::new((**snapshot).clone(), arrangement, &Window::read(in_query));
    view! {
        <AlertNotices project=id notices=alerts/>
        <SwitchBar switches address=address.clone()/>
        <div class="matrix-tools">
            <FilterBar switches project address/>
            {arrange(&board)}
        </div>
        {numbers(&board, &snapshot, (role, target))}
        {demo.then(|| view! { <Simulation project=id/> })}
    }
}

/// The numbers, how fresh they are, and how to read them; or what is missing for them.
fn numbers(
    board: &Board,
    shared: &SharedSnapshot,
    (role, target): (domain::Role, Option<Target>),
) -> AnyView {
    let AgreementSnapshot { project, revision, switches, cells, several, last_change, .. } =
        &board.snapshot;
    let (project, switches) = (*project, *switches);
    let lacking = missing(&board.snapshot);
    let pending = cells.iter().any(|cell| cell.confidence == Confidence::Pending)
        || several.as_ref().is_some_and(|several| {
            several.rows.iter().any(|row| row.confidence == Confidence::Pending)
                || several.unitizing.is_none_or(|units| units.confidence == Confidence::Pending)
        });
    let table = (lacking != Some(Missing::Raters)).then(|| {
        let several = several.clone();
        view! {
            {grid(board, shared)}
            {export_buttons(project, switches)}
            {several.map(|several| {
                let file = query::units_file(project, switches);
                let judged = target.and_then(|it| Some((it, it.judge_snapshot(&board.snapshot)?)));
                let elsewhere = target.filter(|_| judged.is_none()).map(|target| {
                    let address = query::matrix_address(project, target.switches());
                    view! { <p class="soft">"Target: "<a href=address>{in_full(target)}</a></p> }
                });
                view! {
                    <SeveralTable several switches file judged/>
                    {elsewhere}
                }
            })}
            <Legend scale=switches.scale/>
        }
    });
    view! {
        <div class="matrix-line">
            <LiveLine project switches revision=*revision pending/>
            <p class="updated soft">{updated(last_change.as_ref())}</p>
            {seen(board)}
        </div>
        {lacking.map(|missing| view! { <MissingNotice missing project switches role/> })}
        {table}
    }
}

/// When the numbers last moved and by whose work; the page's script makes the time a distance.
fn updated(last_change: Option<&LastChange>) -> AnyView {
    let Some(LastChange { at, by }) = last_change else { return "No recent change".into_any() };
    let (time, title, by) = (display::time(*at), display::time(*at), by.clone());
    view! {
        "Updated "
        <time datetime=at.to_rfc3339_opts(SecondsFormat::Secs, true) title=title data-ago="">{time}</time>
        " by "<bdi>{by}</bdi>
    }
}
