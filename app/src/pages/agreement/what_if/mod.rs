//! What agreement would be if something were otherwise: the present numbers, and beside them those
//! that the page's script has the browser predict. Nothing is saved.

mod controls;
mod guidance;
mod tables;

use domain::{
    AgreementSnapshot, LabelId, LabelOrder, LabelParts, LabelSet, Measure, ProjectId, ProjectView,
    Sorting, Switches,
};
use leptos::nonce::use_nonce;
use whatif::Scenario;

use crate::{
    FrontEnd,
    api::agreement::load_agreement,
    pages::{
        agreement::use_switches,
        components::{
            agreement::matrix::{
                controls::{
                    filter_bar::FilterBar,
                    switch_bar::SwitchBar,
                    unoffered::{EXACT, Unoffered},
                },
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
use tables::{Differences, LabelersTable, PairsTable, PooledTable};

/// The scenario that the page's address names.
fn use_scenario() -> Scenario {
    Scenario::of_query(&whole_query())
}

/// What the numbers would come to.
#[component]
pub(crate) fn WhatIfPage() -> impl IntoView {
    let (project, mut switches) = (use_project_id(), use_switches());
    if switches.measure.is_graded() {
        // Nothing is predicted of these: the nearest that is.
        switches.measure = Measure::Alpha;
    }
    if !EXACT.has(switches) {
        let address = move |switches| query::what_if_address(project, switches, &use_scenario());
        return view! {
            <PageBody title="What if" class="page agreement">
                <Unoffered switches address offered=EXACT/>
            </PageBody>
        };
    }
    let snapshot = load(load_agreement(project, switches));
    let lost = load(load_lost(project, switches, use_scenario()));
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="What if"/>
        <div class="page agreement">
            <Loaded resource=snapshot view=move |snapshot| view! {
                <Loaded resource=context quiet=true view=move |project| view! {
                    <Loaded resource=lost quiet=true view=move |lost| view! {
                        <WhatIf snapshot project lost/>
                    }/>
                }/>
            }/>
        </div>
        <script type="module" src="/what_if.js" nonce=use_nonce()></script>
    }
}

/// What merging labels costs: the positions on which labelers said different ones of them, in words.
async fn load_lost(
    project: ProjectId,
    switches: Switches,
    scenario: Scenario,
) -> Result<String, ApiError> {
    if scenario.merged.is_empty() {
        return Ok(String::new());
    }
    let (services, actor) = request()?;
    let sorting = Sorting::<LabelOrder>::default();
    let parts =
        services::agreement::breakdowns::labels(&services, &actor, project, switches, sorting)
            .await;
    Ok(lost(&answer(parts)?, &scenario))
}

/// "55 positions lose the distinction PLACE/ORG".
fn lost(parts: &LabelParts, scenario: &Scenario) -> String {
    let id = |label: u64| i64::try_from(label).ok().map(LabelId);
    let merged: Vec<_> =
        scenario.merged.iter().filter_map(|(group, label)| Some((*group, id(*label)?))).collect();
    let pairs = merged.iter().enumerate().flat_map(|(place, (group, one))| {
        let others = merged.iter().skip(place + 1).filter(move |(other, _)| other == group);
        others.map(move |(_, other)| (*one, *other))
    });
    let words = pairs.filter_map(|(one, other)| {
        let row = parts.rows.iter().find(|row| row.label == one)?;
        let wanted: LabelSet = [other].into_iter().collect();
        let (_, positions) = row.confusions.iter().find(|(set, _)| *set == wanted)?;
        let [one, other] = [one, other].map(|label| naming::label(label, &parts.labels));
        let verb = if *positions == 1 { "loses" } else { "lose" };
        let positions = display::count(*positions, "position");
        Some(format!("{positions} {verb} the distinction {one}/{other}"))
    });
    words.collect::<Vec<_>>().join("; ")
}

#[component]
fn WhatIf(snapshot: AgreementSnapshot, project: ProjectView, lost: String) -> impl IntoView {
    let scenario = use_scenario();
    let page = query::read_page(in_query);
    let (switches, id, role, labels) = (
        snapshot.switches,
        project.id,
        project.role,
        project.categories(snapshot.switches.filter.question),
    );
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
            <div class="what-if-board">
                <Controls project=id switches raters=snapshot.raters.clone() labels scenario/>
                <div class="stack">
                    <PositionOutcome project=id switches lost/>
                    <Differences snapshot=snapshot.clone()/>
                </div>
            </div>
            <details class="fold">
                <summary>"All numbers"</summary>
                <div class="stack">
                    <LabelersTable several=snapshot.several.clone()/>
                    <PooledTable snapshot=snapshot.clone()/>
                    <PairsTable snapshot=snapshot.clone() page to_page/>
                </div>
            </details>
        }
    });
    let revision = snapshot.revision;
    view! {
        <PageHead heading="What if"><LiveLine project=id switches revision/></PageHead>
        <Lead line="Predict agreement under other rules. Nothing is saved, nobody’s work changes." about="what if">
            <p>"What would the numbers be if two labels were one, if somebody had not taken part, if a few characters did not matter, or if everybody had followed the reviewer?"</p>
            <p>"The prediction is made in your browser from the present judgements; it cannot know how people would label under other guidelines. Your changes are in the address, so you can share them."</p>
        </Lead>
        <SwitchBar switches address=to.clone() any_scale=true positions=EXACT.positions>
            <FilterBar switches project address=to/>
        </SwitchBar>
        {lacking.map(|missing| view! { <MissingNotice missing project=id switches role/> })}
        {numbers}
        <details class="fold">
            <summary>"How this is predicted"</summary>
            <Guidance/>
        </details>
    }
}

/// What the script has found, in a sentence, and where it finds what it needs.
#[component]
fn PositionOutcome(
    project: ProjectId,
    switches: Switches,
    /// What merging labels costs, in words.
    lost: String,
) -> impl IntoView {
    let (row, symbol) = match switches.measure {
        Measure::Kappa => (0, "κ"),
        Measure::Percent => (2, "Percentage"),
        _ => (1, "α"),
    };
    let FrontEnd { what_if_js, what_if_wasm, .. } = use_context().unwrap_or_default();
    let study = format!("/api/v1/projects/{project}/what-if?{}", query::write_switches(switches));
    view! {
        <section
            class="what-if-outcome"
            aria-labelledby="outcome-title"
            data-what-if=study
            data-module=format!("/pkg/{what_if_js}")
            data-wasm=format!("/pkg/{what_if_wasm}")
            data-headline=format!("3-{row}-0")
            data-symbol=symbol
            data-lost=lost
        >
            <h2 id="outcome-title">"Predicted values"</h2>
            <noscript><p class="notice">"Predictions need JavaScript. The present values below do not."</p></noscript>
            <p role="status" data-own="" data-outcome=""></p>
            <ul hidden data-lacks="">{reasons()}</ul>
        </section>
    }
}
