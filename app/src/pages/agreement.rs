//! The matrix of a project: what stands around the numbers.

use domain::{AgreementSnapshot, ProjectView, Switches};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    api::{agreement::load_agreement, alerts::list_standing},
    components::{
        agreement_tabs::{AgreementTab, AgreementTabs},
        alert_notices::AlertNotices,
        loaded::Loaded,
        matrix::{
            LiveMatrix,
            filter_bar::FilterBar,
            legend::Legend,
            missing::{Missing, missing},
            simulation::Simulation,
            switch_bar::SwitchBar,
        },
    },
    loading::load,
    pages::project::{ProjectContext, use_project_id},
    query,
    view::view,
};

/// The switches that the page's address names.
pub(crate) fn use_switches() -> Memo<Switches> {
    let parameters = use_query_map();
    Memo::new(move |_| query::read_switches(|name| parameters.read().get(name)))
}

/// Who agrees with whom, and how much.
#[component]
pub(crate) fn AgreementPage() -> impl IntoView {
    let (project, switches) = (use_project_id(), use_switches());
    let first = load(
        move || (project.get(), switches.get()),
        |(project, switches)| load_agreement(project, switches),
    );
    let alerts = load(move || project.get(), list_standing);
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="Agreement"/>
        <div class="page wide agreement">
            <Loaded resource=first view=move |first| {
                let project = first.project;
                let address = move |switches| query::matrix_address(project, switches);
                view! {
                    <h1>"Agreement"</h1>
                    <AgreementTabs project switches=switches.into() current=AgreementTab::Matrix/>
                    <Loaded resource=alerts quiet=true view=move |notices| view! { <AlertNotices project notices/> }/>
                    <SwitchBar switches=switches.into() address/>
                    <Loaded resource=context quiet=true view=move |project| {
                        let first = first.clone();
                        view! { <Numbers project first switches=switches.into()/> }
                    }/>
                }
            }/>
        </div>
    }
}

/// The live numbers, with what they can be narrowed down to and how to read them.
#[component]
fn Numbers(
    project: ProjectView,
    first: AgreementSnapshot,
    switches: Signal<Switches>,
) -> impl IntoView {
    let ProjectView { id, role, demo, .. } = project;
    let has_raters = missing(&first) != Some(Missing::Raters);
    view! {
        <FilterBar switches project address=move |switches| query::matrix_address(id, switches)/>
        <LiveMatrix first role/>
        {has_raters.then(|| view! { <Legend switches/> })}
        {demo.then(|| view! { <Simulation project=id/> })}
    }
}
