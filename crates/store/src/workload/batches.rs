//! What was given out at once, carried out and kept so that it can be undone where nothing has been
//! worked on.

use chrono::{DateTime, Utc};
use domain::{
    DocumentId, MemberId, ProjectId, UserId, WorkState, WorkloadAct, WorkloadActId, WorkloadAsk,
};
use sea_orm::{
    ActiveValue::Set, EntityTrait, FromQueryResult, Iterable, QueryFilter, QueryOrder, prelude::*,
    sea_query::OnConflict,
};

use crate::{
    Db, Error, Tx,
    base::{chunks, db::Connected, sql},
    entity::{
        assignment::{self, Column as Copy, Entity as Copies},
        workload_act_part::{self as part, Column, Entity},
    },
};

/// A copy before and after: none where there is none, else when it is due.
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

/// An act to keep.
#[derive(Clone, Copy, Debug)]
pub struct NewAct<'a> {
    pub ask: WorkloadAsk,
    pub seed: Option<&'a str>,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Keeps an act.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    new: NewAct<'_>,
    parts: &[HoldingChange],
) -> Result<WorkloadActId, Error> {
    let ask = serde_json::to_string(&new.ask).map_err(Error::unreadable)?;
    let id: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO workload_act (project_id, made_by, made_at, ask, seed)
         VALUES ($1, $2, $3, $4, $5) RETURNING id",
        [
            project.0.into(),
            new.by.0.into(),
            new.at.into(),
            ask.into(),
            new.seed.map(str::to_owned).into(),
        ],
    )
    .await?;
    let id = id.ok_or_else(|| Error::unreadable("an act without an id"))?;
    let rows = parts.iter().map(|one| part::ActiveModel {
        act_id: Set(id),
        document_id: Set(one.document.0),
        member_id: Set(one.member.0),
        was_there: Set(one.before.is_some()),
        is_there: Set(one.after.is_some()),
        was_due: Set(one.before.flatten()),
        is_due: Set(one.after.flatten()),
        left_alone: Set(false),
    });
    chunks::insert(tx, rows.collect()).await?;
    Ok(WorkloadActId(id))
}

/// Carries parts out; false if a copy that was to be taken has been begun or is gone, and nothing of
/// this is to be kept.
pub async fn carry_out(tx: &Tx, parts: &[HoldingChange]) -> Result<bool, Error> {
    let (taken, kept): (Vec<HoldingChange>, Vec<HoldingChange>) =
        parts.iter().partition(|part| part.after.is_none());
    for chunk in taken.chunks(chunks::rows_per_statement(tx, 2, 1)) {
        let wanted = chunk.iter().map(|part| (part.document.0, part.member.0));
        let deleted = Copies::delete_many()
            .filter(chunks::among([Copy::DocumentId, Copy::MemberId], wanted))
            .filter(Copy::State.eq(WorkState::Open.name()))
            .exec(tx.connection())
            .await?;
        if usize::try_from(deleted.rows_affected) != Ok(chunk.len()) {
            return Ok(false);
        }
    }
    let columns = assignment::Column::iter().count();
    for chunk in kept.chunks(chunks::rows_per_statement(tx, columns, 0)) {
        let rows = chunk.iter().map(|part| assignment::ActiveModel {
            document_id: Set(part.document.0),
            member_id: Set(part.member.0),
            state: Set(WorkState::Open.name().to_owned()),
            due_at: Set(part.after.flatten()),
            ..Default::default()
        });
        let there = OnConflict::columns([Copy::DocumentId, Copy::MemberId])
            .update_column(Copy::DueAt)
            .to_owned();
        Copies::insert_many(rows)
            .on_conflict(there)
            .exec_without_returning(tx.connection())
            .await?;
    }
    Ok(true)
}

/// An act as it is to be undone: its project, whether it was undone, its parts.
pub async fn find(
    db: &impl Db,
    id: WorkloadActId,
) -> Result<Option<(ProjectId, bool, Vec<HoldingChange>)>, Error> {
    let act: Option<(i64, Option<DateTimeUtc>)> = sql::tuple(
        db,
        "SELECT project_id, undone_at FROM workload_act WHERE id = $1",
        [id.0.into()],
    )
    .await?;
    let Some((project, undone_at)) = act else { return Ok(None) };
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
    Ok(Some((ProjectId(project), undone_at.is_some(), parts.collect())))
}

/// Notes that an act was undone but for what was left alone; false if it was undone before.
pub async fn undo(
    tx: &Tx,
    id: WorkloadActId,
    left_alone: &[HoldingChange],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let changed = sql::execute(
        tx,
        "UPDATE workload_act SET undone_at = $2 WHERE id = $1 AND undone_at IS NULL",
        [id.0.into(), now.into()],
    )
    .await?;
    for chunk in left_alone.chunks(chunks::rows_per_statement(tx, 2, 2)) {
        let wanted = chunk.iter().map(|part| (part.document.0, part.member.0));
        Entity::update_many()
            .col_expr(Column::LeftAlone, true.into())
            .filter(Column::ActId.eq(id.0))
            .filter(chunks::among([Column::DocumentId, Column::MemberId], wanted))
            .exec(tx.connection())
            .await?;
    }
    Ok(changed == 1)
}

/// How many acts a project has.
pub async fn count(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    let select = "SELECT COUNT(*) FROM workload_act WHERE project_id = $1";
    let found: Option<(i64,)> = sql::tuple(db, select, [project.0.into()]).await?;
    sql::number(found.unwrap_or_default().0)
}

#[derive(FromQueryResult)]
struct ActRow {
    id: i64,
    ask: String,
    seed: Option<String>,
    made_at: DateTimeUtc,
    made_by: Option<String>,
    undone_at: Option<DateTimeUtc>,
    given: i64,
    taken: i64,
    dated: i64,
    left_alone: i64,
}

/// A project's latest acts, the latest first.
pub async fn list(db: &impl Db, project: ProjectId, most: u64) -> Result<Vec<WorkloadAct>, Error> {
    let rows = sql::rows::<ActRow, _>(
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
        [project.0.into(), i64::try_from(most).unwrap_or(i64::MAX).into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(WorkloadAct {
                id: WorkloadActId(row.id),
                ask: serde_json::from_str(&row.ask).map_err(Error::unreadable)?,
                seed: row.seed,
                made_at: row.made_at,
                made_by: row.made_by,
                given: sql::number(row.given)?,
                taken: sql::number(row.taken)?,
                dated: sql::number(row.dated)?,
                undone_at: row.undone_at,
                left_alone: sql::number(row.left_alone)?,
            })
        })
        .collect()
}
