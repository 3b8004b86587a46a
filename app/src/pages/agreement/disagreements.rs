//! The adjudication list of a project.

use std::sync::Arc;

use domain::{DisagreementFilter, DisagreementQuery, DisputeList, ProjectView, WalkList};

use crate::pages::{
    components::{
        agreement::{
            disagreements::{
                exports::Exports, filters::Filters, place::Way, table::DisagreementTable,
            },
            matrix::controls::question_menu::QuestionMenu,
            walk_through::WalkThrough,
        },
        prelude::*,
    },
    project::ProjectContext,
};

/// Every position on which raters differ, filtered, sorted and paged by the address.
#[component]
pub(crate) fn DisagreementsPage() -> impl IntoView {
    let project = use_project_id();
    let query = query::read_disagreements(in_query);
    let list = load_with(move |services, actor| async move {
        services::review::disputes::list(&services, &actor, project, query).await
    });
    let ProjectContext(context) = expect_context();
    view! {
        <PageBody title="Disagreements" class="page">
            <Loaded resource=context titled=true view=move |project: ProjectView| view! {
                <Loaded resource=list titled=true view=move |list| view! {
                    <AdjudicationList project list query/>
                }/>
            }/>
        </PageBody>
    }
}

#[component]
fn AdjudicationList(
    project: ProjectView,
    list: DisputeList,
    query: DisagreementQuery,
) -> impl IntoView {
    let way = Way::new(&project, WalkList::Disagreements(query));
    let labels = project.categories(query.filter.question);
    let id = project.id;
    let to_question = move |question| {
        let filter = DisagreementFilter { question, label: None, ..query.filter };
        query::disagreements_address(id, &DisagreementQuery { filter, page: 0, ..query })
    };
    let questions = view! {
        <QuestionMenu question=query.filter.question project address=to_question/>
    };
    let rows = if list.page.rows.is_empty() {
        view! { <Nothing query/> }
    } else {
        let labels: Arc<[_]> = labels.clone().into();
        let (raters, rows) = (list.raters.clone(), list.page.rows.clone());
        view! { <DisagreementTable raters rows labels way sorting=Some((id, query))/> }
    };
    let address =
        move |page| query::disagreements_address(id, &DisagreementQuery { page, ..query });
    // Files have a row for each position; here those that are decided as one are one.
    let positions = (list.positions != list.page.total)
        .then(|| format!(" on {}", display::count(list.positions, "position")));
    let count =
        format!("{}{}", counted_rows(&list.page, "disagreement"), positions.unwrap_or_default());
    view! {
        <div class="choice-bar">{questions}</div>
        <Filters project=id query labels raters=list.raters/>
        <div class="row spread">
            <p role="status" class="number">{count}</p>
            <WalkThrough project=id list=WalkList::Disagreements(query) total=list.page.total/>
            <Exports project=id query/>
        </div>
        {rows}
        <Pager page=list.page address/>
    }
}

/// An empty list, and whether the filters are why.
#[component]
fn Nothing(query: DisagreementQuery) -> impl IntoView {
    let text = if query.page > 0 {
        PAST_END
    } else if query.filter == (DisagreementQuery::default().filter) {
        "No disagreements. They appear once two people have saved different work on a document."
    } else {
        "No matches for these filters."
    };
    view! { <p class="empty">{text}</p> }
}
