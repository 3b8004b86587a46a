//! Taking away again what an import has brought.

use domain::{AttributeId, ImportId, ImportState, LabelId, ProjectId};

use crate::{
    base::prelude::*,
    document::imports::Made,
    entity::{attribute, import, label, model},
    project::placeholders,
};

/// Work that hangs on what an import has brought: what it is, and a query that counts it.
const HANGS_ON: [(&str, &str); 10] = [
    (
        "assignments were saved, submitted or reopened again",
        "SELECT COUNT(*) FROM import_assignment
         JOIN assignment ON assignment.id = import_assignment.assignment_id
         WHERE import_assignment.import_id = $1 AND assignment.revision <> import_assignment.revision",
    ),
    (
        "assignments of its documents have work of others",
        "SELECT COUNT(*) FROM assignment
         JOIN import_document ON import_document.document_id = assignment.document_id
         LEFT JOIN import_assignment ON import_assignment.assignment_id = assignment.id
         WHERE import_document.import_id = $1 AND assignment.state <> 'open'
           AND (import_assignment.import_id IS NULL OR import_assignment.import_id <> $1)",
    ),
    (
        "reviews of its documents were started or continued",
        "SELECT COUNT(*) FROM review
         WHERE review.state <> 'open' AND (
             EXISTS (SELECT 1 FROM import_document
                 WHERE import_document.document_id = review.document_id
                   AND import_document.import_id = $1)
             OR EXISTS (
                 SELECT 1 FROM import_assignment
                 JOIN assignment ON assignment.id = import_assignment.assignment_id
                 WHERE assignment.document_id = review.document_id
                   AND assignment.saved_at <= review.saved_at
                   AND import_assignment.import_id = $1))",
    ),
    (
        "documents are part of a locked gold standard",
        "SELECT COUNT(*) FROM gold_version_document
         JOIN import_document ON import_document.document_id = gold_version_document.document_id
         WHERE import_document.import_id = $1",
    ),
    (
        "assignments were given again as repeats",
        "SELECT COUNT(*) FROM repeat
         JOIN import_assignment ON import_assignment.assignment_id = repeat.assignment_id
         WHERE import_assignment.import_id = $1",
    ),
    (
        "comments were made on its documents",
        "SELECT COUNT(*) FROM comment_thread
         JOIN import_document ON import_document.document_id = comment_thread.document_id
         WHERE import_document.import_id = $1",
    ),
    (
        "flags were raised on its documents",
        "SELECT COUNT(*) FROM assignment_flag
         JOIN import_document ON import_document.document_id = assignment_flag.document_id
         WHERE import_document.import_id = $1",
    ),
    (
        "minutes of work were counted in its assignments",
        "SELECT COUNT(*) FROM focus_day
         JOIN import_assignment ON import_assignment.assignment_id = focus_day.assignment_id
         WHERE import_assignment.import_id = $1",
    ),
    (
        "models have other work on its documents",
        "SELECT COUNT(*) FROM model_work
         JOIN import_document ON import_document.document_id = model_work.document_id
         WHERE import_document.import_id = $1
           AND (model_work.import_id IS NULL OR model_work.import_id <> $1)",
    ),
    (
        "second reviews of its documents were given out",
        "SELECT COUNT(*) FROM second_review
         JOIN import_document ON import_document.document_id = second_review.document_id
         WHERE import_document.import_id = $1",
    ),
];

/// The labels and members that an import of a project has made; none if it was not carried out, or
/// was undone.
pub async fn made(db: &impl Db, project: ProjectId, id: ImportId) -> Result<Option<Made>, Error> {
    let made = import::Entity::find_by_id(id.0)
        .select_only()
        .column(import::Column::Made)
        .filter(import::Column::ProjectId.eq(project.0))
        .filter(import::Column::State.eq(ImportState::Done.name()));
    let made: Option<Json<_>> = sql::one(db, made).await?;
    Ok(made.map(|Json(made)| made))
}

