//! What agreement would be if something were otherwise: the present numbers, and beside them those
//! that the page's script has the browser predict. Nothing is saved.

mod controls;
mod guidance;
mod tables;

use domain::{AgreementSnapshot, ProjectId, ProjectView, Switches};
use leptos::nonce::use_nonce;
use whatif::Scenario;

use crate::{
    FrontEnd,
    api::agreement::load_agreement,
    pages::{
        agreement::use_switches,
        components::{
            agreement::matrix::{
                controls::{filter_bar::FilterBar, switch_bar::SwitchBar},
                missing::{Missing, MissingNotice, missing},
            },
            prelude::*,
        },
        project::ProjectContext,
    },
    query::address::whole_query,
};
use controls::Controls;
use guidance::{Guidance, reasons};
use tables::{LabelersTable, PairsTable, PooledTable};

/// The scenario that the page's address names.
fn use_scenario() -> Scenario {
    Scenario::of_query(&whole_query())
}

/// What the numbers would come to.
#[component]
pub(crate) fn WhatIfPage() -> impl IntoView {
    let snapshot = load(load_agreement(use_project_id(), use_switches()));
    let ProjectContext(context) = expect_context();
    view! {
        <PageBody title="What if" class="page agreement">
            <Loaded resource=snapshot titled=true view=move |snapshot| view! {
                <Loaded resource=context quiet=true view=move |project| view! {
                    <WhatIf snapshot project/>
                }/>
            }/>
        </PageBody>
        <script type="module" src="/what_if.js" nonce=use_nonce()></script>
    }
}

#[component]
fn WhatIf(snapshot: AgreementSnapshot, project: ProjectView) -> impl IntoView {
    let scenario = use_scenario();
    let page = query::read_page(in_query);
    let (switches, id, role, labels) =
        (snapshot.switches, project.id, project.role, project.labels.clone());
    let to = {
        let scenario = scenario.clone();
        move |switches| query::what_if_address(id, switches, &scenario)
    };
    let lacking = missing(&snapshot);
    let numbers = (lacking != Some(Missing::Raters)).then(|| {
        let to_page = {
            let present = to(switches);
            move |page: u64| format!("{present}&page={}", page + 1)
        };
        view! {
            <Controls project=id switches raters=snapshot.raters.clone() labels scenario/>
            <PositionOutcome project=id switches/>
            <LabelersTable several=snapshot.several.clone()/>
            <PooledTable snapshot=snapshot.clone()/>
            <PairsTable snapshot=snapshot.clone() page to_page/>
        }
    });
    view! {
        <Lead line="Predict agreement under other rules. Nothing is saved, nobody’s work changes." about="what if">
            <p>"What would the numbers be if two labels were one, if somebody had not taken part, if a few characters did not matter, or if everybody had followed the reviewer?"</p>
            <p>"The prediction is made in your browser from the present judgements; it cannot know how people would label under other guidelines. Your changes are in the address, so you can share them."</p>
        </Lead>
        <SwitchBar switches address=to.clone() any_scale=true/>
        <FilterBar switches project address=to/>
        <LiveLine project=id switches revision=snapshot.revision/>
        {lacking.map(|missing| view! { <MissingNotice missing project=id switches role/> })}
        {numbers}
        <Guidance/>
    }
}

/// What the script has found, in a sentence, and where it finds what it needs.
#[component]
fn PositionOutcome(project: ProjectId, switches: Switches) -> impl IntoView {
    let FrontEnd { what_if_js, what_if_wasm, .. } = use_context().unwrap_or_default();
    let study = format!("/api/v1/projects/{project}/what-if?{}", query::write_switches(switches));
    view! {
        <section
            class="what-if-outcome"
            aria-labelledby="outcome-title"
            data-what-if=study
            data-module=format!("/pkg/{what_if_js}")
            data-wasm=format!("/pkg/{what_if_wasm}")
        >
            <h2 id="outcome-title">"Predicted values"</h2>
            <noscript><p class="notice">"Predictions need JavaScript. The present values below do not."</p></noscript>
            <p role="status" data-own="" data-outcome=""></p>
            <ul hidden data-lacks="">{reasons()}</ul>
        </section>
    }
}
