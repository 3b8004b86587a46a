//! The gold standard: every document with what holds in it, what is still open, and the versions
//! that were locked.

mod compare;
mod document;
mod documents;
mod labels;
mod versions;
mod voices;

use domain::{
    GoldCounts, GoldList, GoldQuery, ProjectView, Switches,
    base::policy::{Action as Act, Standpoint, offers},
};

use self::{
    documents::{Documents, open_words},
    labels::Labels,
    versions::Versions,
};
use crate::pages::{components::prelude::*, project::ProjectContext};

pub(crate) use compare::GoldComparePage;
pub(crate) use document::GoldDocumentPage;

#[component]
pub(crate) fn GoldPage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_gold(in_query);
    let list = load_with(move |services, actor| async move {
        services::review::gold::list(&services, &actor, project, asked).await
    });
    let ProjectContext(context) = expect_context();
    view! {
        <PageBody title="Gold standard" class="page">
            <Lead line="A position is gold if all labelers who submitted (at least two) agree, or a reviewer decided." about="gold standard">
                <p>"A reviewer’s decision overrides the labelers, the latest decision overrides earlier ones. Rejected positions are not gold."</p>
            </Lead>
            <Loaded resource=context titled=true view=move |context: ProjectView| view! {
                <Loaded resource=list titled=true view=move |list| view! { <Gold context list asked/> }/>
            }/>
        </PageBody>
    }
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
        (rejected, "rejected", "by reviewers".to_owned()),
        (sums.open(), "still open", open_words(sums)),
    ]
}
