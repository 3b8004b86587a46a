//! A project's reasons for decisions, and what reviewers gave as reasons.

use domain::{DEFAULT_REASONS, LabelId, ProjectId, readable_name};

use crate::{
    base::prelude::*,
    entity::project::{Column, Entity as Projects},
};

/// A project's reasons: those that its manager has written down, or the usual ones.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<String>, Error> {
    let written = Projects::find_by_id(project.0).select_only().column(Column::DecisionReasons);
    let written: Option<Option<String>> = sql::one(db, written).await?;
    match written.flatten() {
        // What was written down before names were checked as they are now is read all the same.
        Some(list) => Ok(list.lines().map(|line| readable_name(line).into_owned()).collect()),
        None => Ok(DEFAULT_REASONS.map(str::to_owned).to_vec()),
    }
}

/// Writes a project's reasons down.
pub async fn save(tx: &Tx, project: ProjectId, reasons: &[String]) -> Result<(), Error> {
    super::set(tx, project, Column::DecisionReasons, reasons.join("\n")).await
}

/// How many decisions of a project have each note, and how many of them are rejects.
pub async fn notes(db: &impl Db, project: ProjectId) -> Result<Vec<(String, u64, u64)>, Error> {
    // SQL: counts over three joins.
    sql::rows(
        db,
        "SELECT decision.note, COUNT(*), COUNT(*) FILTER (WHERE decision.verdict = 'reject')
         FROM decision
         JOIN review ON review.id = decision.review_id
         JOIN document ON document.id = review.document_id
         WHERE document.project_id = $1
         GROUP BY decision.note",
        [project.0.into()],
    )
    .await
}

/// How many decisions with each note give each label.
pub async fn notes_by_label(
    db: &impl Db,
    project: ProjectId,
) -> Result<Vec<(String, LabelId, u64)>, Error> {
    // SQL: counts over three joins.
    sql::rows(
        db,
        "SELECT decision.note, decision_label.label_id, COUNT(*)
         FROM decision
         JOIN decision_label ON decision_label.decision_id = decision.id
         JOIN review ON review.id = decision.review_id
         JOIN document ON document.id = review.document_id
         WHERE document.project_id = $1
         GROUP BY decision.note, decision_label.label_id",
        [project.0.into()],
    )
    .await
}
