//! The gold standard: every document with what holds in it, what is still open, and the versions
//! that were locked.

mod compare;
mod document;
mod documents;
mod labels;
mod versions;
mod voices;

use domain::{
    GoldCounts, GoldList, GoldQuery, ProjectId, ProjectView, Switches,
    base::policy::{Action as Act, Standpoint, offers},
};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{
    documents::{Documents, open_words},
    labels::Labels,
    versions::Versions,
};
use crate::{
    ApiError,
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{live_line::LiveLine, loaded::Loaded},
        project::{ProjectContext, use_project_id},
    },
    query,
    view::view,
};

pub(crate) use compare::GoldComparePage;
pub(crate) use document::GoldDocumentPage;

#[component]
pub(crate) fn GoldPage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_gold(in_query);
    let list = load(load_list(project, asked));
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="Gold standard"/>
        <div class="page wide">
            <h1>"Gold standard"</h1>
            <p class="how">
                "A position is gold when every labeler who submitted the document, and at least two of them, gave it the same labels, or when a reviewer decided so. A reviewer’s decision goes before what labelers say, the latest before earlier ones; what was rejected is not gold."
            </p>
            <Loaded resource=context titled=true view=move |context: ProjectView| view! {
                <Loaded resource=list titled=true view=move |list| view! { <Gold context list asked/> }/>
            }/>
        </div>
    }
}

async fn load_list(project: ProjectId, query: GoldQuery) -> Result<GoldList, ApiError> {
    let (services, actor) = request()?;
    answer(services::review::gold::list(&services, &actor, project, query).await)
}

#[component]
fn Gold(context: ProjectView, list: GoldList, asked: GoldQuery) -> impl IntoView {
    let project = context.id;
    let manages =
        offers(Act::ManageProject, Standpoint::Member { role: context.role, owns: false });
    let GoldList { revision, labels, sums, by_label, page, versions } = list;
    let figures: Vec<_> = figures(sums)
        .into_iter()
        .map(|(number, what, how)| {
            let number = display::thousands(number);
            view! { <div class="figure"><dt>{what}": "{how}</dt><dd class="number">{number}</dd></div> }
        })
        .collect();
    view! {
        <LiveLine project switches=Switches::default() revision/>
        <dl class="figures">{figures}</dl>
        <Versions project versions manages open=sums.open()/>
        <Labels project labels=labels.clone() by_label asked/>
        <Documents project page labels asked/>
    }
}

/// The sums: number, what it counts, and what it is made of.
fn figures(sums: GoldCounts) -> [(u64, &'static str, String); 3] {
    let GoldCounts { unanimous, decided, rejected, .. } = sums;
    let count = display::thousands;
    [
        (
            sums.gold(),
            "gold positions",
            format!("{} unanimous, {} decided", count(unanimous), count(decided)),
        ),
        (rejected, "struck out", "rejected by a reviewer".to_owned()),
        (sums.open(), "still open", open_words(sums)),
    ]
}
