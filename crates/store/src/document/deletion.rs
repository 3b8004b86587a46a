//! What is lost with a document that is deleted.

use domain::{DocumentId, ProjectId};
use serde::Serialize;

use crate::base::prelude::*;

/// A document's name, and how much work there is on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    pub name: String,
    pub assignments: u64,
    pub spans: u64,
    pub decisions: u64,
    pub comments: u64,
    pub model_spans: u64,
}

read_by_columns! { Lost { name, assignments, spans, decisions, comments, model_spans } }

/// Finds what would be lost with a document; none if the project has no such document.
pub async fn find_lost(
    db: &impl Db,
    project: ProjectId,
    id: DocumentId,
) -> Result<Option<Lost>, Error> {
    // SQL: counts of several tables beside one row.
    sql::row(
        db,
        "SELECT name,
                (SELECT COUNT(*) FROM assignment WHERE document_id = document.id) AS assignments,
                (SELECT COUNT(*) FROM span JOIN assignment ON assignment.id = span.assignment_id
                 WHERE assignment.document_id = document.id) AS spans,
                (SELECT COUNT(*) FROM decision JOIN review ON review.id = decision.review_id
                 WHERE review.document_id = document.id) AS decisions,
                (SELECT COUNT(*) FROM comment JOIN comment_thread ON comment_thread.id = comment.thread_id
                 WHERE comment_thread.document_id = document.id) AS comments,
                (SELECT COUNT(*) FROM model_span WHERE document_id = document.id) AS model_spans
         FROM document WHERE project_id = $1 AND id = $2",
        [project.0.into(), id.0.into()],
    )
    .await
}
