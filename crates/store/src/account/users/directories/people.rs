//! People as a directory knows them: one directory for each account at most.

use domain::{DirectoryGroupId, DirectoryId, UserId};

use super::{
    key,
    wanted::{People, Wanted},
};
use crate::{
    base::prelude::*,
    entity::{
        directory, directory_group, directory_member,
        directory_user::{self, Column, Entity},
        user_account,
    },
};

/// What a directory says of somebody, beside their address and whether they may sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// What they sign in with in the directory.
    pub user_name: String,
    /// What the directory knows them by.
    pub external_id: Option<String>,
    pub display_name: Option<String>,
    pub formatted_name: Option<String>,
    pub given_name: Option<String>,
    pub family_name: Option<String>,
}

/// Somebody whom a directory knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub user: UserId,
    pub names: Names,
    /// What their account is called.
    pub name: String,
    /// The address of their account.
    pub email: String,
    /// Whether they may sign in.
    pub is_enabled: bool,
    /// Whether the directory says that they may.
    pub is_active: bool,
    /// Whether that alone has disabled their account.
    pub has_disabled: bool,
    pub created_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
}

read_by_columns! {
    Names { user_name, external_id, display_name, formatted_name, given_name, family_name }
}

impl FromRow for Person {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            user: row.get("user_id")?,
            names: row.part()?,
            name: row.get("name")?,
            email: row.get("email")?,
            is_enabled: row.get::<Option<DateTime<Utc>>>("disabled_at")?.is_none(),
            is_active: row.get("is_active")?,
            has_disabled: row.get("has_disabled")?,
            created_at: row.get("created_at")?,
            changed_at: row.get("changed_at")?,
        })
    }
}

/// Has a directory know somebody from now on, also who was removed from it before, or whom another one knew, whose
/// groups they leave; [`Error::Duplicate`] if it knows somebody else by the name.
pub async fn put(
    tx: &Tx,
    directory: DirectoryId,
    user: UserId,
    names: &Names,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let row = directory_user::ActiveModel {
        user_id: Set(user.0),
        directory_id: Set(directory.0),
        user_name: Set(names.user_name.clone()),
        user_name_key: Set(key(&names.user_name)),
        external_id: Set(names.external_id.clone()),
        display_name: Set(names.display_name.clone()),
        formatted_name: Set(names.formatted_name.clone()),
        given_name: Set(names.given_name.clone()),
        family_name: Set(names.family_name.clone()),
        is_active: Set(true),
        has_disabled: Set(false),
        created_at: Set(now),
        changed_at: Set(now),
        removed_at: Set(None),
    };
    let known = Column::iter().filter(|column| {
        !matches!(
            column,
            Column::UserId | Column::IsActive | Column::HasDisabled | Column::CreatedAt
        )
    });
    let replacing = OnConflict::column(Column::UserId).update_columns(known).to_owned();
    let put = Entity::insert(row).on_conflict(replacing);
    let put = put.exec_without_returning(tx.connection()).await.map_err(Error::from);
    put.map_err(|error| error.unless_unique(&["user_name_key"]))?;
    let own = directory_group::Entity::find()
        .select_only()
        .column(directory_group::Column::Id)
        .filter(directory_group::Column::DirectoryId.eq(directory.0));
    let others = directory_member::Entity::delete_many()
        .filter(directory_member::Column::UserId.eq(user.0))
        .filter(directory_member::Column::GroupId.not_in_subquery(own.into_query()));
    sql::run(tx, others).await?;
    Ok(())
}

/// Notes whether a directory says that somebody may sign in.
pub async fn set_active(tx: &Tx, user: UserId, is_active: bool) -> Result<(), Error> {
    let note = Entity::update_many()
        .col_expr(Column::IsActive, is_active.into())
        .filter(Column::UserId.eq(user.0));
    sql::run(tx, note).await?;
    Ok(())
}

/// Whether a directory that has a token says that somebody may not sign in.
pub async fn is_kept_out(db: &impl Db, user: UserId) -> Result<bool, Error> {
    let kept_out = Entity::find_by_id(user.0)
        .joined(Column::DirectoryId, directory::Entity, directory::Column::Id)
        .filter(Column::IsActive.eq(false))
        .filter(Column::RemovedAt.is_null())
        .filter(directory::Column::TokenHash.is_not_null());
    Ok(kept_out.count(db.connection()).await? > 0)
}

/// Notes whether a directory's word alone has disabled an account.
pub async fn set_disabled(tx: &Tx, user: UserId, has_disabled: bool) -> Result<(), Error> {
    let note = Entity::update_many()
        .col_expr(Column::HasDisabled, has_disabled.into())
        .filter(Column::UserId.eq(user.0));
    sql::run(tx, note).await?;
    Ok(())
}

