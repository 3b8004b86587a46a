//! Accounts as administrators see, change and remove them.

use domain::{Account, Page, ProjectId, SearchQuery, UserId};

use crate::{
    account::users,
    base::prelude::*,
    entity::{
        invitation, mail, member, project,
        user_account::{Column, Entity},
    },
    outside::{
        mail::of_person,
        person::{CLASSES, Fate},
    },
};

/// Accounts that somebody signs in with: no placeholders, and none that was made anonymous.
const KNOWN: &str = "NOT user_account.is_placeholder AND user_account.erased_at IS NULL";

const SELECT: &str = "SELECT user_account.id, user_account.name, user_account.email,
           user_account.created_at, user_account.may_create_projects,
           user_account.is_administrator, user_account.disabled_at,
           user_account.second_factor_since IS NOT NULL AS has_second_factor,
           (SELECT MAX(session.last_seen_at) FROM session
            WHERE session.user_id = user_account.id) AS last_seen_at,
           (SELECT COUNT(*) FROM member
            WHERE member.user_id = user_account.id AND member.removed_at IS NULL) AS projects
    FROM user_account";

read_by_columns! {
    Account { id, name, email, created_at, last_seen_on: (day last_seen_at), projects, may_create_projects, is_administrator, disabled_at, has_second_factor }
}

/// The accounts that are looked for, by name.
pub async fn list(db: &impl Db, query: &SearchQuery) -> Result<Page<Account>, Error> {
    let name = "LOWER(user_account.name) LIKE $1 ESCAPE '!'";
    let found = format!("{KNOWN} AND ({name} OR user_account.email LIKE $1 ESCAPE '!')");
    sql::search(db, query, ("user_account", SELECT, &found)).await
}

/// The account with this id, if somebody signs in with it.
pub async fn find(db: &impl Db, id: UserId) -> Result<Option<Account>, Error> {
    // SQL: it is the text of a search, with another condition.
    let found = format!("{SELECT} WHERE {KNOWN} AND user_account.id = $1");
    sql::row(db, &found, [id.0.into()]).await
}

/// Whether there is an account that was not erased: one that somebody signs in with, or a placeholder.
pub async fn is_there(db: &impl Db, id: UserId) -> Result<bool, Error> {
    let there = Entity::find_by_id(id.0).filter(Column::ErasedAt.is_null());
    Ok(there.count(db.connection()).await? > 0)
}

/// Who administers the server; nobody else changes that until the transaction ends.
pub async fn lock(tx: &Tx) -> Result<Vec<UserId>, Error> {
    let administrators = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::IsAdministrator.eq(true))
        .filter(Column::DisabledAt.is_null())
        .lock_exclusive();
    sql::all(tx, administrators).await
}

/// Makes somebody an administrator, or takes that back.
pub async fn set_administrator(tx: &Tx, id: UserId, administers: bool) -> Result<(), Error> {
    users::update(tx, id, Column::IsAdministrator, administers).await
}

/// Lets somebody create projects, or takes that back.
pub async fn set_may_create_projects(tx: &Tx, id: UserId, may: bool) -> Result<(), Error> {
    users::update(tx, id, Column::MayCreateProjects, may).await
}

/// Since when nobody may sign in with an account; none to let them again.
pub async fn set_disabled(tx: &Tx, id: UserId, since: Option<DateTime<Utc>>) -> Result<(), Error> {
    users::update(tx, id, Column::DisabledAt, since).await
}

/// Whether somebody is or was in a project.
pub async fn has_worked(db: &impl Db, id: UserId) -> Result<bool, Error> {
    let places = member::Entity::find().filter(member::Column::UserId.eq(id.0));
    Ok(places.count(db.connection()).await? > 0)
}

