//! What labelers are shown of their own agreement, frozen when it was released.

use domain::{MemberId, ProjectId};

use crate::{
    base::prelude::*,
    entity::own_release::{self, Column, Entity},
};

/// Puts a release in the place of the project's last one: a payload in JSON for each member.
pub async fn replace_all(
    tx: &Tx,
    project: ProjectId,
    payloads: &[(MemberId, String)],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    Entity::delete_many().filter(Column::ProjectId.eq(project.0)).exec(tx.connection()).await?;
    let rows = payloads
        .iter()
        .map(|(member, payload)| own_release::ActiveModel {
            project_id: Set(project.0),
            member_id: Set(member.0),
            payload: Set(payload.clone()),
            released_at: Set(now),
        })
        .collect();
    chunks::insert(tx, rows).await
}

/// What a member was shown last, and when it was released.
pub async fn find(
    db: &impl Db,
    member: MemberId,
) -> Result<Option<(String, DateTime<Utc>)>, Error> {
    let row = Entity::find().filter(Column::MemberId.eq(member.0)).one(db.connection()).await?;
    Ok(row.map(|row| (row.payload, row.released_at)))
}
