//! One pair of the matrix: the number, where it comes from, and the positions behind it.

use std::sync::Arc;

use domain::{
    Causes, Confidence, DisagreementList, DisagreementQuery, Dispute, MemberId, PairView,
    ProjectId, ProjectView, Switches, WalkList,
};

use super::use_switches;
use crate::{
    api::agreement::{list_disagreements, load_pair},
    context::loading::Loading,
    pages::{
        components::{
            agreement::{
                diagnostics::{Behind, WhatChanceDoes, WhereTheyPart},
                disagreements::{place::Way, table::DisagreementTable, two::of_two},
                matrix::controls::{filter_bar::FilterBar, switch_bar::SwitchBar},
                pair::{contingency::ContingencyTable, steps::FilledFormula, summary::PairSummary},
                walk_through::WalkThrough,
            },
            list::pager::rows_in_words,
            prelude::*,
        },
        project::ProjectContext,
    },
    query::{self, PairLook},
};

/// Two raters and everything behind their number.
#[component]
pub(crate) fn PairPage() -> impl IntoView {
    let project = use_project_id();
    let switches = use_switches();
    let two = use_two_raters();
    let (first, second) = two;
    let look = query::read_look(in_query);
    let pair = load(load_pair(project, first, second, switches));
    let causes = load(load_causes(project, two, switches, look));
    let differing = DisagreementQuery {
        filter: query::of_pair(switches, first, second),
        page: query::read_page(in_query),
        ..DisagreementQuery::default()
    };
    let disagreements = load(list_disagreements(project, differing));

    let ProjectContext(context) = expect_context();
    view! {
        <div class="page pair-page">
            <Loaded resource=pair view={
                let context = context.clone();
                move |pair| view! { <Pair pair switches look context causes/> }
            }/>
            <Loaded resource=context quiet=true view=move |project: ProjectView| view! {
                <Loaded resource=disagreements quiet=true view=move |list| view! {
                    <PairDisagreements list project two switches/>
                }/>
            }/>
        </div>
    }
}

/// The raters that the page's address names; an address that names none leads to "not found".
fn use_two_raters() -> (MemberId, MemberId) {
    (in_path("first"), in_path("second"))
}

async fn load_causes(
    project: ProjectId,
    two: (MemberId, MemberId),
    switches: Switches,
    look: PairLook,
) -> Result<Causes, ApiError> {
    let (services, actor) = request()?;
    let causes = services::agreement::diagnostics::load(
        &services,
        &actor,
        project,
        two,
        switches,
        look.documents,
    );
    answer(causes.await)
}

#[component]
fn Pair(
    pair: PairView,
    switches: Switches,
    look: PairLook,
    context: Loading<ProjectView>,
    causes: Loading<Causes>,
) -> impl IntoView {
    let PairView { project, revision, ref first, ref second, .. } = pair;
    let two = (first.id, second.id);
    let pending = pair.cell.confidence == Confidence::Pending;
    let title = format!("{} × {}", first.name, second.name);
    let heading = view! { <bdi>{first.name.clone()}</bdi>" × "<bdi>{second.name.clone()}</bdi> };
    let back = Some((query::matrix_address(project, switches), "← All raters"));
    view! {
        <Title text=title/>
        <PageHead heading back/>
        <SwitchBar
            switches
            address=move |switches| look.address(project, two, switches, "value")
        />
        <Loaded resource=context.clone() quiet=true view=move |context| {
            let address = move |switches| look.address(project, two, switches, "value");
            view! { <FilterBar switches project=context address/> }
        }/>
        <LiveLine project switches revision pending/>
        <div class="pair-body">
            <PairSummary pair=pair.clone()/>
            <ContingencyTable pair=pair.clone() look/>
            <Sections pair=pair.clone() look context causes/>
            <FilledFormula pair/>
        </div>
    }
}

/// What stands behind the number: where the two part ways, and what chance has to do with it.
#[component]
fn Sections(
    pair: PairView,
    look: PairLook,
    context: Loading<ProjectView>,
    causes: Loading<Causes>,
) -> impl IntoView {
    view! {
        <Loaded resource=context quiet=true view=move |project: ProjectView| {
            view! {
                <Loaded resource=causes quiet=true view=move |causes| {
                    let behind = Behind {
                        causes: Arc::new(causes),
                        labels: project.labels.into(),
                        first: pair.first,
                        second: pair.second,
                        look,
                    };
                    view! { <WhereTheyPart behind=behind.clone()/> <WhatChanceDoes behind/> }
                }/>
            }
        }/>
    }
}

/// The positions on which the two differ.
#[component]
fn PairDisagreements(
    list: DisagreementList,
    project: ProjectView,
    two: (MemberId, MemberId),
    switches: Switches,
) -> impl IntoView {
    let (first, second) = two;
    let list = of_two(list, [first, second]);
    let count = rows_in_words(&list.page);
    let everything = DisagreementQuery {
        filter: query::of_pair(switches, first, second),
        ..DisagreementQuery::default()
    };
    let walk = WalkList::Disagreements(everything);
    let way = Way::new(&project, walk.clone());
    let walk = view! { <WalkThrough project=project.id list=walk total=list.page.total/> };
    let rows = if list.page.rows.is_empty() {
        view! { <p class="empty">"No differences in the documents that count."</p> }
    } else {
        let pager = view! {
            <Pager
                page=list.page.clone()
                address=move |page| query::pair_page_address(project.id, two, switches, page)
            />
        };
        let labels: Arc<[_]> = project.labels.into();
        let rows = list.page.rows.into_iter().map(Dispute::of).collect();
        view! { <DisagreementTable raters=list.raters rows labels way/> {pager} }
    };
    view! {
        <section class="stack" id="disagreements" aria-labelledby="disagreements-title">
            <div class="row spread">
                <h2 id="disagreements-title">"Differences"</h2>
                <span class="row">
                    {walk}
                    <a href=query::disagreements_address(project.id, &everything)>"Filter, sort, download"</a>
                </span>
            </div>
            <Lead line=count about="differences">
                <p>"“Leave out” drops rows marked by only one and boundary overlaps, and shows them in the coverage; “Count” counts them against the value."</p>
            </Lead>
            {rows}
        </section>
    }
}
