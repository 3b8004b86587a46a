//! Where a position of a list stands, and the way to it.

use domain::{
    Position, ProjectId, ProjectView, WalkList,
    base::policy::{Action as Act, Standpoint, offers},
};

use crate::pages::components::prelude::*;

/// Where the rows of a list lead.
#[derive(Clone)]
pub(crate) struct Way {
    project: ProjectId,
    list: WalkList,
    may_review: bool,
}

impl Way {
    pub(crate) fn new(project: &ProjectView, list: WalkList) -> Self {
        let viewer = Standpoint::Member { role: project.role, owns: false };
        Self { project: project.id, list, may_review: offers(Act::Review, viewer) }
    }

    /// Into the document's review for whoever reviews; for others the position in the walk of the list.
    fn address(&self, at: Position) -> String {
        if self.may_review {
            format!("/documents/{}/review#{}-{}", at.document, at.range.start, at.range.end)
        } else {
            query::walk_address(self.project, &self.list, Some(at), None)
        }
    }
}

/// The document that a position is in, which leads to it, and where it begins and ends.
#[component]
pub(crate) fn Place(way: Way, at: Position, document_name: String) -> impl IntoView {
    let verb = way.may_review.then_some("Review in ");
    view! {
        <span class="where">
            <a href=way.address(at)>{verb}<bdi>{document_name}</bdi></a>
            " "
            <span class="soft number" title=OFFSETS>{format!("{}–{}", at.range.start, at.range.end)}</span>
        </span>
    }
}

#[cfg(test)]
mod tests {
    use domain::{DisagreementQuery, DocumentId, Range};

    use super::*;

    #[test]
    fn a_row_leads_to_its_own_characters_whoever_looks() {
        let at = Position { document: DocumentId(7), range: Range::new(4, 11) };
        let list = WalkList::Disagreements(DisagreementQuery::default());
        let reviewer = Way { project: ProjectId(3), list, may_review: true };
        assert_eq!(reviewer.address(at), "/documents/7/review#4-11");
        let manager = Way { may_review: false, ..reviewer };
        assert!(manager.address(at).starts_with("/projects/3/review/walk?"));
        assert!(manager.address(at).ends_with(&format!("&at={at}")));
    }
}
