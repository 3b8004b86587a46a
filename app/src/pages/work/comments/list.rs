//! All comments of a project, for those who answer; and all of a labeler's own.

use domain::{CommentThread, Page, ProjectComments, ProjectId, ThreadFilter};

use super::{
    of_document::{Answered, answered},
    thread::thread,
};
use crate::{pages::components::prelude::*, query::read_page};

#[component]
pub(crate) fn ProjectCommentsPage() -> impl IntoView {
    let project = use_project_id();
    let filter = in_query("state").and_then(|name| name.parse().ok()).unwrap_or_default();
    let page = read_page(in_query);
    let list = load_with(move |services, actor| async move {
        services::work::comments::list(&services, &actor, project, filter, page).await
    });
    view! {
        <PageBody title="Comments" class="page">
            <Loaded resource=list titled=true view=move |list| view! { <List project list/> }/>
        </PageBody>
    }
}

fn address(project: ProjectId, filter: ThreadFilter, page: u64) -> String {
    let mut parameters = Vec::new();
    if filter != ThreadFilter::default() {
        parameters.push(format!("state={}", filter.name()));
    }
    if page > 0 {
        parameters.push(format!("page={}", page.saturating_add(1)));
    }
    let question = if parameters.is_empty() { "" } else { "?" };
    format!("/projects/{project}/review/comments{question}{}", parameters.join("&"))
}

#[component]
fn List(project: ProjectId, list: ProjectComments) -> impl IntoView {
    let ProjectComments { reviews, filter, threads, open, settled } = list;
    let links = [
        (ThreadFilter::Open, "Open", open),
        (ThreadFilter::Settled, "Settled", settled),
        (ThreadFilter::All, "All", open + settled),
    ]
    .map(|(one, words, n)| {
        let class = if one == filter { "button small primary" } else { "button small" };
        let current = (one == filter).then_some("true");
        let number = display::thousands(n);
        view! {
            <a class=class href=address(project, one, 0) aria-current=current>
                {words}" "<span class="number">{number}</span>
            </a>
        }
    })
    .into_iter()
    .collect::<Vec<_>>();
    let count = counted_rows(&threads, "thread");
    let content = if open + settled == 0 {
        view! {
            <div class="empty">
                <p>"No comments yet."</p>
                <p>"Labelers comment in the editor, on a place or the whole document."</p>
            </div>
        }
    } else if threads.rows.is_empty() {
        view! { <p class="empty">"No matching comments."</p> }
    } else {
        let link = |one: &CommentThread| {
            let document = one.document;
            if !reviews {
                return format!("/projects/{project}/review/gold/documents/{document}");
            }
            let place = one.range.map(|range| format!("#{}-{}", range.start, range.end));
            format!("/documents/{document}/review{}", place.unwrap_or_default())
        };
        let rows: Vec<_> =
            threads.rows.iter().map(|one| answered(project, one, None, Some(link(one)))).collect();
        view! { <ol class="plain-list threads">{rows}</ol> }
    };
    view! {
        <nav class="row" aria-label="Which comments">{links}</nav>
        <p class="soft number" role="status">{count}</p>
        <Answered/>
        {content}
        <Pager page=threads address=move |page| address(project, filter, page)/>
    }
}

#[component]
pub(crate) fn OwnCommentListPage() -> impl IntoView {
    let project = use_project_id();
    let page = read_page(in_query);
    let list = load_with(move |services, actor| async move {
        services::work::comments::list_own(&services, &actor, project, page).await
    });
    view! {
        <PageBody title="Your comments" class="page" back=(format!("/projects/{project}/work"), "← My work")>
            <Loaded resource=list titled=true view=move |(page, waits)| view! { <OwnList project page waits/> }/>
        </PageBody>
    }
}

#[component]
fn OwnList(project: ProjectId, page: Page<CommentThread>, waits: bool) -> impl IntoView {
    let count = counted_rows(&page, "thread");
    let waits = waits.then(|| {
        view! { <p class="soft hint">"Answers appear once they are released to you."</p> }
    });
    let content = if page.rows.is_empty() {
        view! { <p class="empty">"No comments yet. Use “Comments” in the editor to write to the reviewer."</p> }
    } else {
        let rows: Vec<_> = page
            .rows
            .iter()
            .map(|one| {
                let content = thread(one, None, true);
                view! { <li class="card stack tight">{content}</li> }
            })
            .collect();
        view! { <ol class="plain-list threads">{rows}</ol> }
    };
    let address = move |page: u64| {
        format!("/projects/{project}/work/comments?page={}", page.saturating_add(1))
    };
    view! {
        {waits}
        <p class="soft number" role="status">{count}</p>
        {content}
        <Pager page address/>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_what_is_not_usual() {
        let project = ProjectId(3);
        assert_eq!(address(project, ThreadFilter::Open, 0), "/projects/3/review/comments");
        assert_eq!(
            address(project, ThreadFilter::All, 1),
            "/projects/3/review/comments?state=all&page=2"
        );
    }
}
