//! Taking away again what an import has brought.

use domain::{ImportId, LabelId, ProjectId};
use sea_orm::{EntityTrait, QueryFilter, Value, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    document::imports::Made,
    entity::label,
    project::placeholders,
};

/// Work that hangs on what an import has brought: what it is, and a query that counts it.
const HANGS_ON: [(&str, &str); 9] = [
    (
        "copies were saved, submitted or reopened again",
        "SELECT COUNT(*) FROM import_copy
         JOIN assignment ON assignment.id = import_copy.assignment_id
         WHERE import_copy.import_id = $1 AND assignment.revision <> import_copy.revision",
    ),
    (
        "copies of its documents have work of others",
        "SELECT COUNT(*) FROM assignment
         JOIN import_document ON import_document.document_id = assignment.document_id
         LEFT JOIN import_copy ON import_copy.assignment_id = assignment.id
         WHERE import_document.import_id = $1 AND assignment.state <> 'open'
           AND (import_copy.import_id IS NULL OR import_copy.import_id <> $1)",
    ),
    (
        "reviews of its documents were begun or went on",
        "SELECT COUNT(*) FROM review
         JOIN import ON import.id = $1
         WHERE review.state <> 'open' AND (
             EXISTS (SELECT 1 FROM import_document
                 WHERE import_document.document_id = review.document_id
                   AND import_document.import_id = $1)
             OR (review.saved_at >= import.ended_at AND EXISTS (
                 SELECT 1 FROM import_copy
                 JOIN assignment ON assignment.id = import_copy.assignment_id
                 WHERE assignment.document_id = review.document_id
                   AND import_copy.import_id = $1)))",
    ),
    (
        "documents stand in a locked gold standard",
        "SELECT COUNT(*) FROM gold_version_document
         JOIN import_document ON import_document.document_id = gold_version_document.document_id
         WHERE import_document.import_id = $1",
    ),
    (
        "copies were given again to be repeated",
        "SELECT COUNT(*) FROM repeat
         JOIN import_copy ON import_copy.assignment_id = repeat.assignment_id
         WHERE import_copy.import_id = $1",
    ),
    (
        "comments were made on its documents",
        "SELECT COUNT(*) FROM comment_thread
         JOIN import_document ON import_document.document_id = comment_thread.document_id
         WHERE import_document.import_id = $1",
    ),
    (
        "flags were raised on its documents",
        "SELECT COUNT(*) FROM copy_flag
         JOIN import_document ON import_document.document_id = copy_flag.document_id
         WHERE import_document.import_id = $1",
    ),
    (
        "minutes of work were counted in its copies",
        "SELECT COUNT(*) FROM focus_day
         JOIN import_copy ON import_copy.assignment_id = focus_day.assignment_id
         WHERE import_copy.import_id = $1",
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
    let made: Option<(String,)> = sql::tuple(
        db,
        "SELECT made FROM import WHERE id = $1 AND project_id = $2 AND state = 'done'",
        [id.0.into(), project.0.into()],
    )
    .await?;
    made.map(|(made,)| serde_json::from_str(&made).map_err(Error::unreadable)).transpose()
}

/// The work that hangs on what an import has brought, in words.
pub async fn hangs_on(tx: &Tx, id: ImportId, made: &Made) -> Result<Vec<String>, Error> {
    let mut reasons = Vec::new();
    for (what, query) in HANGS_ON {
        let (count,): (i64,) = sql::tuple(tx, query, [id.0.into()]).await?.unwrap_or_default();
        if count > 0 {
            reasons.push(format!("{what} ({count})"));
        }
    }
    for member in &made.members {
        let found: Option<(String, bool, i64)> = sql::tuple(
            tx,
            "SELECT user_account.name, user_account.is_placeholder,
                    (SELECT COUNT(*) FROM assignment
                     LEFT JOIN import_copy ON import_copy.assignment_id = assignment.id
                     WHERE assignment.member_id = member.id AND assignment.state <> 'open'
                       AND (import_copy.import_id IS NULL OR import_copy.import_id <> $2))
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
    Ok(reasons)
}

/// Takes everything away that an import has brought; [`Error::InUse`] if one of its labels is used
/// elsewhere.
pub async fn take_away(tx: &Tx, id: ImportId, made: &Made) -> Result<(), Error> {
    const THERE: &str =
        "(SELECT assignment_id FROM import_copy WHERE import_id = $1 AND was_there)";
    let of_import = [
        "DELETE FROM copy_version WHERE EXISTS (
             SELECT 1 FROM import_copy WHERE import_copy.import_id = $1 AND import_copy.was_there
             AND import_copy.assignment_id = copy_version.assignment_id
             AND import_copy.revision = copy_version.revision)"
            .to_owned(),
        format!("DELETE FROM span WHERE assignment_id IN {THERE}"),
        format!(
            "UPDATE assignment SET state = 'open', revision = revision - 1, saved_at = NULL,
                 submitted_at = NULL
             WHERE id IN {THERE}"
        ),
        "DELETE FROM assignment WHERE id IN (
             SELECT assignment_id FROM import_copy WHERE import_id = $1 AND NOT was_there)"
            .to_owned(),
        "DELETE FROM document WHERE id IN (
             SELECT document_id FROM import_document WHERE import_id = $1)"
            .to_owned(),
        "DELETE FROM import_copy WHERE import_id = $1".to_owned(),
    ];
    for statement in of_import {
        sql::execute(tx, &statement, [Value::from(id.0)]).await?;
    }
    for member in &made.members {
        placeholders::delete(tx, *member).await?;
    }
    for label in &made.labels {
        delete_label(tx, *label).await?;
    }
    Ok(())
}

/// Deletes a label that no version of any copy ever had.
async fn delete_label(tx: &Tx, id: LabelId) -> Result<(), Error> {
    label::Entity::delete_many()
        .filter(label::Column::Id.eq(id.0))
        .exec(tx.connection())
        .await
        .map_err(Error::unless_unused)?;
    Ok(())
}
