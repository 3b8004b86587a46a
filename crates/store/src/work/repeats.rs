//! Second passes over documents that labelers have submitted. They stand beside the assignments and are
//! read by nothing that compares raters.

use std::collections::{BTreeSet, HashMap};

use domain::{
    AssignmentId, DocumentId, Fact, MemberId, ProjectId, RepeatAsk, RepeatBatch, RepeatBatchId,
    RepeatId, Revision, RoundId, Span, UserId, WorkState, saturating,
};

use crate::{
    Snapshot,
    base::prelude::*,
    entity::{
        assignment,
        repeat::{Column, Entity},
        repeat_batch::{self, Entity as Batches},
        repeat_span::{self, Column as SpanColumn, Entity as SpanEntity},
    },
    work::{choices, versions::Pass},
};

/// A submitted assignment that was never given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub assignment: AssignmentId,
    pub member: MemberId,
    pub document: DocumentId,
    pub document_name: String,
}

/// The assignments that may be given back: of labelers who are still in the project, submitted by
/// `before`; in the order of members, then documents.
pub async fn candidates(
    db: &impl Db,
    project: ProjectId,
    before: DateTime<Utc>,
) -> Result<Vec<Candidate>, Error> {
    // SQL: `NOT EXISTS` over joins.
    sql::rows(
        db,
        "SELECT assignment.id, assignment.member_id, assignment.document_id,
                document.name AS document_name
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         WHERE document.project_id = $1 AND member.removed_at IS NULL
         AND assignment.state = 'submitted' AND assignment.submitted_at <= $2
         AND NOT EXISTS (SELECT 1 FROM repeat WHERE repeat.assignment_id = assignment.id)
         ORDER BY assignment.member_id, assignment.document_id",
        [project.0.into(), before.into()],
    )
    .await
}

read_by_columns! {
    Candidate { assignment: id, member: member_id, document: document_id, document_name }
}

/// A batch to give.
#[derive(Clone, Copy, Debug)]
pub struct NewBatch<'a> {
    pub ask: RepeatAsk,
    pub seed: &'a str,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Gives assignments back, those that are still submitted and were never given back, and says how many
/// these were. The revision of an assignment moves on, and its repeat starts there: whoever still has the
/// assignment open cannot save over the repeat.
pub async fn insert_batch(
    tx: &Tx,
    project: ProjectId,
    new: NewBatch<'_>,
    assignments: &[AssignmentId],
) -> Result<(RepeatBatchId, u64), Error> {
    let row = repeat_batch::ActiveModel {
        project_id: Set(project.0),
        documents: Set(new.ask.documents.into()),
        days: Set(new.ask.days.into()),
        seed: Set(new.seed.to_owned()),
        given_at: Set(new.at),
        given_by: Set(Some(new.by.0)),
        ..Default::default()
    };
    let batch: RepeatBatchId = sql::insert(tx, row).await?;
    // SQL: an insert from a select; models insert values.
    let mut given = 0;
    for chunk in assignments.chunks(chunks::rows_per_statement(tx, 1, 1)) {
        let wanted = format!(
            "assignment.id IN ({}) AND assignment.state = 'submitted'
             AND NOT EXISTS (SELECT 1 FROM repeat WHERE repeat.assignment_id = assignment.id)",
            sql::placeholders(chunk.len())
        );
        let ids = || chunk.iter().map(|assignment| assignment.0.into());
        let update = format!("UPDATE assignment SET revision = revision + 1 WHERE {wanted}");
        sql::execute(tx, &update, ids()).await?;
        let insert = format!(
            "INSERT INTO repeat (batch_id, assignment_id, state, revision)
             SELECT ${}, assignment.id, 'open', assignment.revision FROM assignment WHERE {wanted}",
            chunk.len() + 1
        );
        given += sql::execute(tx, &insert, ids().chain([batch.0.into()])).await?;
    }
    Ok((batch, given))
}

/// Takes the repeats of a batch back that nobody has begun, and says how many; a batch that is left
/// empty goes with them. None if the project has no such batch.
pub async fn take_back(
    tx: &Tx,
    project: ProjectId,
    batch: RepeatBatchId,
) -> Result<Option<u64>, Error> {
    let own = Batches::find_by_id(batch.0).filter(repeat_batch::Column::ProjectId.eq(project.0));
    if own.one(tx.connection()).await?.is_none() {
        return Ok(None);
    }
    let mut take = Entity::delete_many()
        .filter(Column::BatchId.eq(batch.0))
        .filter(Column::State.eq(WorkState::Open.name()));
    QueryTrait::query(&mut take).returning_col(Column::AssignmentId);
    let assignments: Vec<AssignmentId> = sql::all(tx, take).await?;
    // Whoever has the repeat open must not save over the assignment either.
    for chunk in assignments.chunks(chunks::rows_per_statement(tx, 1, 1)) {
        let moved = assignment::Entity::update_many()
            .col_expr(assignment::Column::Revision, Expr::col(assignment::Column::Revision).add(1))
            .filter(assignment::Column::Id.is_in(chunk.iter().map(|assignment| assignment.0)));
        sql::run(tx, moved).await?;
    }
    let left = Entity::find().select_only().column(Column::BatchId);
    let left = left.filter(Column::BatchId.eq(batch.0)).into_query();
    let empty = Batches::delete_many()
        .filter(repeat_batch::Column::Id.eq(batch.0))
        .filter(repeat_batch::Column::Id.not_in_subquery(left));
    sql::run(tx, empty).await?;
    Ok(Some(saturating::<u64>(assignments.len())))
}

