//! The labeler's own page: what is next, their documents, and their own agreement.

pub(crate) mod annotate;
pub(crate) mod comments;
mod consistency;
mod hero;
pub(crate) mod history;
mod lists;
mod own_agreement;
pub(crate) mod repeats;
mod time;

use domain::{OwnPool, OwnWork, ProjectId};

use self::{
    consistency::ConsistencyView,
    hero::{Draw, Hero},
    lists::{Lists, ListsView},
    own_agreement::OwnAgreementView,
};
use crate::{api::work::load_own_work, pages::components::prelude::*, query::OwnList};
pub(crate) use time::{OwnTimeView, load_own_time};

/// The viewer's documents; nothing on it tells of another person.
#[component]
pub(crate) fn WorkPage() -> impl IntoView {
    let project = use_project_id();
    let shown = OwnList::read(in_query);
    let work = load(load_own_work(project));
    let time = load(load_own_time(project));
    view! {
        <Title text="My work"/>
        <div class="page work">
            <Loaded resource=work view=move |work| view! { <Work project work shown/> }/>
            <Loaded resource=time quiet=true view=|own| view! { <OwnTimeView own/> }/>
        </div>
    }
}

#[component]
fn Work(project: ProjectId, work: OwnWork, shown: OwnList) -> impl IntoView {
    let lists = Lists::of(&work);
    let next = lists.next().cloned();
    let OwnWork { counts, comments, agreement, labels, consistency, paused, pool, pace, .. } = work;
    let comments = (comments > 0).then(|| {
        let address = format!("/projects/{project}/work/comments");
        let words = display::count(comments, "comment");
        view! { <a class="button quiet" href=address>{format!("Your {words} and the answers")}</a> }
    });
    // While there is something to do, more is drawn from where it is listed.
    let draw = pool.filter(|pool| next.is_some() && *pool != OwnPool::Empty).map(|pool| {
        view! { <div class="row"><Draw project pool/></div> }
    });
    let has_documents = counts.total() > 0;
    view! {
        <PageHead heading="My work">{comments}</PageHead>
        {paused.then(paused_notice)}
        <Hero project counts pace next pool/>
        {draw}
        {has_documents.then(|| view! { <ListsView project lists shown/> })}
        <div class="own-columns">
            <OwnAgreementView agreement labels/>
            <ConsistencyView consistency/>
        </div>
    }
}

fn paused_notice() -> AnyView {
    view! {
        <p class="notice warn" role="status">
            "Your manager paused your work. You can finish what you have started; other documents are hidden for now."
        </p>
    }
}