/// The work that hangs on what an import has brought, in words.
pub async fn dependents(tx: &Tx, id: ImportId, made: &Made) -> Result<Vec<String>, Error> {
    let mut reasons = Vec::new();
    // SQL: a table of queries, each with joins of its own.
    for (what, query) in HANGS_ON {
        let count: i64 = sql::row(tx, query, [id.0.into()]).await?.unwrap_or_default();
        if count > 0 {
            reasons.push(format!("{what} ({count})"));
        }
    }
    for member in &made.members {
        let found: Option<(String, bool, u64)> = sql::row(
            tx,
            "SELECT user_account.name, user_account.is_placeholder,
                    (SELECT COUNT(*) FROM assignment
                     LEFT JOIN import_assignment ON import_assignment.assignment_id = assignment.id
                     WHERE assignment.member_id = member.id AND assignment.state <> 'open'
                       AND (import_assignment.import_id IS NULL OR import_assignment.import_id <> $2))
             FROM member JOIN user_account ON user_account.id = member.user_id
             WHERE member.id = $1",
            [member.0.into(), id.0.into()],
        )
        .await?;
        match found {
            Some((name, false, _)) => reasons.push(format!("{name} was claimed")),
            Some((name, true, more)) if more > 0 => {
                reasons.push(format!("{name} has other work, too ({more})"));
            }
            _ => {}
        }
    }
    for model in &made.models {
        let found: Option<(String, i64)> = sql::row(
            tx,
            "SELECT model.name, COUNT(*) FROM model
             JOIN model_work ON model_work.model_id = model.id
             WHERE model.id = $1 AND (model_work.import_id IS NULL OR model_work.import_id <> $2)
             GROUP BY model.name",
            [model.0.into(), id.0.into()],
        )
        .await?;
        if let Some((name, more)) = found {
            reasons.push(format!("{name} has other work, too ({more})"));
        }
    }
    for question in &made.questions {
        // SQL: a join by two columns. Whoever has answered and taken that back has it in the history.
        let found: i64 = sql::row(
            tx,
            "SELECT COUNT(*) FROM assignment_version
             JOIN assignment ON assignment.id = assignment_version.assignment_id
             JOIN document ON document.id = assignment.document_id
             LEFT JOIN import_assignment
                 ON import_assignment.assignment_id = assignment_version.assignment_id
                 AND import_assignment.revision = assignment_version.revision
                 AND import_assignment.import_id = $1
             WHERE import_assignment.import_id IS NULL AND assignment_version.delta LIKE $2
               AND document.project_id = (SELECT project_id FROM import WHERE id = $1)",
            [id.0.into(), format!("%\"attribute\":{question},%").into()],
        )
        .await?
        .unwrap_or_default();
        let of_models: i64 = sql::row(
            tx,
            "SELECT COUNT(*) FROM model_choice
             JOIN model_work ON model_work.model_id = model_choice.model_id
                 AND model_work.document_id = model_choice.document_id
             WHERE model_choice.attribute_id = $2
               AND (model_work.import_id IS NULL OR model_work.import_id <> $1)",
            [id.0.into(), question.0.into()],
        )
        .await?
        .unwrap_or_default();
        let found = found + of_models;
        if found > 0 {
            reasons.push(format!("its questions were answered in other work ({found})"));
        }
    }
    Ok(reasons)
}

/// Takes everything away that an import has brought; [`Error::InUse`] if one of its labels or questions is
/// used elsewhere.
pub async fn take_away(tx: &Tx, id: ImportId, made: &Made) -> Result<(), Error> {
    const THERE: &str =
        "(SELECT assignment_id FROM import_assignment WHERE import_id = $1 AND was_there)";
    // SQL: deletes by what another table says.
    let of_import = [
        "UPDATE model SET revision = revision + 1 WHERE id IN (
             SELECT model_id FROM model_work WHERE import_id = $1)"
            .to_owned(),
        "DELETE FROM model_work WHERE import_id = $1".to_owned(),
        "DELETE FROM assignment_version WHERE EXISTS (
             SELECT 1 FROM import_assignment WHERE import_assignment.import_id = $1 AND import_assignment.was_there
             AND import_assignment.assignment_id = assignment_version.assignment_id
             AND import_assignment.revision = assignment_version.revision)"
            .to_owned(),
        format!("DELETE FROM span WHERE assignment_id IN {THERE}"),
        format!("DELETE FROM document_choice WHERE assignment_id IN {THERE}"),
        format!(
            "UPDATE assignment SET state = 'open', revision = revision - 1, saved_at = NULL,
                 submitted_at = NULL
             WHERE id IN {THERE}"
        ),
        "DELETE FROM assignment WHERE id IN (
             SELECT assignment_id FROM import_assignment WHERE import_id = $1 AND NOT was_there)"
            .to_owned(),
        "DELETE FROM document WHERE id IN (
             SELECT document_id FROM import_document WHERE import_id = $1)"
            .to_owned(),
        "DELETE FROM import_assignment WHERE import_id = $1".to_owned(),
    ];
    for statement in of_import {
        sql::execute(tx, &statement, [Value::from(id.0)]).await?;
    }
    for member in &made.members {
        placeholders::delete(tx, *member).await?;
    }
    let models = model::Entity::delete_many()
        .filter(model::Column::Id.is_in(made.models.iter().map(|model| model.0)));
    sql::run(tx, models).await?;
    for question in &made.questions {
        delete_question(tx, *question).await?;
    }
    for label in &made.labels {
        delete_label(tx, *label).await?;
    }
    Ok(())
}

/// Deletes a question that nobody answers.
async fn delete_question(tx: &Tx, id: AttributeId) -> Result<(), Error> {
    let deleted = sql::run(tx, attribute::Entity::delete_by_id(id.0)).await;
    deleted.map(|_| ()).map_err(Error::unless_unused)
}

/// Deletes a label that no version of any assignment ever had.
async fn delete_label(tx: &Tx, id: LabelId) -> Result<(), Error> {
    let deleted = sql::run(tx, label::Entity::delete_by_id(id.0)).await;
    deleted.map(|_| ()).map_err(Error::unless_unused)
}
