//! What reviewers decided at once on one or several positions, kept so that it can be undone.

use domain::{ActId, Decision, MemberId, Position, ProjectId};

use crate::{
    base::prelude::*,
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
    let id: ActId = sql::insert(tx, act).await?;
    let rows = positions.iter().map(|one| {
        Ok(part::ActiveModel {
            act_id: Set(id.0),
            document_id: Set(one.position.document.0),
            start_at: Set(one.position.range.start.into()),
            end_at: Set(one.position.range.end.into()),
            before: Set(one.before.as_ref().map(sql::json).transpose()?),
            after: Set(one.after.as_ref().map(sql::json).transpose()?),
            left_alone: Set(one.left_alone),
        })
    });
    chunks::insert(tx, rows.collect::<Result<_, Error>>()?).await?;
    Ok(id)
}

/// The act with this id.
pub async fn find(db: &impl Db, id: ActId) -> Result<Option<Act>, Error> {
    let Some(act) = Entity::find_by_id(id.0).one(db.connection()).await? else { return Ok(None) };
    let positions = part::Entity::find()
        .filter(part::Column::ActId.eq(id.0))
        .order_by_asc(part::Column::DocumentId)
        .order_by_asc(part::Column::StartAt)
        .order_by_asc(part::Column::EndAt);
    Ok(Some(Act {
        id,
        project: ProjectId(act.project_id),
        member: MemberId(act.member_id),
        made_at: act.made_at,
        undone_at: act.undone_at,
        positions: sql::all(db, positions).await?,
    }))
}

impl FromRow for DecidedPosition {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            position: Position { document: row.get("document_id")?, range: row.part()? },
            before: row.get::<Option<Json<_>>>("before")?.map(|Json(it)| it),
            after: row.get::<Option<Json<_>>>("after")?.map(|Json(it)| it),
            left_alone: row.get("left_alone")?,
        })
    }
}

/// Notes that an act was undone but for what was left alone; false if it was undone before.
pub async fn undo(
    tx: &Tx,
    id: ActId,
    left_alone: &[Position],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let undo = Entity::update_many()
        .col_expr(Column::UndoneAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::UndoneAt.is_null());
    let undone = sql::run(tx, undo).await? == 1;
    for chunk in left_alone.chunks(chunks::rows_per_statement(tx, 3, 2)) {
        let positions = chunk.iter().map(|position| {
            let range = position.range;
            (position.document.0, i64::from(range.start), i64::from(range.end))
        });
        let columns = [part::Column::DocumentId, part::Column::StartAt, part::Column::EndAt];
        let leave = part::Entity::update_many()
            .col_expr(part::Column::LeftAlone, true.into())
            .filter(part::Column::ActId.eq(id.0))
            .filter(chunks::among(columns, positions));
        sql::run(tx, leave).await?;
    }
    Ok(undone)
}
