//! Second passes over documents that labelers have submitted. They stand beside the copies and are
//! read by nothing that compares raters.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, DocumentId, MemberId, ProjectId, RepeatAsk, RepeatBatch, RepeatBatchId, RepeatId,
    Revision, RoundId, Span, StateCounts, UserId, WorkState,
};
use sea_orm::{ActiveValue::Set, EntityTrait, FromQueryResult, QueryFilter, prelude::*};

use crate::{
    Db, Error, Snapshot, Tx,
    base::{chunks, db::Connected, sql},
    entity::{
        repeat::{Column, Entity},
        repeat_span::{self, Column as SpanColumn, Entity as SpanEntity},
    },
};

/// A submitted copy that was never given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub assignment: AssignmentId,
    pub member: MemberId,
    pub document: DocumentId,
    pub document_name: String,
}

/// The copies that may be given back: of labelers who are still in the project, submitted by
/// `before`; in the order of members, then documents.
pub async fn candidates(
    db: &impl Db,
    project: ProjectId,
    before: DateTime<Utc>,
) -> Result<Vec<Candidate>, Error> {
    let rows: Vec<(i64, i64, i64, String)> = sql::tuples(
        db,
        "SELECT assignment.id, assignment.member_id, assignment.document_id, document.name
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         WHERE document.project_id = $1 AND member.removed_at IS NULL
         AND assignment.state = 'submitted' AND assignment.submitted_at <= $2
         AND NOT EXISTS (SELECT 1 FROM repeat WHERE repeat.assignment_id = assignment.id)
         ORDER BY assignment.member_id, assignment.document_id",
        [project.0.into(), before.into()],
    )
    .await?;
    let candidate = |(assignment, member, document, document_name)| Candidate {
        assignment: AssignmentId(assignment),
        member: MemberId(member),
        document: DocumentId(document),
        document_name,
    };
    Ok(rows.into_iter().map(candidate).collect())
}

/// A batch to give.
#[derive(Clone, Copy, Debug)]
pub struct NewBatch<'a> {
    pub ask: RepeatAsk,
    pub seed: &'a str,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Gives copies back, those that are still submitted and were never given back, and says how many
/// these were. The revision of a copy moves on, and its repeat starts there: whoever still has the
/// copy open cannot save over the repeat.
pub async fn insert_batch(
    tx: &Tx,
    project: ProjectId,
    new: NewBatch<'_>,
    copies: &[AssignmentId],
) -> Result<(RepeatBatchId, u64), Error> {
    let batch: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO repeat_batch (project_id, documents, days, seed, given_at, given_by)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        [
            project.0.into(),
            i64::from(new.ask.documents).into(),
            i64::from(new.ask.days).into(),
            new.seed.into(),
            new.at.into(),
            new.by.0.into(),
        ],
    )
    .await?;
    let batch = batch.ok_or_else(|| Error::unreadable("a batch without an id"))?;
    let mut given = 0;
    for chunk in copies.chunks(chunks::rows_per_statement(tx, 1, 1)) {
        let wanted = format!(
            "assignment.id IN ({}) AND assignment.state = 'submitted'
             AND NOT EXISTS (SELECT 1 FROM repeat WHERE repeat.assignment_id = assignment.id)",
            sql::placeholders(chunk.len())
        );
        let ids = || chunk.iter().map(|copy| copy.0.into());
        let update = format!("UPDATE assignment SET revision = revision + 1 WHERE {wanted}");
        sql::execute(tx, &update, ids()).await?;
        let insert = format!(
            "INSERT INTO repeat (batch_id, assignment_id, state, revision)
             SELECT ${}, assignment.id, 'open', assignment.revision FROM assignment WHERE {wanted}",
            chunk.len() + 1
        );
        given += sql::execute(tx, &insert, ids().chain([batch.into()])).await?;
    }
    Ok((RepeatBatchId(batch), given))
}

