//! What labelers are shown of their own agreement, frozen when it was released.

use std::collections::BTreeMap;

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
    Ok(list(db, &[member]).await?.remove(&member))
}

/// What each of these members was shown last, and when it was released.
pub async fn list(
    db: &impl Db,
    members: &[MemberId],
) -> Result<BTreeMap<MemberId, (String, DateTime<Utc>)>, Error> {
    let mut found = BTreeMap::new();
    for chunk in members.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let among = Column::MemberId.is_in(chunk.iter().map(|member| member.0));
        let rows = Entity::find().filter(among).all(db.connection()).await?;
        found.extend(
            rows.into_iter().map(|row| (MemberId(row.member_id), (row.payload, row.released_at))),
        );
    }
    Ok(found)
}