/// The names of the projects that only this person manages, in the order of the alphabet. Those that
/// are archived need nobody.
pub async fn managed_alone(db: &impl Db, id: UserId) -> Result<Vec<String>, Error> {
    // SQL: a table under two names.
    sql::rows(
        db,
        "SELECT project.name FROM project JOIN member ON member.project_id = project.id
         WHERE member.user_id = $1 AND member.role = 'manager' AND member.removed_at IS NULL
         AND project.archived_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM member AS other
             WHERE other.project_id = project.id AND other.user_id <> $1
             AND other.role = 'manager' AND other.removed_at IS NULL)
         ORDER BY project.name",
        [id.0.into()],
    )
    .await
}

/// Deletes an account that was never in a project, with its sessions and tokens.
pub async fn delete(tx: &Tx, id: UserId) -> Result<(), Error> {
    forget_address(tx, id).await?;
    Entity::delete_by_id(id.0).exec(tx.connection()).await?;
    Ok(())
}

/// Who an account becomes that is made anonymous.
#[derive(Clone, Copy, Debug)]
pub struct Nobody<'a> {
    pub name: &'a str,
    /// An address that nobody has.
    pub address: &'a str,
    /// What no password has.
    pub hash: &'a str,
}

/// Takes name, address, password, sessions, tokens and memberships from an account; its work stays
/// where it is. The answer is the projects that this moves.
pub async fn erase(
    tx: &Tx,
    id: UserId,
    nobody: Nobody<'_>,
    now: DateTime<Utc>,
) -> Result<Vec<ProjectId>, Error> {
    forget_address(tx, id).await?;
    let deleted = CLASSES.iter().filter(|classes| classes.fate == Fate::Deleted);
    let own: Vec<_> = deleted.map(|classes| classes.table).collect();
    users::delete_of(tx, &own, Expr::col("user_id").eq(id.0)).await?;
    let own = member::Entity::find()
        .select_only()
        .column(member::Column::ProjectId)
        .filter(member::Column::UserId.eq(id.0));
    let mut moving = project::Entity::update_many()
        .col_expr(project::Column::Revision, Expr::col(project::Column::Revision).add(1))
        .filter(project::Column::Id.in_subquery(own.into_query()));
    QueryTrait::query(&mut moving).returning_col(project::Column::Id);
    let moved = sql::all(tx, moving).await?;
    let end = member::Entity::update_many()
        .col_expr(member::Column::RemovedAt, now.into())
        .filter(member::Column::UserId.eq(id.0))
        .filter(member::Column::RemovedAt.is_null());
    sql::run(tx, end).await?;
    let account = Entity::update_many()
        .col_expr(Column::Name, nobody.name.into())
        .col_expr(Column::Email, nobody.address.into())
        .col_expr(Column::PasswordHash, nobody.hash.into())
        .col_expr(Column::Keys, "[]".into())
        .col_expr(Column::MayCreateProjects, false.into())
        .col_expr(Column::IsAdministrator, false.into())
        .col_expr(Column::DisabledAt, now.into())
        .col_expr(Column::ErasedAt, now.into())
        .col_expr(Column::SecondFactorSince, Option::<DateTime<Utc>>::None.into())
        .filter(Column::Id.eq(id.0));
    sql::run(tx, account).await?;
    Ok(moved)
}

/// Takes somebody's address out of invitations: those that are open are deleted, and so is mail with them.
async fn forget_address(tx: &Tx, id: UserId) -> Result<(), Error> {
    use invitation::Column::{AcceptedAt, AcceptedBy, Email};
    let address = Entity::find_by_id(id.0).select_only().column(Column::Email).into_query();
    let open = invitation::Entity::delete_many()
        .filter(AcceptedAt.is_null())
        .filter(Email.in_subquery(address.clone()));
    sql::run(tx, open).await?;
    // Also to an address that they had before, while it is still known.
    let written = of_person(id).or(mail::Column::Address.in_subquery(address.clone()));
    sql::run(tx, mail::Entity::delete_many().filter(written)).await?;
    let used = invitation::Entity::update_many()
        .col_expr(Email, Option::<String>::None.into())
        .filter(AcceptedBy.eq(id.0).or(Email.in_subquery(address)));
    sql::run(tx, used).await?;
    Ok(())
}