/// Takes the repeats of a batch back that nobody has begun, and says how many; a batch that is left
/// empty goes with them. None if the project has no such batch.
pub async fn take_back(
    tx: &Tx,
    project: ProjectId,
    batch: RepeatBatchId,
) -> Result<Option<u64>, Error> {
    let found: Option<(i64,)> = sql::tuple(
        tx,
        "SELECT id FROM repeat_batch WHERE id = $1 AND project_id = $2",
        [batch.0.into(), project.0.into()],
    )
    .await?;
    if found.is_none() {
        return Ok(None);
    }
    let copies: Vec<(i64,)> = sql::tuples(
        tx,
        "DELETE FROM repeat WHERE batch_id = $1 AND state = 'open' RETURNING assignment_id",
        [batch.0.into()],
    )
    .await?;
    // Whoever has the repeat open must not save over the copy either.
    for chunk in copies.chunks(chunks::rows_per_statement(tx, 1, 0)) {
        let update = format!(
            "UPDATE assignment SET revision = revision + 1 WHERE id IN ({})",
            sql::placeholders(chunk.len())
        );
        sql::execute(tx, &update, chunk.iter().map(|(copy,)| (*copy).into())).await?;
    }
    sql::execute(
        tx,
        "DELETE FROM repeat_batch WHERE id = $1
         AND NOT EXISTS (SELECT 1 FROM repeat WHERE repeat.batch_id = repeat_batch.id)",
        [batch.0.into()],
    )
    .await?;
    Ok(Some(u64::try_from(copies.len()).unwrap_or(u64::MAX)))
}

#[derive(FromQueryResult)]
struct BatchRow {
    id: i64,
    documents: i64,
    days: i64,
    seed: String,
    given_at: DateTimeUtc,
    given_by: Option<String>,
    labelers: i64,
    open: i64,
    saved: i64,
    submitted: i64,
}

/// A project's batches, the latest first.
pub async fn list_batches(db: &impl Db, project: ProjectId) -> Result<Vec<RepeatBatch>, Error> {
    let rows = sql::rows::<BatchRow, _>(
        db,
        "SELECT repeat_batch.id, repeat_batch.documents, repeat_batch.days, repeat_batch.seed,
                repeat_batch.given_at, user_account.name AS given_by,
                COUNT(DISTINCT assignment.member_id) AS labelers,
                COUNT(repeat.id) FILTER (WHERE repeat.state = 'open') AS open,
                COUNT(repeat.id) FILTER (WHERE repeat.state = 'saved') AS saved,
                COUNT(repeat.id) FILTER (WHERE repeat.state = 'submitted') AS submitted
         FROM repeat_batch
         LEFT JOIN user_account ON user_account.id = repeat_batch.given_by
         LEFT JOIN repeat ON repeat.batch_id = repeat_batch.id
         LEFT JOIN assignment ON assignment.id = repeat.assignment_id
         WHERE repeat_batch.project_id = $1
         GROUP BY repeat_batch.id, repeat_batch.documents, repeat_batch.days, repeat_batch.seed,
                  repeat_batch.given_at, user_account.name
         ORDER BY repeat_batch.id DESC",
        [project.0.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(RepeatBatch {
                id: RepeatBatchId(row.id),
                ask: RepeatAsk {
                    documents: sql::number(row.documents)?,
                    days: sql::number(row.days)?,
                },
                seed: row.seed,
                given_at: row.given_at,
                given_by: row.given_by,
                labelers: sql::number(row.labelers)?,
                counts: StateCounts {
                    skipped: 0,
                    open: sql::number(row.open)?,
                    saved: sql::number(row.saved)?,
                    submitted: sql::number(row.submitted)?,
                },
            })
        })
        .collect()
}

/// Adds spans to a repeat; [`Error::Duplicate`] if one of them is there.
pub async fn insert_spans(tx: &Tx, repeat: RepeatId, spans: &[Span]) -> Result<(), Error> {
    let rows = spans.iter().map(|span| repeat_span::ActiveModel {
        repeat_id: Set(repeat.0),
        start_at: Set(span.range.start.into()),
        end_at: Set(span.range.end.into()),
        label_id: Set(span.label.0),
        ..Default::default()
    });
    let inserted = chunks::insert(tx, rows.collect()).await;
    inserted.map_err(|error| Error::unless_unique(&["repeat_span"], error))
}

/// Takes spans off a repeat.
pub async fn delete_spans(tx: &Tx, repeat: RepeatId, spans: &[Span]) -> Result<(), Error> {
    for chunk in spans.chunks(chunks::rows_per_statement(tx, 3, 1)) {
        let wanted = chunk
            .iter()
            .map(|span| (i64::from(span.range.start), i64::from(span.range.end), span.label.0));
        let columns = [SpanColumn::StartAt, SpanColumn::EndAt, SpanColumn::LabelId];
        SpanEntity::delete_many()
            .filter(SpanColumn::RepeatId.eq(repeat.0))
            .filter(chunks::among(columns, wanted))
            .exec(tx.connection())
            .await?;
    }
    Ok(())
}

