//! What reviewers decided at once on one or several positions, kept so that it can be undone.

use chrono::{DateTime, Utc};
use domain::{ActId, Decision, DocumentId, MemberId, Position, ProjectId};
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, QueryOrder, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks, db::Connected, sql},
    entity::{
        decision_act::{self, Column, Entity},
        decision_act_part as part,
    },
};

/// A position of an act, with the reviewer's own decision there before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedPosition {
    pub position: Position,
    pub before: Option<Decision>,
    pub after: Option<Decision>,
    /// Whether it was left as it is when the act was undone.
    pub left_alone: bool,
}

/// What a reviewer decided at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    pub id: ActId,
    pub project: ProjectId,
    pub member: MemberId,
    pub made_at: DateTime<Utc>,
    pub undone_at: Option<DateTime<Utc>>,
    /// In the order of their positions. Those in documents that were deleted are gone.
    pub positions: Vec<DecidedPosition>,
}

/// Keeps an act.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    positions: &[DecidedPosition],
    now: DateTime<Utc>,
) -> Result<ActId, Error> {
    let act = decision_act::ActiveModel {
        project_id: Set(project.0),
        member_id: Set(member.0),
        made_at: Set(now),
        ..Default::default()
    };
    let id = Entity::insert(act).exec(tx.connection()).await?.last_insert_id;
    let rows = positions.iter().map(|one| {
        Ok(part::ActiveModel {
            act_id: Set(id),
            document_id: Set(one.position.document.0),
            start_at: Set(one.position.range.start.into()),
            end_at: Set(one.position.range.end.into()),
            before: Set(written(one.before.as_ref())?),
            after: Set(written(one.after.as_ref())?),
            left_alone: Set(one.left_alone),
        })
    });
    chunks::insert(tx, rows.collect::<Result<_, Error>>()?).await?;
    Ok(ActId(id))
}

/// The act with this id.
pub async fn find(db: &impl Db, id: ActId) -> Result<Option<Act>, Error> {
    let Some(act) = Entity::find_by_id(id.0).one(db.connection()).await? else { return Ok(None) };
    let rows = part::Entity::find()
        .filter(part::Column::ActId.eq(id.0))
        .order_by_asc(part::Column::DocumentId)
        .order_by_asc(part::Column::StartAt)
        .order_by_asc(part::Column::EndAt)
        .all(db.connection())
        .await?;
    let positions = rows.into_iter().map(|row| {
        let range = sql::range(row.start_at, row.end_at)?;
        Ok(DecidedPosition {
            position: Position { document: DocumentId(row.document_id), range },
            before: read(row.before.as_deref())?,
            after: read(row.after.as_deref())?,
            left_alone: row.left_alone,
        })
    });
    Ok(Some(Act {
        id,
        project: ProjectId(act.project_id),
        member: MemberId(act.member_id),
        made_at: act.made_at,
        undone_at: act.undone_at,
        positions: positions.collect::<Result<_, Error>>()?,
    }))
}

/// Notes that an act was undone but for what was left alone; false if it was undone before.
pub async fn undo(
    tx: &Tx,
    id: ActId,
    left_alone: &[Position],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let updated = Entity::update_many()
        .col_expr(Column::UndoneAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::UndoneAt.is_null())
        .exec(tx.connection())
        .await?;
    for chunk in left_alone.chunks(chunks::rows_per_statement(tx, 3, 2)) {
        let positions = chunk.iter().map(|position| {
            let range = position.range;
            (position.document.0, i64::from(range.start), i64::from(range.end))
        });
        let columns = [part::Column::DocumentId, part::Column::StartAt, part::Column::EndAt];
        part::Entity::update_many()
            .col_expr(part::Column::LeftAlone, true.into())
            .filter(part::Column::ActId.eq(id.0))
            .filter(chunks::among(columns, positions))
            .exec(tx.connection())
            .await?;
    }
    Ok(updated.rows_affected == 1)
}

fn written(decision: Option<&Decision>) -> Result<Option<String>, Error> {
    decision.map(serde_json::to_string).transpose().map_err(Error::unreadable)
}

fn read(text: Option<&str>) -> Result<Option<Decision>, Error> {
    text.map(serde_json::from_str).transpose().map_err(Error::unreadable)
}
