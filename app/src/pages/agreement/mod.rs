//! The matrix of a project, live.

pub(crate) mod alerts;
pub(crate) mod breakdowns;
pub(crate) mod disagreements;
pub(crate) mod over_time;
pub(crate) mod pair;
mod panel;
pub(crate) mod positions;
pub(crate) mod stand_in;
pub(crate) mod study;
pub(crate) mod what_if;

use std::sync::Arc;

use domain::{
    AgreementSnapshot, AlertNotice, Headlines, LastChange, MemberId, ModelsView, ProjectId,
    ProjectView, Role, Switches,
};
use leptos::nonce::use_nonce;
use services::agreement::SharedSnapshot;

use self::{
    pair::load_causes,
    panel::{Found, PairPanel, read_pair, write_pair},
};
use super::{
    components::agreement::{
        alert_notices::{AlertNotices, load_standing},
        headline::{TwoNumbers, load_headlines},
        matrix::{
            controls::{
                arrange::arrange, arrangement::Arrangement, filter_bar::FilterBar,
                question_menu::answers, switch_bar::SwitchBar,
            },
            export::export_buttons,
            legend::Legend,
            missing::{Missing, MissingNotice, missing},
            simulation::Simulation,
            table::{
                board::Board, cell::cell_id, grid::grid, models::ModelsBand, seen::seen,
                several::SeveralTable, window::Window,
            },
        },
    },
    project::ProjectContext,
};
use crate::{
    api::agreement::load_pair,
    pages::components::prelude::*,
    query::{PairLook, address::all_in_query},
};

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
    let shown = read_pair(in_query);
    let beside = load(async move {
        let panel = match shown {
            Some(two) => find_pair(project, two, switches).await,
            None => None,
        };
        let (alerts, headlines) =
            (load_standing(project).await?, load_headlines(project, switches).await?);
        let models = load_models(project, switches).await?;
        Ok::<_, ApiError>(Beside { alerts, headlines, models, panel })
    });
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="Agreement"/>
        <div class="page agreement">
            <Loaded resource=snapshot view=move |snapshot| view! {
                <Loaded resource=context quiet=true view=move |project| view! {
                    <Loaded resource=beside quiet=true view=move |beside| view! {
                        <Matrix snapshot project beside/>
                    }/>
                }/>
            }/>
        </div>
        <script type="module" src="/matrix.js" nonce=use_nonce()></script>
    }
}

/// What stands around the matrix.
#[derive(Clone)]
struct Beside {
    alerts: Vec<AlertNotice>,
    headlines: Headlines,
    models: ModelsView,
    panel: Option<Found>,
}

/// The project's models against the people of the matrix.
async fn load_models(project: ProjectId, switches: Switches) -> Result<ModelsView, ApiError> {
    let (services, actor) = request()?;
    answer(services::agreement::models(&services, &actor, project, switches).await)
}

/// What is known of two raters; nothing of two who are none.
async fn find_pair(
    project: ProjectId,
    two: (MemberId, MemberId),
    switches: Switches,
) -> Option<Found> {
    let pair = load_pair(project, two.0, two.1, switches).await.ok()?;
    let causes = load_causes(project, two, switches, PairLook::default()).await.ok()?;
    Some((pair, causes))
}

/// The matrix with its choices and the two numbers above it, and everything that belongs to it below.
#[component]
fn Matrix(snapshot: Arc<SharedSnapshot>, project: ProjectView, beside: Beside) -> impl IntoView {
    let Beside { alerts, headlines, models, panel } = beside;
    let ProjectView { id, role, demo, .. } = project;
    let arrangement = Arrangement::read(all_in_query);
    let written = arrangement.written();
    let shown = panel.as_ref().map(|(pair, _)| (pair.first.id, pair.second.id));
    let with_pair = written.clone() + &write_pair(shown);
    let address = move |switches| query::matrix_address(id, switches) + &with_pair;
    let switches = snapshot.switches;
    let board = Board::new((**snapshot).clone(), arrangement, &Window::read(in_query));
    let close = query::matrix_address(id, switches) + &written + &board.kept_window();
    let pending = snapshot.pending() > 0 || headlines.is_pending();
    let revision = snapshot.revision;
    let panel = panel.map(|found| {
        let project = project.clone();
        view! { <PairPanel found project close/> }
    });
    let skip = board.first_pair.map(|pair| {
        view! { <a class="skip-link" href=format!("#{}", cell_id(pair))>"Skip to matrix"</a> }
    });
    let state = view! {
        <p class="updated soft">{updated(snapshot.last_change.as_ref())}</p>
        {seen(&board)}
    };
    let answers = answers(switches.filter.question, &project);
    let menus = view! {
        <FilterBar switches project address=address.clone()/>
        {arrange(&board)}
    };
    view! {
        {skip}
        <PageHead heading="Agreement">
            <LiveLine project=id switches revision pending/>
            {state}
        </PageHead>
        <SwitchBar switches answers address=address.clone()>{menus}</SwitchBar>
        <TwoNumbers headlines switches address/>
        <div class="matrix-board">
            <div class="stack">{numbers(&board, &snapshot, role)}</div>
            {panel}
        </div>
        <ModelsBand models/>
        <AlertNotices project=id notices=alerts/>
        {below(&board)}
        {demo.then(|| view! { <Simulation project=id/> })}
    }
}

/// The matrix, or what is missing for it.
fn numbers(board: &Board, shared: &SharedSnapshot, role: Role) -> AnyView {
    let (project, switches) = (board.snapshot.project, board.snapshot.switches);
    let lacking = missing(&board.snapshot);
    let table = (lacking != Some(Missing::Raters)).then(|| grid(board, shared));
    view! {
        {lacking.map(|missing| view! { <MissingNotice missing project switches role/> })}
        {table}
    }
}

/// What is looked at after the matrix: all measures of all labelers, files, how to read a cell.
fn below(board: &Board) -> Option<AnyView> {
    let AgreementSnapshot { project, switches, several, .. } = &board.snapshot;
    let (project, switches) = (*project, *switches);
    (missing(&board.snapshot) != Some(Missing::Raters)).then(|| {
        let several = several.clone().map(|several| {
            let file = query::units_file(project, switches);
            let units = switches.filter.question.is_none();
            view! { <SeveralTable several switches file units/> }
        });
        view! {
            {several}
            {export_buttons(project, switches)}
            <Legend scale=switches.scale/>
        }
    })
}

/// When the numbers last moved and by whose work; the page's script makes the time a distance.
fn updated(last_change: Option<&LastChange>) -> AnyView {
    let Some(LastChange { at, by }) = last_change else { return "No recent change".into_any() };
    let (at, by) = (*at, by.clone());
    view! { "Updated "<Ago at/>" by "<bdi>{by}</bdi> }
}
