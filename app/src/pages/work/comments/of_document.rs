//! The comments on one document: a labeler's own on their assignment, and all of them for those who
//! answer.

use domain::{AssignmentId, CommentThread, DocumentComments, DocumentId, Place, ProjectId, Range};

use super::thread::{thread, words_field};
use crate::{
    api::work::comments::{AnswerComment, BeginComment, GoOn, SettleComments},
    pages::components::prelude::*,
};

fn asked_place() -> Option<Range> {
    in_query("at")?.parse::<Place>().ok().map(|place| place.0)
}

#[component]
pub(crate) fn OwnCommentsPage() -> impl IntoView {
    let assignment = in_path("assignment");
    let at = asked_place();
    let comments = load_with(move |services, actor| async move {
        services::work::comments::own(&services, &actor, assignment, at).await
    });
    view! {
        <Title text="Comments"/>
        <div class="page">
            <Loaded resource=comments view=|comments| view! { <Own comments/> }/>
        </div>
    }
}

#[component]
fn Own(comments: DocumentComments) -> impl IntoView {
    let DocumentComments { document_name, assignment, threads, at, waits, .. } = comments;
    let assignment = assignment.unwrap_or_default();
    let begin = ServerAction::<BeginComment>::new();
    let refused = refusal(begin.into()).or(refusal(ServerAction::<GoOn>::new().into()));
    let about = match &at {
        Some((_, quote)) => view! { <p>"About "<q dir="auto">{quote.clone()}</q></p> },
        None => view! {
            <p class="soft">"On the whole document. Select text or a span first to comment on a place."</p>
        },
    };
    let at = at.map(|(range, _)| Place(range).to_string());
    let waits = waits.then(|| {
        view! { <p class="soft hint">"Answers appear once they are released to you."</p> }
    });
    let list = if threads.is_empty() {
        view! { <p class="empty">"No comments on this document yet."</p> }
    } else {
        let rows: Vec<_> = threads.iter().map(|one| own_thread(assignment, one)).collect();
        view! { <ol class="plain-list threads">{rows}</ol> }
    };
    view! {
        <p><a href=format!("/assignments/{assignment}")>"← "<bdi>{document_name}</bdi></a></p>
        <h1>"Your comments"</h1>
        <div class="stack comments-part" data-part="">
            <Problem refusal=refused/>
            <section class="stack tight">
                <h2>"New comment"</h2>
                {about}
                <ActionForm action=begin attr:class="stack tight">
                    {hidden_fields([("assignment", &assignment), ("at", &at.unwrap_or_default())])}
                    {words_field("comment-new".to_owned(), "Comment", "3")}
                    <div class="actions"><button class="primary">"Send"</button></div>
                </ActionForm>
            </section>
            <section class="stack tight">
                <h2>"Comments so far"</h2>
                {waits}
                {list}
            </section>
        </div>
    }
}

fn own_thread(assignment: AssignmentId, one: &CommentThread) -> AnyView {
    let go_on = ServerAction::<GoOn>::new();
    let id = one.id;
    view! {
        <li class="card stack tight">
            {thread(one, None, false)}
            <details>
                <summary>"Reply"</summary>
                <ActionForm action=go_on attr:class="stack tight">
                    {hidden_fields([("assignment", &assignment), ("thread", &id)])}
                    {words_field(format!("comment-{id}"), "Comment", "2")}
                    <div class="actions"><button>"Send"</button></div>
                </ActionForm>
            </details>
        </li>
    }
}

#[component]
pub(crate) fn DocumentCommentsPage() -> impl IntoView {
    let document = in_path("document");
    let at = asked_place();
    let comments = load_with(move |services, actor| async move {
        services::work::comments::of_document(&services, &actor, document, at).await
    });
    view! {
        <Title text="Comments"/>
        <div class="page">
            <Loaded resource=comments view=|comments| view! { <All comments/> }/>
        </div>
    }
}

#[component]
fn All(comments: DocumentComments) -> impl IntoView {
    let DocumentComments { project, document, document_name, mut threads, at, .. } = comments;
    // What is asked about comes first; the rest stays in the order of the text.
    let asked = at.as_ref().map(|(range, _)| *range);
    threads.sort_by_key(|one| asked.is_some() && one.range != asked);
    let about = at.map(
        |(_, quote)| view! { <p class="soft">"First: comments on "<q dir="auto">{quote}</q></p> },
    );
    let list = if threads.is_empty() {
        view! { <p class="empty">"No comments on this document."</p> }
    } else {
        let rows: Vec<_> =
            threads.iter().map(|one| answered(project, one, Some(document), None)).collect();
        view! { <ol class="plain-list threads">{rows}</ol> }
    };
    view! {
        <p><a href=format!("/projects/{project}/review/comments")>"← All comments"</a></p>
        <h1>"Comments on "<bdi>{document_name}</bdi></h1>
        <div class="stack comments-part" data-part="">
            <h2>"Labelers' comments"</h2>
            <Answered/>
            {about}
            {list}
        </div>
    }
}

/// Why an answer or a settling was refused, if it was.
#[component]
pub(super) fn Answered() -> impl IntoView {
    let answer = ServerAction::<AnswerComment>::new();
    let settle = ServerAction::<SettleComments>::new();
    view! { <Problem refusal=refusal(answer.into()).or(refusal(settle.into()))/> }
}

/// A thread with what can be done about it; `back` is the document whose page it stands on, `link`
/// leads to where the place can be looked at.
pub(super) fn answered(
    project: ProjectId,
    one: &CommentThread,
    back: Option<DocumentId>,
    link: Option<String>,
) -> AnyView {
    let answer = ServerAction::<AnswerComment>::new();
    let settle = ServerAction::<SettleComments>::new();
    let id = one.id;
    let is_settled = one.settled_at.is_some();
    let back_to = back.map(|document| document.to_string()).unwrap_or_default();
    let is_listed = back.is_none();
    let settles_back_to = back_to.clone();
    let settled = move |name: &'static str, value: bool| {
        view! { <button class="quiet small" name="settle" value=value.to_string()>{name}</button> }
    };
    let turn = if is_settled { settled("Reopen", false) } else { settled("Resolve", true) };
    view! {
        <li class="card stack tight" id=format!("thread-{id}")>
            {thread(one, link, is_listed)}
            <ActionForm action=settle>
                {hidden_fields([("project", &project), ("thread", &id), ("back", &settles_back_to)])}
                {turn}
            </ActionForm>
            <details>
                <summary>"Answer"</summary>
                <ActionForm action=answer attr:class="stack tight">
                    {hidden_fields([("project", &project), ("thread", &id), ("back", &back_to)])}
                    {words_field(format!("answer-{id}"), "Answer", "2")}
                    <Check name="settles" value="true"><span>"and resolve"</span></Check>
                    <div class="actions"><button class="primary">"Answer"</button></div>
                </ActionForm>
            </details>
        </li>
    }
}
