//! Where a position of a list stands, and the way to it.

use domain::{
    Position, ProjectId, ProjectView, WalkList,
    base::policy::{Action as Act, Standpoint, offers},
};

use crate::pages::components::{agreement::walk_through::can_be_walked, prelude::*};

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

    /// Into the document's review for whoever reviews; for others the position in the walk of the list. What
    /// cannot be walked through is no position that is decided on, so the review is all that it leads to.
    fn address(&self, at: Position) -> Option<String> {
        match (self.may_review, can_be_walked(&self.list)) {
            (true, true) => Some(query::review_address(at)),
            (true, false) => Some(format!("/documents/{}/review", at.document)),
            (false, true) => Some(query::walk_address(self.project, &self.list, Some(at), None)),
            (false, false) => None,
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
            {(!at.range.is_empty()).then(|| view! {
                <span class="soft number" title=OFFSETS>{format!("{}–{}", at.range.start, at.range.end)}</span>
            })}
        </span>
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        DisagreementQuery, DocumentId, PolicyChoice, PositionQuery, Range, Switches, Whose,
    };

    use super::*;

    #[test]
    fn a_row_leads_to_its_own_characters_whoever_looks() {
        let at = Position { document: DocumentId(7), range: Range::new(4, 11) };
        let list = WalkList::Disagreements(DisagreementQuery::default());
        let reviewer = Way { project: ProjectId(3), list, may_review: true };
        assert_eq!(reviewer.address(at).as_deref(), Some("/documents/7/review#4-11"));
        let manager = Way { may_review: false, ..reviewer };
        let address = manager.address(at).unwrap();
        assert!(address.starts_with("/projects/3/review/walk?"));
        assert!(address.ends_with(&format!("&at={at}")));
        let by_token = Switches { policy: PolicyChoice::Token, ..Switches::default() };
        let query = PositionQuery::of(Whose::Labelers, by_token);
        let tokens = Way { list: WalkList::Positions(query), ..manager };
        assert_eq!(tokens.address(at), None, "nobody decides on tokens");
        let reviewer = Way { may_review: true, ..tokens };
        assert_eq!(reviewer.address(at).as_deref(), Some("/documents/7/review"));
    }
}
