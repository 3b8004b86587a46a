//! One pair of the matrix: the number, where it comes from, and the positions behind it.

use std::sync::Arc;

use domain::{
    Causes, Confidence, DisagreementList, DisagreementQuery, Dispute, MemberId, PairView,
    PositionKind, PositionOutcome, PositionQuery, ProjectId, ProjectView, Switches, WalkList,
    Whose,
};

use crate::{
    api::agreement::load_pair,
    context::loading::Loading,
    pages::{
        components::{
            agreement::{
                diagnostics::{Behind, Boundaries, Chance, Confusions, Documents, Labels, Truth},
                disagreements::{place::Way, table::DisagreementTable, two::of_two},
                matrix::controls::{
                    filter_bar::FilterBar,
                    question_menu::answers,
                    switch_bar::{SwitchBar, positions_name},
                },
                pair::{contingency::ContingencyTable, steps::FilledFormula, summary::PairSummary},
                walk_through::WalkThrough,
            },
            list::pager::rows_in_words,
            prelude::*,
        },
        project::ProjectContext,
    },
    query::{self, PairLook, PairPart},
};

/// Two raters and everything behind their number.
#[component]
pub(crate) fn PairPage() -> impl IntoView {
    let project = use_project_id();
    let switches = query::read_switches(in_query);
    let two = use_two_raters();
    let (first, second) = two;
    let look = query::read_look(in_query);
    let pair = load(load_pair(project, first, second, switches));
    let causes = load(load_causes(project, two, switches, look));
    let disagreements = (look.part == PairPart::Differences).then(|| {
        let differing = DisagreementQuery {
            filter: query::of_pair(switches, first, second),
            page: query::read_page(in_query),
            ..DisagreementQuery::default()
        };
        load_with(move |services, actor| async move {
            services::agreement::disagreements::list_few(&services, &actor, project, differing)
                .await
        })
    });

    let ProjectContext(context) = expect_context();
    view! {
        <div class="page pair-page">
            <Loaded resource=pair view={
                let context = context.clone();
                move |pair| view! { <Pair pair switches look context causes/> }
            }/>
            {disagreements.map(|disagreements| view! {
                <Loaded resource=context quiet=true view=move |project: ProjectView| view! {
                    <Loaded resource=disagreements quiet=true view=move |list| view! {
                        <PairDisagreements list project two switches/>
                    }/>
                }/>
            })}
        </div>
    }
}

/// The raters that the page's address names; an address that names none leads to "not found".
fn use_two_raters() -> (MemberId, MemberId) {
    (in_path("first"), in_path("second"))
}

/// Where two raters part ways.
pub(super) async fn load_causes(
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
    let back = Some((query::matrix_address(project, switches), "← Matrix"));
    let address = move |switches| look.address(project, two, switches);
    view! {
        <Title text=title/>
        <PageHead heading back>
            <LiveLine project switches revision pending/>
        </PageHead>
        <Loaded resource=context.clone() quiet=true view=move |context: ProjectView| {
            let answers = answers(switches.filter.question, &context);
            view! {
                <SwitchBar switches answers address>
                    <FilterBar switches project=context address/>
                </SwitchBar>
            }
        }/>
        <PairSummary pair=pair.clone()/>
        <Parts project two switches look/>
        <Part pair look context causes/>
    }
}

/// The ways to the parts of what stands behind the value.
#[component]
fn Parts(
    project: ProjectId,
    two: (MemberId, MemberId),
    switches: Switches,
    look: PairLook,
) -> impl IntoView {
    let links = PairPart::ALL.map(|part| {
        let address = PairLook { part, ..look }.address(project, two, switches);
        let current = (part == look.part).then_some("page");
        view! { <li><a href=address aria-current=current data-noscroll="">{title(part)}</a></li> }
    });
    view! {
        <nav class="parts-tabs" aria-label="Behind the value">
            <ul class="tabs">{links.into_iter().collect_view()}</ul>
        </nav>
    }
}

const fn title(part: PairPart) -> &'static str {
    match part {
        PairPart::Confusions => "Confusions",
        PairPart::Labels => "Labels",
        PairPart::Boundaries => "Boundaries",
        PairPart::Documents => "Documents",
        PairPart::Chance => "Chance",
        PairPart::Formula => "Formula",
        PairPart::Differences => "Differences",
    }
}

/// The chosen part; the differences come with a list of their own.
#[component]
fn Part(
    pair: PairView,
    look: PairLook,
    context: Loading<ProjectView>,
    causes: Loading<Causes>,
) -> impl IntoView {
    view! {
        <div class="pair-body">
            <Loaded resource=context quiet=true view=move |project: ProjectView| view! {
                <Loaded resource=causes quiet=true view=move |causes| {
                    let behind = Behind {
                        causes: Arc::new(causes),
                        labels: project.categories(pair.switches.filter.question).into(),
                        first: pair.first.clone(),
                        second: pair.second.clone(),
                        look,
                    };
                    match look.part {
                        PairPart::Confusions => view! { <ContingencyTable pair look/> <Confusions behind/> },
                        PairPart::Labels => view! { <Labels behind/> },
                        PairPart::Boundaries => view! { <Boundaries behind/> },
                        PairPart::Documents => view! { <Documents behind/> },
                        PairPart::Chance => view! { <Chance behind=behind.clone()/> <Truth behind/> },
                        PairPart::Formula => view! { <FilledFormula pair/> },
                        PairPart::Differences => ().into_any(),
                    }
                }/>
            }/>
        </div>
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
    // The list is of exact spans, whatever is compared.
    let kind = switches.policy.positions();
    let (title, others) = match kind {
        PositionKind::Exact => ("Differences", None),
        PositionKind::Tokens | PositionKind::Overlapping => {
            let of_pair = PositionQuery::of(Whose::Pair(first, second), switches);
            let differ = PositionQuery { outcome: PositionOutcome::Differ, ..of_pair };
            let href = query::positions_address(project.id, &differ);
            let words = format!("Differences of {}", positions_name(kind).to_lowercase());
            ("Differences of exact spans", Some(view! { <a href=href>{words}</a> }))
        }
    };
    let about = match kind {
        PositionKind::Exact => {
            "“Leave out” drops rows marked by only one and boundary overlaps, and shows them in the coverage; “Count” counts them against the value."
        }
        PositionKind::Tokens | PositionKind::Overlapping => {
            "Each place where the exact spans of the two differ. The value above counts otherwise."
        }
    };
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
        let labels: Arc<[_]> = project.categories(switches.filter.question).into();
        let rows = list.page.rows.into_iter().map(Dispute::of).collect();
        view! { <DisagreementTable raters=list.raters rows labels way/> {pager} }
    };
    view! {
        <section class="stack" id="disagreements" aria-labelledby="disagreements-title">
            <div class="row spread">
                <h2 id="disagreements-title">{title}</h2>
                <span class="row">
                    {others}
                    {walk}
                    <a href=query::disagreements_address(project.id, &everything)>"Filter, sort, download"</a>
                </span>
            </div>
            <Lead line=count about="differences">
                <p>{about}</p>
            </Lead>
            {rows}
        </section>
    }
}
