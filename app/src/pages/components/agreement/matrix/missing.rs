//! What a project still lacks before there is anything to compare, and how it comes by it.

use domain::{
    AgreementSnapshot, Documents, Measured, ProjectId, Role, Switches, UndefinedReason,
    base::policy::{Action as Act, Standpoint, offers},
};

use crate::pages::components::prelude::*;

/// What is missing for a first value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Two people to compare.
    Raters,
    /// A document that two people have worked on.
    SharedDocuments,
}

/// What a matrix lacks; nothing as soon as one pair has a document in common.
pub(crate) fn missing(snapshot: &AgreementSnapshot) -> Option<Missing> {
    let no_documents = Measured::Undefined(UndefinedReason::NoSharedDocuments);
    if snapshot.raters.len() < 2 {
        Some(Missing::Raters)
    } else if snapshot.cells.iter().all(|cell| cell.measured == no_documents) {
        Some(Missing::SharedDocuments)
    } else {
        None
    }
}

/// Says what is missing, and to whoever can change it, where.
#[component]
pub(crate) fn MissingNotice(
    missing: Missing,
    project: ProjectId,
    switches: Switches,
    role: Role,
) -> impl IntoView {
    match missing {
        Missing::Raters => view! {
            <div class="empty">
                <h2>"Nobody to compare yet"</h2>
                <p>"Agreement needs two people: labelers or reviewers."</p>
                {way_on(role, Act::ManageMembers, project, "settings/members", "Invite people", "A manager can invite them.")}
            </div>
        },
        Missing::SharedDocuments => view! {
            <div class="empty">
                <h2>"Nothing to compare yet"</h2>
                <p>{waiting_for(switches.counted_documents())}</p>
                {way_on(role, Act::ManageDocuments, project, "work/documents", "Show documents", "This page updates by itself.")}
            </div>
        },
    }
}

const fn waiting_for(documents: Documents) -> &'static str {
    match documents {
        Documents::Saved => {
            "The first value appears once two people have saved work on the same document."
        }
        Documents::Submitted => {
            "The first value appears once two people have submitted the same document."
        }
    }
}

/// A link for who may follow it, and words for who may not.
fn way_on(
    role: Role,
    action: Act,
    project: ProjectId,
    page: &str,
    link: &'static str,
    words: &'static str,
) -> AnyView {
    if offers(action, Standpoint::Member { role, owns: false }) {
        view! { <a class="button" href=format!("/projects/{project}/{page}")>{link}</a> }
    } else {
        view! { <p>{words}</p> }
    }
}

#[cfg(test)]
mod tests {
    use domain::{CoverageView, MemberId, PairCell, Rater, Revision};

    use super::*;

    fn snapshot(roles: &[Role], reason: Option<UndefinedReason>) -> AgreementSnapshot {
        let raters = roles.iter().zip(1..).map(|(&role, id)| Rater {
            id: MemberId(id),
            name: id.to_string(),
            role,
        });
        let cells = reason.map(|reason| PairCell {
            first: MemberId(1),
            second: MemberId(2),
            measured: Measured::Undefined(reason),
            confidence: domain::Confidence::Pending,
            n: 0,
            coverage: CoverageView::default(),
            documents: 0,
        });
        AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(0),
            switches: Switches::default(),
            raters: raters.collect(),
            cells: cells.into_iter().collect(),
            pooled: Vec::new(),
            several: None,
            last_change: None,
        }
    }

    #[test]
    fn nobody_can_be_compared_with_themselves() {
        assert_eq!(missing(&snapshot(&[Role::Labeler], None)), Some(Missing::Raters));
        let reviewers = snapshot(&[Role::Reviewer, Role::Reviewer], None);
        assert_eq!(missing(&reviewers), Some(Missing::SharedDocuments));
    }

    #[test]
    fn a_shared_document_is_enough_to_show_the_matrix() {
        let pair = [Role::Labeler, Role::Reviewer];
        let apart = snapshot(&pair, Some(UndefinedReason::NoSharedDocuments));
        assert_eq!(missing(&apart), Some(Missing::SharedDocuments));
        let together = snapshot(&pair, Some(UndefinedReason::NoSharedPositions));
        assert_eq!(missing(&together), None);
    }
}
