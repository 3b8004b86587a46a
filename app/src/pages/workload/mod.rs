//! Who is to do what until when, and how far everybody is.

mod ask;
mod batches;
mod board;
mod copies;
pub(crate) mod double_annotation;
mod flags;
mod pool;
mod preview;
mod time;

use domain::{BoardQuery, ProjectId, WorkloadBoard};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{
    ask::Ask,
    batches::Acts,
    board::Board,
    pool::PoolCard,
    preview::Preview,
    time::{Times, load_times},
};
use super::{base::address::in_query, components::loaded::Loaded, project::use_project_id};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    query,
    view::view,
};

pub(crate) use copies::CopiesPage;

#[component]
pub(crate) fn WorkloadPage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_board(in_query);
    let board = load(load_board(project, asked));
    let times = load(load_times(project));
    view! {
        <Title text="Workload"/>
        <div class="page wide">
            <p><a href=format!("/projects/{project}/documents")>"← Documents"</a></p>
            <div class="page-head">
                <h1>"Workload"</h1>
                <span class="row">
                    <a class="button" href=format!("/projects/{project}/documents/second")>"Next best double annotation"</a>
                    <a class="button" href=format!("/projects/{project}/documents/second-reviews")>"Second reviews"</a>
                </span>
            </div>
            <Loaded resource=board titled=true view=move |board| view! { <Workload project board asked/> }/>
            <Loaded resource=times quiet=true view=move |board| view! { <Times project board/> }/>
        </div>
    }
}

async fn load_board(project: ProjectId, query: BoardQuery) -> Result<WorkloadBoard, ApiError> {
    let (services, actor) = request()?;
    answer(services::workload::load(&services, &actor, project, query).await)
}

#[component]
fn Workload(project: ProjectId, board: WorkloadBoard, asked: BoardQuery) -> impl IntoView {
    let WorkloadBoard { people, documents, pool, pooled, acts, plan } = board;
    if people.is_empty() {
        return view! {
            <div class="empty">
                <p>"This project has no labelers yet, so there is nobody to give work to."</p>
                <p><a href=format!("/projects/{project}/members")>"Invite some"</a></p>
            </div>
        };
    }
    let preview = plan.map(|plan| view! { <Preview project plan/> });
    view! {
        <section class="card stack" aria-labelledby="give-title">
            <h2 id="give-title">"Give work out"</h2>
            <Ask people=people.clone() asked=asked.ask/>
            {preview}
        </section>
        <Board project people documents asked/>
        <PoolCard project pool pooled/>
        <Acts project acts/>
    }
}
