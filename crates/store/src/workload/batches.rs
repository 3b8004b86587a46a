//! What was given out at once, carried out and kept so that it can be undone where nothing has been
//! worked on.

use domain::{
    DocumentId, MemberId, ProjectId, UserId, WorkState, WorkloadAsk, WorkloadBatch, WorkloadBatchId,
};

use crate::{
    base::prelude::*,
    entity::{
        assignment::{self, Column as AssignmentColumn, Entity as Assignments},
        workload_act::{self, Entity as Batches},
        workload_act_part::{self as part, Column, Entity},
    },
};

/// An assignment before and after: none where there is none, else when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HoldingChange {
    pub document: DocumentId,
    pub member: MemberId,
    pub before: Option<Option<DateTime<Utc>>>,
    pub after: Option<Option<DateTime<Utc>>>,
}

impl HoldingChange {
    /// The way back.
    #[must_use]
    pub const fn turned(self) -> Self {
        let Self { document, member, before, after } = self;
        Self { document, member, before: after, after: before }
    }
}

/// A batch to keep.
#[derive(Clone, Copy, Debug)]
pub struct NewBatch<'a> {
    pub ask: WorkloadAsk,
    pub seed: Option<&'a str>,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Keeps a batch.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    new: NewBatch<'_>,
    parts: &[HoldingChange],
) -> Result<WorkloadBatchId, Error> {
    let row = workload_act::ActiveModel {
        project_id: Set(project.0),
        made_by: Set(Some(new.by.0)),
        made_at: Set(new.at),
        ask: Set(sql::json(&new.ask)?),
        seed: Set(new.seed.map(str::to_owned)),
        ..Default::default()
    };
    let id: WorkloadBatchId = sql::insert(tx, row).await?;
    let rows = parts.iter().map(|one| part::ActiveModel {
        act_id: Set(id.0),
        document_id: Set(one.document.0),
        member_id: Set(one.member.0),
        was_there: Set(one.before.is_some()),
        is_there: Set(one.after.is_some()),
        was_due: Set(one.before.flatten()),
        is_due: Set(one.after.flatten()),
        left_alone: Set(false),
    });
    chunks::insert(tx, rows.collect()).await?;
    Ok(id)
}

/// Carries parts out; false if an assignment that was to be taken has been begun or is gone, and nothing of
/// this is to be kept.
pub async fn carry_out(tx: &Tx, parts: &[HoldingChange]) -> Result<bool, Error> {
    let (taken, kept): (Vec<HoldingChange>, Vec<HoldingChange>) =
        parts.iter().partition(|part| part.after.is_none());
    for chunk in taken.chunks(chunks::rows_per_statement(tx, 2, 1)) {
        let wanted = chunk.iter().map(|part| (part.document.0, part.member.0));
        let delete = Assignments::delete_many()
            .filter(chunks::among(
                [AssignmentColumn::DocumentId, AssignmentColumn::MemberId],
                wanted,
            ))
            .filter(AssignmentColumn::State.eq(WorkState::Open.name()));
        if usize::try_from(sql::run(tx, delete).await?) != Ok(chunk.len()) {
            return Ok(false);
        }
    }
    let rows = kept.iter().map(|part| assignment::ActiveModel {
        document_id: Set(part.document.0),
        member_id: Set(part.member.0),
        state: Set(WorkState::Open.name().to_owned()),
        due_at: Set(part.after.flatten()),
        ..Default::default()
    });
    let existing = OnConflict::columns([AssignmentColumn::DocumentId, AssignmentColumn::MemberId])
        .update_column(AssignmentColumn::DueAt)
        .to_owned();
    chunks::insert_or(tx, rows.collect(), existing).await?;
    Ok(true)
}

/// A batch as it is to be undone: its project, whether it was undone, its parts.
pub async fn find(
    db: &impl Db,
    id: WorkloadBatchId,
) -> Result<Option<(ProjectId, bool, Vec<HoldingChange>)>, Error> {
    let Some(batch) = Batches::find_by_id(id.0).one(db.connection()).await? else {
        return Ok(None);
    };
    let rows = Entity::find()
        .filter(Column::ActId.eq(id.0))
        .order_by_asc(Column::DocumentId)
        .order_by_asc(Column::MemberId)
        .all(db.connection())
        .await?;
    let parts = rows.into_iter().map(|row| HoldingChange {
        document: DocumentId(row.document_id),
        member: MemberId(row.member_id),
        before: row.was_there.then_some(row.was_due),
        after: row.is_there.then_some(row.is_due),
    });
    Ok(Some((ProjectId(batch.project_id), batch.undone_at.is_some(), parts.collect())))
}

/// Notes that a batch was undone but for what was left alone; false if it was undone before.
pub async fn undo(
    tx: &Tx,
    id: WorkloadBatchId,
    left_alone: &[HoldingChange],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let undo = Batches::update_many()
        .col_expr(workload_act::Column::UndoneAt, now.into())
        .filter(workload_act::Column::Id.eq(id.0))
        .filter(workload_act::Column::UndoneAt.is_null());
    let undone = sql::run(tx, undo).await? == 1;
    for chunk in left_alone.chunks(chunks::rows_per_statement(tx, 2, 2)) {
        let wanted = chunk.iter().map(|part| (part.document.0, part.member.0));
        let leave = Entity::update_many()
            .col_expr(Column::LeftAlone, true.into())
            .filter(Column::ActId.eq(id.0))
            .filter(chunks::among([Column::DocumentId, Column::MemberId], wanted));
        sql::run(tx, leave).await?;
    }
    Ok(undone)
}

/// How many batches a project has.
pub async fn count(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    let batches = Batches::find().filter(workload_act::Column::ProjectId.eq(project.0));
    Ok(batches.count(db.connection()).await?)
}

/// A project's latest batches, the latest first.
pub async fn list(
    db: &impl Db,
    project: ProjectId,
    most: u64,
) -> Result<Vec<WorkloadBatch>, Error> {
    // SQL: `COUNT` with `FILTER` over joins and groups.
    sql::rows(
        db,
        "SELECT act.id, act.ask, act.seed, act.made_at, user_account.name AS made_by,
                act.undone_at,
                COUNT(part.act_id) FILTER (WHERE part.is_there AND NOT part.was_there) AS given,
                COUNT(part.act_id) FILTER (WHERE part.was_there AND NOT part.is_there) AS taken,
                COUNT(part.act_id) FILTER (WHERE part.was_there AND part.is_there) AS dated,
                COUNT(part.act_id) FILTER (WHERE part.left_alone) AS left_alone
         FROM (SELECT * FROM workload_act WHERE project_id = $1 ORDER BY id DESC LIMIT $2) AS act
         LEFT JOIN user_account ON user_account.id = act.made_by
         LEFT JOIN workload_act_part AS part ON part.act_id = act.id
         GROUP BY act.id, act.ask, act.seed, act.made_at, user_account.name, act.undone_at
         ORDER BY act.id DESC",
        [project.0.into(), sql::signed(most).into()],
    )
    .await
}

read_by_columns! {
    WorkloadBatch { id, ask: (json), seed, made_at, made_by, given, taken, dated, undone_at, left_alone }
}