/// A project's batches, the latest first.
pub async fn list_batches(db: &impl Db, project: ProjectId) -> Result<Vec<RepeatBatch>, Error> {
    // SQL: `COUNT` with `FILTER` over joins and groups.
    sql::rows(
        db,
        "SELECT repeat_batch.id, repeat_batch.documents, repeat_batch.days, repeat_batch.seed,
                repeat_batch.given_at, user_account.name AS given_by,
                COUNT(DISTINCT assignment.member_id) AS labelers,
                COUNT(repeat.id) FILTER (WHERE repeat.state = 'open') AS open,
                COUNT(repeat.id) FILTER (WHERE repeat.state = 'saved') AS saved,
                COUNT(repeat.id) FILTER (WHERE repeat.state = 'submitted') AS submitted,
                0 AS skipped
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
    .await
}

read_by_columns! { RepeatAsk { documents, days } }

read_by_columns! {
    RepeatBatch { id, ask: (part), seed, given_at, given_by, labelers, counts: (part) }
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
    inserted.map_err(|error| error.unless_unique(&["repeat_span"]))
}

/// Takes spans off a repeat.
pub async fn delete_spans(tx: &Tx, repeat: RepeatId, spans: &[Span]) -> Result<(), Error> {
    for chunk in spans.chunks(chunks::rows_per_statement(tx, 3, 1)) {
        let wanted = chunk
            .iter()
            .map(|span| (i64::from(span.range.start), i64::from(span.range.end), span.label.0));
        let columns = [SpanColumn::StartAt, SpanColumn::EndAt, SpanColumn::LabelId];
        let delete = SpanEntity::delete_many()
            .filter(SpanColumn::RepeatId.eq(repeat.0))
            .filter(chunks::among(columns, wanted));
        sql::run(tx, delete).await?;
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
    let save = Entity::update_many()
        .col_expr(Column::Revision, base.next().0.into())
        .col_expr(Column::State, state.name().into())
        .col_expr(Column::SavedAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::Revision.eq(base.0));
    Ok(sql::run(tx, save).await? == 1)
}

/// A document that a labeler has done twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice {
    pub member: MemberId,
    pub document: DocumentId,
    pub round: RoundId,
    /// Whether the labeler has submitted all that was given to them with it.
    pub finished: bool,
    /// What is so in the first pass, and in the second.
    pub first: BTreeSet<Fact>,
    pub second: BTreeSet<Fact>,
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
    // SQL: a condition that is a text.
    let (condition, id) = whose.condition();
    let rows = format!(
        "SELECT repeat.id, assignment.id, repeat.batch_id, assignment.member_id, document.id,
                document.round_id, repeat.state
         FROM repeat
         JOIN assignment ON assignment.id = repeat.assignment_id
         JOIN document ON document.id = assignment.document_id
         WHERE {condition} ORDER BY assignment.member_id, document.id"
    );
    let rows: Vec<(RepeatId, AssignmentId, RepeatBatchId, MemberId, _, _, WorkState)> =
        sql::rows(snapshot, &rows, [id.into()]).await?;
    let mut finished: HashMap<_, bool> = HashMap::new();
    for (_, _, batch, member, .., state) in &rows {
        *finished.entry((*batch, *member)).or_insert(true) &= *state == WorkState::Submitted;
    }
    let twice: Vec<_> =
        rows.into_iter().filter(|(.., state)| *state == WorkState::Submitted).collect();
    let passes = |(repeat, assignment, ..): &(RepeatId, AssignmentId, _, _, _, _, _)| {
        [None, Some(*repeat)].map(|repeat| Pass { assignment: *assignment, repeat })
    };
    let passes: Vec<_> = twice.iter().flat_map(passes).collect();
    let mut facts = choices::facts(snapshot, &passes).await?.into_iter();
    Ok(twice
        .into_iter()
        .map(|(_, _, batch, member, document, round, _)| Twice {
            member,
            document,
            round,
            finished: finished.get(&(batch, member)).copied().unwrap_or(false),
            first: facts.next().unwrap_or_default(),
            second: facts.next().unwrap_or_default(),
        })
        .collect())
}

/// Something that changes with every change of a project's repeats.
pub async fn stamp(db: &impl Db, project: ProjectId) -> Result<(i64, i64, i64), Error> {
    // SQL: a sum over joins, cast.
    let stamp = sql::row(
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