/// Moves a repeat on from the revision `base` to the next, in `state`; false if it is not at `base`
/// any more.
pub async fn save(
    tx: &Tx,
    id: RepeatId,
    base: Revision,
    state: WorkState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let updated = Entity::update_many()
        .col_expr(Column::Revision, base.next().0.into())
        .col_expr(Column::State, state.name().into())
        .col_expr(Column::SavedAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::Revision.eq(base.0))
        .exec(tx.connection())
        .await?;
    Ok(updated.rows_affected == 1)
}

/// A document that a labeler has done twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice {
    pub member: MemberId,
    pub document: DocumentId,
    pub round: RoundId,
    /// Whether the labeler has submitted all that was given to them with it.
    pub finished: bool,
    /// In order of position, then label.
    pub first: Vec<Span>,
    pub second: Vec<Span>,
}

/// Whose repeats are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Everybody(ProjectId),
    Member(MemberId),
}

impl Whose {
    const fn condition(self) -> (&'static str, i64) {
        match self {
            Self::Everybody(project) => ("document.project_id = $1", project.0),
            Self::Member(member) => ("assignment.member_id = $1", member.0),
        }
    }
}

/// The documents whose repeats are submitted, with both passes, in the order of members, then
/// documents; with the same number of queries however many they are.
pub async fn list_twice(snapshot: &Snapshot, whose: Whose) -> Result<Vec<Twice>, Error> {
    let (condition, id) = whose.condition();
    let from = "FROM repeat
         JOIN assignment ON assignment.id = repeat.assignment_id
         JOIN document ON document.id = assignment.document_id";
    let rows: Vec<(i64, i64, i64, i64, i64, String)> = sql::tuples(
        snapshot,
        &format!(
            "SELECT repeat.id, repeat.batch_id, assignment.member_id, document.id,
                    document.round_id, repeat.state
             {from} WHERE {condition} ORDER BY assignment.member_id, document.id"
        ),
        [id.into()],
    )
    .await?;
    let spans = async |table: &str, owner: &str| {
        let select = format!(
            "SELECT repeat.id, {table}.start_at, {table}.end_at, {table}.label_id
             {from} JOIN {table} ON {table}.{owner}
             WHERE {condition} AND repeat.state = 'submitted'
             ORDER BY repeat.id, {table}.start_at, {table}.end_at, {table}.label_id"
        );
        let rows: Vec<(i64, i64, i64, i64)> = sql::tuples(snapshot, &select, [id.into()]).await?;
        let mut spans: HashMap<i64, Vec<Span>> = HashMap::new();
        for (repeat, start_at, end_at, label_id) in rows {
            spans.entry(repeat).or_default().push(sql::span(start_at, end_at, label_id)?);
        }
        Ok::<_, Error>(spans)
    };
    let mut first = spans("span", "assignment_id = assignment.id").await?;
    let mut second = spans("repeat_span", "repeat_id = repeat.id").await?;
    let submitted = |state: &str| state == WorkState::Submitted.name();
    let mut finished: HashMap<(i64, i64), bool> = HashMap::new();
    for (_, batch, member, .., state) in &rows {
        *finished.entry((*batch, *member)).or_insert(true) &= submitted(state);
    }
    let twice = rows.into_iter().filter(|(.., state)| submitted(state));
    Ok(twice
        .map(|(repeat, batch, member, document, round, _)| Twice {
            member: MemberId(member),
            document: DocumentId(document),
            round: RoundId(round),
            finished: finished.get(&(batch, member)).copied().unwrap_or(false),
            first: first.remove(&repeat).unwrap_or_default(),
            second: second.remove(&repeat).unwrap_or_default(),
        })
        .collect())
}

/// Something that changes with every change of a project's repeats.
pub async fn stamp(db: &impl Db, project: ProjectId) -> Result<(i64, i64, i64), Error> {
    let stamp = sql::tuple(
        db,
        "SELECT COUNT(*), CAST(COALESCE(SUM(repeat.revision), 0) AS BIGINT),
                COALESCE(MAX(repeat.id), 0)
         FROM repeat JOIN repeat_batch ON repeat_batch.id = repeat.batch_id
         WHERE repeat_batch.project_id = $1",
        [project.0.into()],
    )
    .await?;
    Ok(stamp.unwrap_or_default())
}
