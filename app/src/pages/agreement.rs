//! The matrix of a project, live.

use domain::{AgreementSnapshot, ProjectId, Switches};
use leptos::{prelude::*, task::spawn_local};
use leptos_meta::Title;
use leptos_router::{
    NavigateOptions,
    hooks::{use_navigate, use_query_map},
};

use crate::{
    api::{agreement::load_agreement, alerts::list_standing},
    components::{
        agreement_tabs::{AgreementTab, AgreementTabs},
        alert_notices::AlertNotices,
        loaded::Loaded,
        matrix::{
            arrange::Arrange,
            board::Board,
            change::replaces,
            filter_bar::FilterBar,
            freshness::FreshnessLine,
            grid::MatrixGrid,
            legend::Legend,
            missing::{Missing, MissingNotice, missing},
            seen::SeenLine,
            several::SeveralTable,
            simulation::Simulation,
            switch_bar::SwitchBar,
            take_away::TakeAway,
        },
    },
    live::{Freshness, use_live_agreement},
    loading::load,
    pages::project::{ProjectContext, use_project_id},
    query,
    view::{dynamic, view},
};

/// The switches that the page's address names.
pub(crate) fn use_switches() -> Memo<Switches> {
    let parameters = use_query_map();
    Memo::new(move |_| query::read_switches(|name| parameters.read().get(name)))
}

/// Who agrees with whom, and how much.
#[component]
pub(crate) fn AgreementPage() -> impl IntoView {
    let project = use_project_id();
    // A page of its own for each project: nothing of one matrix is left in the next.
    (move || view! { <ProjectMatrix project=project.get()/> }).into_any()
}

/// The matrix of one project. What was loaded first is drawn once; from then on numbers change
/// where they stand, whether the work moves or the switches.
#[component]
fn ProjectMatrix(project: ProjectId) -> impl IntoView {
    let switches = use_switches();
    let first = load(|| (), move |()| load_agreement(project, switches.get_untracked()));
    let alerts = load(|| (), move |()| list_standing(project));
    let newest = RwSignal::new(None);
    let freshness = use_live_agreement(Signal::stored(project), switches.into(), newest);
    load_when_switched(project, switches, newest);
    view! {
        <Title text="Agreement"/>
        <div class="page wide agreement">
            <Loaded resource=first view=move |first| {
                let board = Board::new(first, newest, switches.into());
                let address = move |switches| query::matrix_address(project, switches);
                view! {
                    <h1>"Agreement"</h1>
                    <AgreementTabs project switches=switches.into() current=AgreementTab::Matrix/>
                    <Loaded resource=alerts quiet=true view=move |notices| view! { <AlertNotices project notices/> }/>
                    <SwitchBar switches=switches.into() address/>
                    <Narrow project switches=switches.into()/>
                    <LiveMatrix board switches=switches.into() freshness/>
                }
            }/>
        </div>
    }
}

/// What the numbers are of; a choice leads to the page's address under it.
#[component]
fn Narrow(project: ProjectId, switches: Signal<Switches>) -> impl IntoView {
    let ProjectContext(context) = expect_context();
    let navigate = use_navigate();
    let on_choice = Callback::new(move |switches| {
        let options = NavigateOptions { scroll: false, ..NavigateOptions::default() };
        navigate(&query::matrix_address(project, switches), options);
    });
    view! {
        <Loaded resource=context quiet=true view=move |context| {
            let address = move |switches| query::matrix_address(project, switches);
            view! { <FilterBar switches project=context address on_choice/> }
        }/>
    }
}

/// Loads the numbers of newly chosen switches: the stream brings them too, but not while offline.
fn load_when_switched(
    project: ProjectId,
    switches: Memo<Switches>,
    newest: RwSignal<Option<AgreementSnapshot>>,
) {
    Effect::new(move |before: Option<Switches>| {
        let wanted = switches.get();
        if before.is_some_and(|before| before != wanted) {
            spawn_local(async move {
                let Ok(loaded) = load_agreement(project, wanted).await else { return };
                // Neither is there any more if the page was left meanwhile.
                let Some(wanted) = switches.try_get_untracked() else { return };
                newest.try_update(|newest| {
                    if replaces(&loaded, newest.as_ref(), wanted) {
                        *newest = Some(loaded);
                    }
                });
            });
        }
        wanted
    });
}

/// The matrix with everything that follows it: how fresh it is, what has changed, what is missing.
#[component]
fn LiveMatrix(
    board: Board,
    switches: Signal<Switches>,
    freshness: Signal<Freshness>,
) -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let lacking = Memo::new(move |_| board.shown.with(missing));
    let last_change = Signal::derive(move || board.shown.with(|shown| shown.last_change.clone()));
    let notice = dynamic(move || {
        lacking.get().map(|missing| {
            view! {
                <Loaded resource=project quiet=true view=move |project| view! {
                    <MissingNotice missing snapshot=board.shown.get_untracked() role=project.role/>
                }/>
            }
        })
    });
    let simulation = view! {
        <Loaded resource=project quiet=true view=move |project| {
            project.demo.then(|| view! { <Simulation project=project.id/> })
        }/>
    };
    let has_raters = Memo::new(move |_| lacking.get() != Some(Missing::Raters));
    view! {
        <div class="live-line">
            <FreshnessLine freshness last_change/>
            <SeenLine board/>
        </div>
        {notice}
        <Show when=move || has_raters.get()>
            <Arrange board/>
            <MatrixGrid board/>
            <TakeAway board/>
            <SeveralTable board/>
            <Legend switches/>
        </Show>
        {simulation}
    }
}
