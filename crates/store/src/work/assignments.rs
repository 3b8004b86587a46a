//! The labelers' copies of documents.

use chrono::{DateTime, Utc};
use domain::{
    AssignmentCard, AssignmentId, DocumentId, MemberId, PersonProgress, ProjectId, RepeatId,
    Revision, StateCounts, UserId, WorkState,
};
use sea_orm::{
    ActiveValue::Set, EntityTrait, FromQueryResult, QueryFilter, prelude::*, sea_query::OnConflict,
};

use crate::{
    Db, Error, Neighbours, Tx,
    base::{chunks::rows_per_statement, db::Connected, sql},
    entity::assignment::{self, Column, Entity},
    work::flags::{PUT_ASIDE, SKIPPED},
};

/// A copy as its labeler has it before them, with what is needed to decide who may do what with it.
/// Once it is to be repeated, state, revision and time are those of the repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub id: AssignmentId,
    pub document: DocumentId,
    pub document_name: String,
    /// The document's length in Unicode scalar values.
    pub characters: u32,
    pub project: ProjectId,
    pub member: MemberId,
    pub user: UserId,
    /// Whether its labeler was removed from the project.
    pub member_removed: bool,
    /// The second pass that stands in the place of the first.
    pub repeat: Option<RepeatId>,
    pub state: WorkState,
    pub revision: Revision,
    pub saved_at: Option<DateTime<Utc>>,
}

/// Gives labelers copies of documents. Those that they have stay as they are.
pub async fn insert_many(tx: &Tx, copies: &[(DocumentId, MemberId)]) -> Result<(), Error> {
    for chunk in copies.chunks(rows_per_statement(tx, 3, 0)) {
        let rows = chunk.iter().map(|(document, member)| assignment::ActiveModel {
            document_id: Set(document.0),
            member_id: Set(member.0),
            state: Set(WorkState::Open.name().to_owned()),
            ..Default::default()
        });
        Entity::insert_many(rows)
            .on_conflict(
                OnConflict::columns([Column::DocumentId, Column::MemberId]).do_nothing().to_owned(),
            )
            .exec_without_returning(tx.connection())
            .await?;
    }
    Ok(())
}

/// How many copies each of a project's labelers has, without those who were removed and those whom
/// nobody has claimed.
pub async fn loads(db: &impl Db, project: ProjectId) -> Result<Vec<(MemberId, u64)>, Error> {
    let rows: Vec<(i64, i64)> = sql::tuples(
        db,
        "SELECT member.id, COUNT(assignment.id)
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         LEFT JOIN assignment ON assignment.member_id = member.id
         WHERE member.project_id = $1 AND member.role = 'labeler' AND member.removed_at IS NULL
           AND NOT user_account.is_placeholder
         GROUP BY member.id ORDER BY member.id",
        [project.0.into()],
    )
    .await?;
    rows.into_iter().map(|(member, load)| Ok((MemberId(member), sql::number(load)?))).collect()
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    document_id: i64,
    document_name: String,
    characters: i64,
    project_id: i64,
    member_id: i64,
    user_id: i64,
    removed_at: Option<DateTimeUtc>,
    repeat_id: Option<i64>,
    state: String,
    revision: i64,
    saved_at: Option<DateTimeUtc>,
}

/// The copy with this id.
pub async fn find(db: &impl Db, id: AssignmentId) -> Result<Option<Assignment>, Error> {
    let row = sql::row::<Row, _>(
        db,
        "SELECT assignment.id, assignment.document_id, document.name AS document_name,
                document.characters, document.project_id, assignment.member_id, member.user_id,
                member.removed_at, repeat.id AS repeat_id,
                COALESCE(repeat.state, assignment.state) AS state,
                COALESCE(repeat.revision, assignment.revision) AS revision,
                CASE WHEN repeat.id IS NULL THEN assignment.saved_at ELSE repeat.saved_at END
                    AS saved_at
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         LEFT JOIN repeat ON repeat.assignment_id = assignment.id
         WHERE assignment.id = $1",
        [id.0.into()],
    )
    .await?;
    row.map(|row| {
        Ok(Assignment {
            id: AssignmentId(row.id),
            document: DocumentId(row.document_id),
            document_name: row.document_name,
            characters: sql::number(row.characters)?,
            project: ProjectId(row.project_id),
            member: MemberId(row.member_id),
            user: UserId(row.user_id),
            member_removed: row.removed_at.is_some(),
            repeat: row.repeat_id.map(RepeatId),
            state: sql::word(&row.state)?,
            revision: Revision(row.revision),
            saved_at: row.saved_at,
        })
    })
    .transpose()
}

