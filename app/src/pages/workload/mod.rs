//! Who is to do what until when, and how far everybody is.

mod ask;
mod assignments;
mod batches;
mod board;
pub(crate) mod double_annotation;
mod flags;
mod pool;
mod preview;
mod time;

use domain::{BoardQuery, ProjectId, WorkloadBoard};

use self::{
    ask::Ask, batches::Batches, board::Board, pool::PoolCard, preview::Preview, time::Times,
};
use crate::pages::components::prelude::*;

pub(crate) use assignments::AssignmentsPage;

#[component]
pub(crate) fn WorkloadPage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_board(in_query);
    let board = load_with(move |services, actor| async move {
        services::workload::load(&services, &actor, project, asked).await
    });
    let times = load_with(move |services, actor| async move {
        services::work::focus::board(&services, &actor, project).await
    });
    view! {
        <Title text="People"/>
        <div class="page">
            <PageHead heading="People">
                <a class="button" href=format!("/projects/{project}/work/second")>"Next best double annotation"</a>
                <a class="button" href=format!("/projects/{project}/work/second-reviews")>"Second reviews"</a>
            </PageHead>
            <Loaded resource=board titled=true view=move |board| view! { <Workload project board asked/> }/>
            <Loaded resource=times quiet=true view=move |board| view! { <Times project board/> }/>
        </div>
    }
}

#[component]
fn Workload(project: ProjectId, board: WorkloadBoard, asked: BoardQuery) -> impl IntoView {
    let WorkloadBoard { people, documents, pool, pooled, batches, plan } = board;
    if people.is_empty() {
        return view! {
            <div class="empty">
                <p>"No labelers yet."</p>
                <p><a href=format!("/projects/{project}/settings/members")>"Invite labelers"</a></p>
            </div>
        };
    }
    let preview = plan.map(|plan| view! { <Preview project plan/> });
    let labelers = people.clone();
    view! {
        <Section title_id="give-title" title="Assign" class="card stack">
            <Ask people=labelers asked=asked.ask/>
            {preview}
        </Section>
        <Board project people documents asked/>
        <PoolCard project pool pooled/>
        <Batches project batches/>
    }
}
