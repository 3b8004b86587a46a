//! Accounts as administrators see, change and remove them.

use chrono::{DateTime, Utc};
use domain::{Account, Page, ProjectId, SearchQuery, UserId};
use sea_orm::{EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Value, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::user_account::{Column, Entity},
};

/// How many accounts stand on a page.
const SIZE: u64 = 50;

/// Accounts that somebody signs in with: no placeholders, and none that was made anonymous.
const KNOWN: &str = "NOT user_account.is_placeholder AND user_account.erased_at IS NULL";

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    name: String,
    email: String,
    created_at: DateTimeUtc,
    last_seen_at: Option<DateTimeUtc>,
    projects: i64,
    may_create_projects: bool,
    is_administrator: bool,
    disabled_at: Option<DateTimeUtc>,
    second_factor_since: Option<DateTimeUtc>,
}

/// The accounts that are looked for, by name.
pub async fn list(db: &impl Db, query: &SearchQuery) -> Result<Page<Account>, Error> {
    let pattern = sql::containing(&query.search.to_lowercase());
    let found = format!(
        "{KNOWN} AND (LOWER(user_account.name) LIKE $1 ESCAPE '!' OR user_account.email LIKE $1 ESCAPE '!')"
    );
    let count = format!("SELECT COUNT(*) FROM user_account WHERE {found}");
    let total: Option<i64> = sql::tuple(db, &count, [pattern.as_str().into()]).await?;
    let offset = i64::try_from(query.page.saturating_mul(SIZE)).unwrap_or(i64::MAX);
    let size = i64::try_from(SIZE).unwrap_or(i64::MAX);
    let page = format!("{found} ORDER BY user_account.name, user_account.id LIMIT $2 OFFSET $3");
    let rows = select(db, &page, [pattern.into(), size.into(), offset.into()]).await?;
    let total = sql::number(total.unwrap_or_default())?;
    Ok(Page { rows, total, number: query.page, size: SIZE })
}

/// The account with this id, if somebody signs in with it.
pub async fn find(db: &impl Db, id: UserId) -> Result<Option<Account>, Error> {
    let found = format!("{KNOWN} AND user_account.id = $1");
    Ok(select(db, &found, [id.0.into()]).await?.into_iter().next())
}

/// Who administers the server; nobody else changes that until the transaction ends.
pub async fn lock(tx: &Tx) -> Result<Vec<UserId>, Error> {
    let rows = Entity::find()
        .filter(Column::IsAdministrator.eq(true))
        .filter(Column::DisabledAt.is_null())
        .lock_exclusive()
        .all(tx.connection())
        .await?;
    Ok(rows.into_iter().map(|row| UserId(row.id)).collect())
}

/// Makes somebody an administrator, or takes that back.
pub async fn set_administrator(tx: &Tx, id: UserId, administers: bool) -> Result<(), Error> {
    set(tx, id, Column::IsAdministrator, administers).await
}

/// Lets somebody create projects, or takes that back.
pub async fn set_may_create_projects(tx: &Tx, id: UserId, may: bool) -> Result<(), Error> {
    set(tx, id, Column::MayCreateProjects, may).await
}

/// Since when nobody may sign in with an account; none to let them again.
pub async fn set_disabled(tx: &Tx, id: UserId, since: Option<DateTime<Utc>>) -> Result<(), Error> {
    set(tx, id, Column::DisabledAt, since).await
}

async fn set(tx: &Tx, id: UserId, column: Column, value: impl Into<Expr>) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(column, value.into())
        .filter(Column::Id.eq(id.0))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Whether somebody is or was in a project.
pub async fn has_worked(db: &impl Db, id: UserId) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM member WHERE user_id = $1";
    let found: Option<i64> = sql::tuple(db, sql, [id.0.into()]).await?;
    Ok(found.unwrap_or_default() > 0)
}

/// The names of the projects that only this person manages, in the order of the alphabet. Those that
/// are archived need nobody.
pub async fn managed_alone(db: &impl Db, id: UserId) -> Result<Vec<String>, Error> {
    let rows: Vec<(String,)> = sql::tuples(
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
    .await?;
    Ok(rows.into_iter().map(|(name,)| name).collect())
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
    for sql in [
        "DELETE FROM session WHERE user_id = $1",
        "DELETE FROM device WHERE user_id = $1",
        "DELETE FROM password_reset WHERE user_id = $1",
        "DELETE FROM passkey WHERE user_id = $1",
        "DELETE FROM api_token WHERE user_id = $1",
        "DELETE FROM authenticator_app WHERE user_id = $1",
        "DELETE FROM recovery_code WHERE user_id = $1",
        "DELETE FROM save_key WHERE user_id = $1",
        "DELETE FROM answered_request WHERE user_id = $1",
    ] {
        sql::execute(tx, sql, [id.0.into()]).await?;
    }
    let moved: Vec<(i64,)> = sql::tuples(
        tx,
        "UPDATE project SET revision = revision + 1
         WHERE id IN (SELECT project_id FROM member WHERE user_id = $1)
         RETURNING id",
        [id.0.into()],
    )
    .await?;
    let end = "UPDATE member SET removed_at = $2 WHERE user_id = $1 AND removed_at IS NULL";
    sql::execute(tx, end, [id.0.into(), now.into()]).await?;
    sql::execute(
        tx,
        "UPDATE user_account SET name = $2, email = $3, password_hash = $4, keys = '[]',
             may_create_projects = false, is_administrator = false, disabled_at = $5, erased_at = $5,
             second_factor_since = NULL
         WHERE id = $1",
        [id.0.into(), nobody.name.into(), nobody.address.into(), nobody.hash.into(), now.into()],
    )
    .await?;
    Ok(moved.into_iter().map(|(project,)| ProjectId(project)).collect())
}

/// Takes somebody's address out of invitations: those that are open are deleted.
async fn forget_address(tx: &Tx, id: UserId) -> Result<(), Error> {
    let address = "(SELECT email FROM user_account WHERE id = $1)";
    let open = format!("DELETE FROM invitation WHERE accepted_at IS NULL AND email = {address}");
    sql::execute(tx, &open, [id.0.into()]).await?;
    let used =
        format!("UPDATE invitation SET email = NULL WHERE accepted_by = $1 OR email = {address}");
    sql::execute(tx, &used, [id.0.into()]).await?;
    Ok(())
}

/// Accounts; `condition` is made of constants of this module.
async fn select<const N: usize>(
    db: &impl Db,
    condition: &str,
    values: [Value; N],
) -> Result<Vec<Account>, Error> {
    let select = format!(
        "SELECT user_account.id, user_account.name, user_account.email, user_account.created_at,
                (SELECT MAX(session.last_seen_at) FROM session
                 WHERE session.user_id = user_account.id) AS last_seen_at,
                (SELECT COUNT(*) FROM member
                 WHERE member.user_id = user_account.id AND member.removed_at IS NULL) AS projects,
                user_account.may_create_projects, user_account.is_administrator,
                user_account.disabled_at, user_account.second_factor_since
         FROM user_account WHERE {condition}"
    );
    let rows = sql::rows::<Row, _>(db, &select, values).await?;
    rows.into_iter()
        .map(|row| {
            Ok(Account {
                id: UserId(row.id),
                name: row.name,
                email: row.email,
                created_at: row.created_at,
                last_seen_on: row.last_seen_at.map(|at| at.date_naive()),
                projects: sql::number(row.projects)?,
                may_create_projects: row.may_create_projects,
                is_administrator: row.is_administrator,
                disabled_at: row.disabled_at,
                has_second_factor: row.second_factor_since.is_some(),
            })
        })
        .collect()
}
