//! What agreement would be if something were otherwise: the present numbers, and beside them those
//! that the page's script has the browser predict. Nothing is saved.

mod controls;
mod guidance;
mod tables;

use domain::{AgreementSnapshot, ProjectId, ProjectView, Switches};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::Title;
use whatif::Scenario;

use crate::{
    FrontEnd,
    api::agreement::load_agreement,
    loading::load,
    pages::{
        agreement::use_switches,
        base::address::{in_query, whole_query},
        components::{
            agreement_tabs::{AgreementTab, AgreementTabs},
            live_line::LiveLine,
            loaded::Loaded,
            matrix::{
                filter_bar::FilterBar,
                missing::{Missing, MissingNotice, missing},
                switch_bar::SwitchBar,
            },
        },
        project::{ProjectContext, use_project_id},
    },
    query,
    view::view,
};
use controls::Controls;
use guidance::{Guidance, reasons};
use tables::{LabelersTable, PairsTable, PooledTable};

/// The scenario that the page's address names.
fn use_scenario() -> Scenario {
    Scenario::of_query(&whole_query())
}

/// The address of the page under other switches, with the same scenario.
fn address(project: ProjectId, switches: Switches, scenario: &Scenario) -> String {
    let switches = query::write_switches(switches);
    format!("/projects/{project}/agreement/what-if?{switches}{}", scenario.written())
}

/// What the numbers would come to.
#[component]
pub(crate) fn WhatIfPage() -> impl IntoView {
    let snapshot = load(load_agreement(use_project_id(), use_switches()));
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="What if"/>
        <div class="page wide agreement">
            <h1>"What if"</h1>
            <Loaded resource=snapshot titled=true view=move |snapshot| view! {
                <Loaded resource=context quiet=true view=move |project| view! {
                    <WhatIf snapshot project/>
                }/>
            }/>
        </div>
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
        move |switches| address(id, switches, &scenario)
    };
    let lacking = missing(&snapshot);
    let numbers = (lacking != Some(Missing::Raters)).then(|| {
        let to_page = {
            let present = to(switches);
            move |page: u64| format!("{present}&page={}", page + 1)
        };
        view! {
            <Controls project=id switches raters=snapshot.raters.clone() labels scenario/>
            <Outcome project=id switches/>
            <LabelersTable several=snapshot.several.clone()/>
            <PooledTable snapshot=snapshot.clone()/>
            <PairsTable snapshot=snapshot.clone() page to_page/>
        }
    });
    view! {
        <AgreementTabs project=id switches current=AgreementTab::WhatIf/>
        <p class="how">
            "What would the numbers be if two labels were one, if somebody had not taken part, if a few characters did not matter, or if everybody had done what the reviewer decided? "
            "Each value stands beside the one that it has now. "
            <strong>"Nothing is saved, and nobody’s work changes: "</strong>
            "it is a prediction from the present judgements, made in your browser, and how people would really label under other guidelines it cannot know. Your changes stand in the address, so you can share them."
        </p>
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
fn Outcome(project: ProjectId, switches: Switches) -> impl IntoView {
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
            <h2 id="outcome-title">"What it would come to"</h2>
            <noscript><p class="notice">"The prediction is made in your browser by a script, which does not run here. The present values below do not need it."</p></noscript>
            <p role="status" data-own="" data-outcome=""></p>
            <ul hidden data-lacks="">{reasons()}</ul>
        </section>
    }
}