#[derive(FromQueryResult)]
struct CardRow {
    id: i64,
    document_name: String,
    characters: i64,
    spans: i64,
    state: String,
    saved_at: Option<DateTimeUtc>,
    due_at: Option<DateTimeUtc>,
}

/// What a labeler has before them: while their work is paused, nothing that they have not begun.
const NOT_PUT_AWAY: &str = "(assignment.state <> 'open' OR NOT EXISTS (
    SELECT 1 FROM member WHERE member.id = assignment.member_id AND member.paused_at IS NOT NULL))";

/// A labeler's copies as they have them before them, in the order of their documents, also those
/// that they have put aside: a repeat stands in the place of what it repeats, and looks like it did
/// at first.
pub async fn list_of_member(db: &impl Db, member: MemberId) -> Result<Vec<AssignmentCard>, Error> {
    let select = format!(
        "SELECT assignment.id, document.name AS document_name, document.characters,
                CASE WHEN repeat.id IS NULL
                    THEN (SELECT COUNT(*) FROM span WHERE span.assignment_id = assignment.id)
                    ELSE (SELECT COUNT(*) FROM repeat_span WHERE repeat_span.repeat_id = repeat.id)
                    END AS spans,
                COALESCE(repeat.state, assignment.state) AS state,
                CASE WHEN repeat.id IS NULL THEN assignment.saved_at ELSE repeat.saved_at END
                    AS saved_at,
                assignment.due_at
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         LEFT JOIN repeat ON repeat.assignment_id = assignment.id
         WHERE assignment.member_id = $1 AND {NOT_PUT_AWAY}
         ORDER BY assignment.document_id"
    );
    let rows = sql::rows::<CardRow, _>(db, &select, [member.0.into()]).await?;
    rows.into_iter()
        .map(|row| {
            Ok(AssignmentCard {
                id: AssignmentId(row.id),
                document_name: row.document_name,
                characters: sql::number(row.characters)?,
                spans: sql::number(row.spans)?,
                state: sql::word(&row.state)?,
                saved_at: row.saved_at,
                due_at: row.due_at,
            })
        })
        .collect()
}

/// Where a copy stands in its labeler's list; none if it is not theirs.
pub async fn neighbours(
    db: &impl Db,
    id: AssignmentId,
    member: MemberId,
) -> Result<Option<Neighbours<AssignmentId>>, Error> {
    let select = format!(
        "SELECT previous_id, next_id, place, places FROM (
             SELECT id, LAG(id) OVER listed AS previous_id, LEAD(id) OVER listed AS next_id,
                    ROW_NUMBER() OVER listed AS place, COUNT(*) OVER () AS places
             FROM assignment
             WHERE member_id = $1 AND (({NOT_PUT_AWAY} AND NOT {PUT_ASIDE}) OR id = $2)
             WINDOW listed AS (ORDER BY document_id)
         ) AS placed WHERE id = $2"
    );
    let row: Option<(Option<i64>, Option<i64>, i64, i64)> =
        sql::tuple(db, &select, [member.0.into(), id.0.into()]).await?;
    row.map(|(previous, next, place, places)| {
        Ok(Neighbours {
            previous: previous.map(AssignmentId),
            next: next.map(AssignmentId),
            place: sql::number(place)?,
            places: sql::number(places)?,
        })
    })
    .transpose()
}

/// A labeler's copy of a document, if they have one and are still in the project.
pub async fn find_of(
    db: &impl Db,
    document: DocumentId,
    member: MemberId,
) -> Result<Option<Assignment>, Error> {
    let id: Option<i64> = sql::tuple(
        db,
        "SELECT assignment.id FROM assignment JOIN member ON member.id = assignment.member_id
         WHERE assignment.document_id = $1 AND assignment.member_id = $2
         AND member.removed_at IS NULL",
        [document.0.into(), member.0.into()],
    )
    .await?;
    match id {
        Some(id) => find(db, AssignmentId(id)).await,
        None => Ok(None),
    }
}