/// Has a directory know somebody no longer; their account stays.
pub async fn remove(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<(), Error> {
    let remove = Entity::update_many()
        .col_expr(Column::RemovedAt, now.into())
        .filter(Column::UserId.eq(user.0));
    sql::run(tx, remove).await?;
    let places =
        directory_member::Entity::delete_many().filter(directory_member::Column::UserId.eq(user.0));
    sql::run(tx, places).await?;
    Ok(())
}

/// Somebody whom a directory knows.
pub async fn find(
    db: &impl Db,
    directory: DirectoryId,
    user: UserId,
) -> Result<Option<Person>, Error> {
    sql::one(db, present(directory).filter(Column::UserId.eq(user.0))).await
}

/// Whom a directory knows, or knew before it removed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub user: UserId,
    pub directory: DirectoryId,
    /// What the directory knows them by.
    pub external_id: Option<String>,
    pub is_removed: bool,
    /// Whether the directory has a token: one that has none does not know anybody any more.
    pub has_token: bool,
}

read_by_columns! {
    Known {
        user: user_id, directory: directory_id, external_id, is_removed: (is_some removed_at),
        has_token
    }
}

/// Whom directories know, or knew before they removed them.
fn known() -> Select<Entity> {
    Entity::find()
        .joined(Column::DirectoryId, directory::Entity, directory::Column::Id)
        .column_as(directory::Column::TokenHash.is_not_null(), "has_token")
}

/// Whom a directory knows by a name or by what it calls them itself, also who was removed from it.
pub async fn find_known(
    db: &impl Db,
    directory: DirectoryId,
    names: &Names,
) -> Result<Option<Known>, Error> {
    let by_name = Column::UserNameKey.eq(key(&names.user_name));
    let is_it = match &names.external_id {
        Some(id) => by_name.or(Column::ExternalId.eq(id.as_str())),
        None => by_name,
    };
    let known = known()
        .filter(Column::DirectoryId.eq(directory.0))
        .filter(is_it)
        // Who is there goes before who was removed.
        .order_by_desc(Column::RemovedAt.is_null())
        .order_by_asc(Column::UserId);
    sql::one(db, known).await
}

/// What a directory knows of somebody, or knew before it removed them, whichever directory it is.
pub async fn find_of_any(db: &impl Db, user: UserId) -> Result<Option<Known>, Error> {
    sql::one(db, known().filter(Column::UserId.eq(user.0))).await
}

/// Whom a provider's directory knows by what it calls them itself.
pub async fn find_by_external_id(
    db: &impl Db,
    provider: &str,
    external_id: &str,
) -> Result<Option<UserId>, Error> {
    let known = Entity::find()
        .select_only()
        .column(Column::UserId)
        .joined(Column::DirectoryId, directory::Entity, directory::Column::Id)
        .filter(directory::Column::Provider.eq(provider))
        .filter(Column::ExternalId.eq(external_id))
        .filter(Column::RemovedAt.is_null());
    // Where it says the same of two, it says nothing.
    let [one] = *sql::all::<UserId>(db, known).await? else { return Ok(None) };
    Ok(Some(one))
}

/// How many people a directory knows that are wanted, and a part of them in the order of their accounts.
pub async fn list(
    db: &impl Db,
    directory: DirectoryId,
    wanted: &Wanted,
    (skipped, most): (u64, u64),
) -> Result<(u64, Vec<Person>), Error> {
    let found = present(directory).filter(wanted.on::<People>());
    let total = found.clone().count(db.connection()).await?;
    let page = found.order_by_asc(Column::UserId).offset(skipped).limit(most);
    Ok((total, sql::all(db, page).await?))
}

/// The groups of people: whose, which, what it is called, and what the directory knows it by.
pub async fn groups(
    db: &impl Db,
    people: &[UserId],
) -> Result<Vec<(UserId, DirectoryGroupId, String, Option<String>)>, Error> {
    use directory_member::Column::{GroupId, UserId};
    let mut groups = Vec::new();
    for chunk in people.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let of_chunk = directory_member::Entity::find()
            .select_only()
            .columns([UserId, GroupId])
            .joined(GroupId, directory_group::Entity, directory_group::Column::Id)
            .columns([directory_group::Column::Name, directory_group::Column::ExternalId])
            .filter(UserId.is_in(chunk.iter().map(|user| user.0)))
            .order_by_asc(GroupId);
        groups.append(&mut sql::all(db, of_chunk).await?);
    }
    Ok(groups)
}

/// What the groups of somebody are called, and what the directory knows them by, of the directory of a
/// provider.
pub async fn group_names(
    db: &impl Db,
    provider: &str,
    user: UserId,
) -> Result<Vec<(String, Option<String>)>, Error> {
    let own = directory_member::Entity::find()
        .select_only()
        .joined(
            directory_member::Column::GroupId,
            directory_group::Entity,
            directory_group::Column::Id,
        )
        .column(directory_group::Column::Name)
        .column(directory_group::Column::ExternalId)
        .filter(directory_member::Column::UserId.eq(user.0))
        .filter(
            directory_group::Column::DirectoryId.in_subquery(
                directory::Entity::find()
                    .select_only()
                    .column(directory::Column::Id)
                    .filter(directory::Column::Provider.eq(provider))
                    .into_query(),
            ),
        );
    sql::all(db, own).await
}

/// Whom a directory knows, with what their accounts say of them.
fn present(directory: DirectoryId) -> Select<Entity> {
    use user_account::Column::{DisabledAt, Email, Id, Name};
    Entity::find()
        .joined(Column::UserId, user_account::Entity, Id)
        .columns([DisabledAt, Email, Name])
        .filter(Column::DirectoryId.eq(directory.0))
        .filter(Column::RemovedAt.is_null())
}
