//! The versions of a labeler's assignment: who saved what when, and the way back to any of them.

mod list;
mod version;
mod wording;

use domain::{AssignmentId, HistoryView, WorkState};

use self::{list::Versions, version::Opened};
use crate::pages::components::prelude::*;

#[component]
pub(crate) fn HistoryPage() -> impl IntoView {
    let assignment: AssignmentId = in_path("assignment");
    let version = in_query("version").and_then(|version| version.parse().ok());
    let page = in_query("page").and_then(|page| page.parse().ok()).unwrap_or_default();
    let history = load_with(move |services, actor| async move {
        services::work::history::load(&services, &actor, assignment, version).await
    });
    view! {
        <Title text="History"/>
        <div class="page history">
            <Loaded resource=history view=move |history| view! { <History history page/> }/>
        </div>
    }
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
        None => view! { <p class="soft">"Your saves, latest first."</p> },
        Some(name) => view! {
            <p class="soft">"Saves of "<bdi>{name}</bdi>", latest first."</p>
        },
    };
    let back = Some(if is_own {
        (format!("/assignments/{assignment}"), "← Back to the editor")
    } else {
        (format!("/projects/{project}"), "← Project")
    });
    let closed = closed(state, is_own, is_repeated).filter(|_| may_restore);
    let may_restore = may_restore && closed.is_none();
    let notice = closed.map(|words| view! { <p class="notice">{words}</p> });
    let is_opened = opened.as_ref().map(|opened| opened.revision);
    let opened = opened.map(|opened| {
        view! { <Opened assignment base=revision has_past=base.has_past opened may_restore/> }
    });
    view! {
        <PageHead heading=view! { "History of "<bdi>{document_name}</bdi> } back/>
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
            "Given again as a repeat. This is the first version, which counts and stays unchanged.",
        ),
        (WorkState::Submitted, true, _) => {
            Some("Submitted: reopen the document in the editor to restore a version.")
        }
        (WorkState::Submitted, false, _) => Some(
            "Submitted: the labeler can reopen it, or you can send it back, to restore a version.",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_that_cannot_be_restored_names_the_way_to_reopen_it() {
        assert_eq!(closed(WorkState::Saved, true, false), None);
        for is_own in [true, false] {
            assert!(closed(WorkState::Submitted, is_own, false).unwrap().contains("reopen"));
            assert!(closed(WorkState::Submitted, is_own, true).unwrap().contains("repeat"));
        }
    }
}
