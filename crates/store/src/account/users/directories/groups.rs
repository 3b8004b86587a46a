//! The groups of a directory, and who is in them.

use std::collections::BTreeSet;

use domain::{DirectoryGroupId, DirectoryId, UserId};

use super::{
    key,
    wanted::{Groups, Wanted},
};
use crate::{
    base::prelude::*,
    entity::{
        directory_group::{self, Column, Entity},
        directory_member, directory_user, user_account,
    },
};

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub id: DirectoryGroupId,
    pub name: String,
    /// What the directory knows it by.
    pub external_id: Option<String>,
    pub created_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
}

read_by_columns! { Group { id, name, external_id, created_at, changed_at } }

/// Makes a group; [`Error::Duplicate`] if the directory has one of this name.
pub async fn create(
    tx: &Tx,
    directory: DirectoryId,
    (name, external_id): (&str, Option<&str>),
    now: DateTime<Utc>,
) -> Result<DirectoryGroupId, Error> {
    let row = directory_group::ActiveModel {
        directory_id: Set(directory.0),
        name: Set(name.to_owned()),
        name_key: Set(key(name)),
        external_id: Set(external_id.map(str::to_owned)),
        created_at: Set(now),
        changed_at: Set(now),
        ..Default::default()
    };
    sql::insert(tx, row).await.map_err(|error| error.unless_unique(&["name_key"]))
}

/// Calls a group something else; [`Error::Duplicate`] if another one is called so.
pub async fn rename(
    tx: &Tx,
    id: DirectoryGroupId,
    (name, external_id): (&str, Option<&str>),
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let rename = Entity::update_many()
        .col_expr(Column::Name, name.into())
        .col_expr(Column::NameKey, key(name).into())
        .col_expr(Column::ExternalId, external_id.map(str::to_owned).into())
        .col_expr(Column::ChangedAt, now.into())
        .filter(Column::Id.eq(id.0));
    let renamed = sql::run(tx, rename).await;
    renamed.map(|_| ()).map_err(|error| error.unless_unique(&["name_key"]))
}

/// Deletes a group; whoever was in it stays.
pub async fn delete(tx: &Tx, id: DirectoryGroupId) -> Result<(), Error> {
    Entity::delete_by_id(id.0).exec(tx.connection()).await?;
    Ok(())
}

/// A group of a directory.
pub async fn find(
    db: &impl Db,
    directory: DirectoryId,
    id: DirectoryGroupId,
) -> Result<Option<Group>, Error> {
    let own = Entity::find_by_id(id.0).filter(Column::DirectoryId.eq(directory.0));
    sql::one(db, own).await
}

/// How many groups of a directory are wanted, and a part of them in the order in which they were made.
pub async fn list(
    db: &impl Db,
    directory: DirectoryId,
    wanted: &Wanted,
    (skipped, most): (u64, u64),
) -> Result<(u64, Vec<Group>), Error> {
    let found =
        Entity::find().filter(Column::DirectoryId.eq(directory.0)).filter(wanted.on::<Groups>());
    let total = found.clone().count(db.connection()).await?;
    let page = found.order_by_asc(Column::Id).offset(skipped).limit(most);
    Ok((total, sql::all(db, page).await?))
}

/// Who is in groups: which group, who, and what their accounts are called.
pub async fn members(
    db: &impl Db,
    groups: &[DirectoryGroupId],
) -> Result<Vec<(DirectoryGroupId, UserId, String)>, Error> {
    use directory_member::Column::{GroupId, UserId};
    let mut members = Vec::new();
    for chunk in groups.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let of_chunk = directory_member::Entity::find()
            .select_only()
            .columns([GroupId, UserId])
            .joined(UserId, user_account::Entity, user_account::Column::Id)
            .column(user_account::Column::Name)
            .filter(GroupId.is_in(chunk.iter().map(|group| group.0)))
            .order_by_asc(UserId);
        members.append(&mut sql::all(db, of_chunk).await?);
    }
    Ok(members)
}

/// Puts people into a group who are not in it.
pub async fn add_members(
    tx: &Tx,
    group: DirectoryGroupId,
    people: &BTreeSet<UserId>,
) -> Result<(), Error> {
    let rows = people
        .iter()
        .map(|user| directory_member::ActiveModel { group_id: Set(group.0), user_id: Set(user.0) });
    chunks::insert(tx, rows.collect()).await
}

/// Puts people out of a group.
pub async fn remove_members(
    tx: &Tx,
    group: DirectoryGroupId,
    people: &BTreeSet<UserId>,
) -> Result<(), Error> {
    use directory_member::Column::{GroupId, UserId};
    let ids: Vec<_> = people.iter().map(|user| user.0).collect();
    for chunk in ids.chunks(chunks::rows_per_statement(tx, 1, 1)) {
        let remove = directory_member::Entity::delete_many()
            .filter(GroupId.eq(group.0))
            .filter(UserId.is_in(chunk.iter().copied()));
        sql::run(tx, remove).await?;
    }
    Ok(())
}

/// Notes that somebody came into a group or left it.
pub async fn note_change(
    tx: &Tx,
    group: DirectoryGroupId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let changed = Entity::update_many()
        .col_expr(Column::ChangedAt, now.into())
        .filter(Column::Id.eq(group.0));
    sql::run(tx, changed).await?;
    Ok(())
}

/// Which of these people a directory knows.
pub async fn known_among(
    db: &impl Db,
    directory: DirectoryId,
    people: &BTreeSet<UserId>,
) -> Result<BTreeSet<UserId>, Error> {
    use directory_user::Column;
    let ids: Vec<_> = people.iter().map(|user| user.0).collect();
    let mut known = BTreeSet::new();
    for chunk in ids.chunks(chunks::rows_per_statement(db, 1, 1)) {
        let of_chunk = directory_user::Entity::find()
            .select_only()
            .column(Column::UserId)
            .filter(Column::DirectoryId.eq(directory.0))
            .filter(Column::RemovedAt.is_null())
            .filter(Column::UserId.is_in(chunk.iter().copied()));
        known.extend(sql::all::<UserId>(db, of_chunk).await?);
    }
    Ok(known)
}

/// Which of these people are not let in.
pub async fn disabled_among(
    db: &impl Db,
    people: &BTreeSet<UserId>,
) -> Result<BTreeSet<UserId>, Error> {
    use user_account::Column;
    let ids: Vec<_> = people.iter().map(|user| user.0).collect();
    let mut disabled = BTreeSet::new();
    for chunk in ids.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let of_chunk = user_account::Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::DisabledAt.is_not_null())
            .filter(Column::Id.is_in(chunk.iter().copied()));
        disabled.extend(sql::all::<UserId>(db, of_chunk).await?);
    }
    Ok(disabled)
}
