//! One pair of the matrix: the number, where it comes from, and the positions behind it.

use std::sync::Arc;

use domain::{
    Confidence, DisagreementList, DisagreementQuery, MemberId, PairCell, PairView, ProjectView,
    Revision, Switches,
};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::use_switches;
use crate::{
    api::agreement::{list_disagreements, load_pair},
    components::{
        disagreements::{
            pager::{Pager, rows_in_words},
            table::DisagreementTable,
            two::of_two,
        },
        loaded::Loaded,
        matrix::{freshness::FreshnessLine, switch_bar::SwitchBar},
        pair::{contingency::ContingencyTable, steps::FilledFormula, summary::PairSummary},
    },
    live::use_live_agreement,
    loading::load,
    pages::project::{ProjectContext, use_project_id},
    query,
    view::view,
};

/// Two raters and everything behind their number; it follows their work without a reload.
#[component]
pub(crate) fn PairPage() -> impl IntoView {
    let project = use_project_id();
    let switches = use_switches();
    let two = use_two_raters();
    let parameters = use_query_map();
    let page = Memo::new(move |_| query::read_page(|name| parameters.read().get(name)));

    let pair = load(
        move || (project.get(), two.get(), switches.get()),
        |(project, (first, second), switches)| load_pair(project, first, second, switches),
    );
    let disagreements = load(
        move || (project.get(), two.get(), switches.get(), page.get()),
        |(project, (first, second), switches, page)| {
            let filter = query::of_pair(switches, first, second);
            let query = DisagreementQuery { filter, page, ..DisagreementQuery::default() };
            list_disagreements(project, query)
        },
    );

    let stream = RwSignal::new(None);
    let freshness = use_live_agreement(project.into(), switches.into(), stream);
    let last_change =
        Signal::derive(move || stream.with(|stream| stream.as_ref()?.last_change.clone()));
    let shown = RwSignal::new(None);
    let moved_to = Signal::derive(move || {
        let (first, second) = two.get();
        stream.with(|stream| {
            let stream = stream.as_ref()?;
            let cell = stream.cell(first, second);
            Some((stream.revision, cell.is_some_and(has_settled)))
        })
    });
    refresh_when_moved(shown, moved_to, move || {
        pair.refetch();
        disagreements.refetch();
    });

    let ProjectContext(context) = expect_context();
    view! {
        <div class="page pair-page">
            <p><a href=move || query::matrix_address(project.get(), switches.get())>"← All raters"</a></p>
            <Loaded resource=pair view=move |pair| {
                shown.set(Some((pair.revision, has_settled(&pair.cell))));
                view! { <PairHead pair/> }
            }/>
            <SwitchBar
                switches=switches.into()
                address=move |switches| {
                    let (first, second) = two.get();
                    query::pair_address(project.get(), first, second, switches)
                }
            />
            <FreshnessLine freshness last_change/>
            <Loaded resource=pair quiet=true view=|pair| view! { <PairBody pair/> }/>
            <Loaded resource=context quiet=true view=move |project: ProjectView| view! {
                <Loaded resource=disagreements quiet=true view=move |list| view! {
                    <PairDisagreements list project=project.clone() two=two.get_untracked() switches=switches.get_untracked()/>
                }/>
            }/>
        </div>
    }
}

/// The raters that the page's address names; an address that names none leads to "not found".
fn use_two_raters() -> Memo<(MemberId, MemberId)> {
    let params = use_params_map();
    let id = move |name: &str| {
        params.read().get(name).and_then(|id| id.parse().ok()).unwrap_or_default()
    };
    Memo::new(move |_| (id("first"), id("second")))
}

/// A revision, and whether the pair's interval is there: the newer state is the greater.
type Settled = (Revision, bool);

fn has_settled(cell: &PairCell) -> bool {
    cell.confidence != Confidence::Pending
}

/// Loads again what is on screen when the project has moved past it, once for each move.
fn refresh_when_moved(
    shown: RwSignal<Option<Settled>>,
    moved_to: Signal<Option<Settled>>,
    refresh: impl Fn() + 'static,
) {
    Effect::new(move |asked_for: Option<Option<Settled>>| {
        let asked_for = asked_for.flatten();
        let (Some(shown), Some(moved_to)) = (shown.get(), moved_to.get()) else {
            return asked_for;
        };
        if asked_for.unwrap_or(shown).max(shown) < moved_to {
            refresh();
            return Some(moved_to);
        }
        asked_for
    });
}

#[component]
fn PairHead(pair: PairView) -> impl IntoView {
    let PairView { first, second, .. } = pair;
    view! {
        <Title text=format!("{} × {}", first.name, second.name)/>
        <h1><bdi>{first.name}</bdi>" × "<bdi>{second.name}</bdi></h1>
    }
}

#[component]
fn PairBody(pair: PairView) -> impl IntoView {
    view! {
        <div class="pair-body">
            <PairSummary pair=pair.clone()/>
            <ContingencyTable pair=pair.clone()/>
            <FilledFormula pair/>
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
    let everything = DisagreementQuery {
        filter: query::of_pair(switches, first, second),
        ..DisagreementQuery::default()
    };
    let rows = if list.page.rows.is_empty() {
        view! { <p class="empty">"The two differ nowhere in the documents that count."</p> }
    } else {
        let pager = view! {
            <Pager
                page=list.page.clone()
                address=move |page| query::pair_page_address(project.id, two, switches, page)
            />
        };
        let labels: Arc<[_]> = project.labels.into();
        view! { <DisagreementTable list labels role=project.role/> {pager} }
    };
    view! {
        <section class="stack" id="disagreements" aria-labelledby="disagreements-title">
            <div class="row spread">
                <h2 id="disagreements-title">"Where they differ"</h2>
                <a href=query::disagreements_address(project.id, &everything)>"Filter, sort, download"</a>
            </div>
            <p class="soft">
                {count}". One-sided rows and boundary overlaps lower the value only with the empty label; "
                "cleaned leaves them out and shows them in the coverage."
            </p>
            {rows}
        </section>
    }
}
