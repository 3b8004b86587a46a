//! The versions of a labeler's copy: who saved what when, and the way back to any of them.

mod list;
mod version;
mod wording;

use domain::{AssignmentId, HistoryView, Revision, WorkState};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{list::Versions, version::Opened};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::{
        base::address::{in_path, in_query},
        components::loaded::Loaded,
    },
    view::view,
};

#[component]
pub(crate) fn HistoryPage() -> impl IntoView {
    let assignment: AssignmentId = in_path("assignment");
    let version = in_query("version").and_then(|version| version.parse().ok());
    let page = in_query("page").and_then(|page| page.parse().ok()).unwrap_or_default();
    let history = load(load_history(assignment, version));
    view! {
        <Title text="History of a copy"/>
        <div class="page wide history">
            <Loaded resource=history view=move |history| view! { <History history page/> }/>
        </div>
    }
}

async fn load_history(
    assignment: AssignmentId,
    version: Option<Revision>,
) -> Result<HistoryView, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::history::load(&services, &actor, assignment, version).await)
}

#[component]
fn History(history: HistoryView, page: u64) -> impl IntoView {
    let HistoryView {
        assignment,
        project,
        document_name,
        labeler,
        may_restore,
        is_repeated,
        revision,
        state,
        sittings,
        base,
        bytes,
        opened,
    } = history;
    let is_own = labeler.is_none();
    let whose = match labeler {
        None => view! { <p class="soft">"Your copy: every save, the latest first."</p> },
        Some(name) => view! {
            <p class="soft">"The copy of "<bdi>{name}</bdi>": every save, the latest first."</p>
        },
    };
    let back = if is_own {
        view! { <a href=format!("/assignments/{assignment}")>"← Back to the editor"</a> }
    } else {
        view! { <a href=format!("/projects/{project}")>"← Project"</a> }
    };
    let closed = closed(state, is_own, is_repeated).filter(|_| may_restore);
    let may_restore = may_restore && closed.is_none();
    let notice = closed.map(|words| view! { <p class="notice">{words}</p> });
    let is_opened = opened.as_ref().map(|opened| opened.revision);
    let opened = opened.map(|opened| {
        view! { <Opened assignment base=revision has_past=base.has_past opened may_restore/> }
    });
    view! {
        <p>{back}</p>
        <div class="page-head"><h1>"History of "<bdi>{document_name}</bdi></h1></div>
        {whose}
        {notice}
        {opened}
        <Versions assignment revision sittings base bytes page opened=is_opened/>
    }
}

/// Why no version can be made current now, with the way on.
const fn closed(state: WorkState, is_own: bool, is_repeated: bool) -> Option<&'static str> {
    match (state, is_own, is_repeated) {
        (_, _, true) => Some(
            "This document was given back to its labeler. What is listed here is what they said at first, which counts and stays as it is.",
        ),
        (WorkState::Submitted, true, _) => Some(
            "This copy is submitted. To restore a version, reopen the document in the editor first.",
        ),
        (WorkState::Submitted, false, _) => Some(
            "This copy is submitted. Its labeler can reopen it in the editor, or it is given back with a note; then a version can be restored.",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_cannot_be_restored_names_the_way_to_reopen_it() {
        assert_eq!(closed(WorkState::Saved, true, false), None);
        for is_own in [true, false] {
            assert!(closed(WorkState::Submitted, is_own, false).unwrap().contains("reopen"));
            assert!(closed(WorkState::Submitted, is_own, true).unwrap().contains("at first"));
        }
    }
}