/// Moves a copy on from the revision `base` to the next, in `state`; false if it is not at `base`
/// any more: somebody was faster.
pub async fn save(
    tx: &Tx,
    id: AssignmentId,
    base: Revision,
    state: WorkState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    let updated = Entity::update_many()
        .col_expr(Column::Revision, base.next().0.into())
        .col_expr(Column::State, state.name().into())
        .col_expr(Column::SavedAt, now.into())
        .col_expr(Column::SubmittedAt, submitted_at.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::Revision.eq(base.0))
        .exec(tx.connection())
        .await?;
    Ok(updated.rows_affected == 1)
}

#[derive(FromQueryResult)]
struct ProgressRow {
    id: i64,
    name: String,
    role: String,
    open: i64,
    saved: i64,
    submitted: i64,
    skipped: i64,
}

/// How far a project's labelers and reviewers have come, repeats left out, in the order of the matrix, without
/// those who were removed. A reviewer has every document before them, so what is open to a
/// reviewer is what they have not begun.
pub async fn progress(db: &impl Db, project: ProjectId) -> Result<Vec<PersonProgress>, Error> {
    let labelers = format!(
        "SELECT member.id, user_account.name, member.role,
                COUNT(assignment.id) FILTER (WHERE assignment.state = 'open' AND NOT {SKIPPED})
                    AS open,
                COUNT(assignment.id) FILTER (WHERE assignment.state = 'saved' AND NOT {SKIPPED})
                    AS saved,
                COUNT(assignment.id) FILTER (WHERE assignment.state = 'submitted') AS submitted,
                COUNT(assignment.id) FILTER (WHERE {SKIPPED}) AS skipped
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         LEFT JOIN assignment ON assignment.member_id = member.id
         WHERE member.project_id = $1 AND member.role = 'labeler' AND member.removed_at IS NULL
         GROUP BY member.id, user_account.name, member.role
         ORDER BY member.id"
    );
    let reviewers = "SELECT member.id, user_account.name, member.role,
                (SELECT COUNT(*) FROM document WHERE document.project_id = $1)
                    - COUNT(review.id) FILTER (WHERE review.state <> 'open') AS open,
                COUNT(review.id) FILTER (WHERE review.state = 'saved') AS saved,
                COUNT(review.id) FILTER (WHERE review.state = 'submitted') AS submitted,
                CAST(0 AS BIGINT) AS skipped
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         LEFT JOIN review ON review.member_id = member.id
         WHERE member.project_id = $1 AND member.role = 'reviewer' AND member.removed_at IS NULL
         GROUP BY member.id, user_account.name, member.role
         ORDER BY member.id";
    let mut rows = sql::rows::<ProgressRow, _>(db, &labelers, [project.0.into()]).await?;
    rows.extend(sql::rows::<ProgressRow, _>(db, reviewers, [project.0.into()]).await?);
    rows.into_iter()
        .map(|row| {
            Ok(PersonProgress {
                member: MemberId(row.id),
                name: row.name,
                role: sql::word(&row.role)?,
                counts: StateCounts {
                    open: sql::number(row.open)?,
                    saved: sql::number(row.saved)?,
                    submitted: sql::number(row.submitted)?,
                    skipped: sql::number(row.skipped)?,
                },
            })
        })
        .collect()
}

/// How many of a labeler's copies are in which state, repeats in the place of what they repeat.
pub async fn counts_of_member(db: &impl Db, member: MemberId) -> Result<StateCounts, Error> {
    let select = format!(
        "SELECT COALESCE(repeat.state, assignment.state),
                CASE WHEN {PUT_ASIDE} THEN 1 ELSE 0 END, COUNT(*)
         FROM assignment LEFT JOIN repeat ON repeat.assignment_id = assignment.id
         WHERE assignment.member_id = $1 AND {NOT_PUT_AWAY}
         GROUP BY 1, 2"
    );
    let rows: Vec<(String, i32, i64)> = sql::tuples(db, &select, [member.0.into()]).await?;
    let mut counts = StateCounts::default();
    for (state, put_aside, copies) in rows {
        let copies = sql::number(copies)?;
        if put_aside == 0 {
            counts.add(sql::word(&state)?, copies);
        } else {
            counts.skipped += copies;
        }
    }
    Ok(counts)
}
