//! What people sign in with beside their passwords: an app that makes codes, recovery codes, and
//! passkeys, which have a file of their own.
//! Secrets come here sealed, recovery codes as hashes.

use chrono::{DateTime, Utc};
use domain::UserId;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};

use crate::{Db, Error, Tx, account::passkeys, base::sql};

/// An app that makes codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// The one that codes are taken from, with the time when it was set up.
    pub confirmed: Option<(String, DateTime<Utc>)>,
    /// One that is being set up, with the time when that began.
    pub new: Option<(String, DateTime<Utc>)>,
}

#[derive(FromQueryResult)]
struct Row {
    secret: Option<String>,
    confirmed_at: Option<DateTimeUtc>,
    new_secret: Option<String>,
    new_at: Option<DateTimeUtc>,
}

/// How many recovery codes somebody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryCodes {
    pub unused: u64,
    pub all: u64,
}

/// The app of an account.
pub async fn find_app(db: &impl Db, user: UserId) -> Result<Option<App>, Error> {
    let sql = "SELECT secret, confirmed_at, new_secret, new_at FROM authenticator_app
               WHERE user_id = $1";
    let row = sql::row::<Row, _>(db, sql, [user.0.into()]).await?;
    Ok(row.map(|row| App {
        confirmed: row.secret.zip(row.confirmed_at),
        new: row.new_secret.zip(row.new_at),
    }))
}

/// Begins to set an app up, in the place of one that was never finished. The one that is in use
/// stays until then.
pub async fn begin_app(
    tx: &Tx,
    user: UserId,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = "INSERT INTO authenticator_app (user_id, new_secret, new_at) VALUES ($1, $2, $3)
               ON CONFLICT (user_id)
                   DO UPDATE SET new_secret = excluded.new_secret, new_at = excluded.new_at";
    sql::execute(tx, sql, [user.0.into(), secret.into(), now.into()]).await?;
    Ok(())
}

/// Takes codes from the app that was being set up from now on, later ones than that of `step`. False
/// if it is being set up no more.
pub async fn confirm_app(
    tx: &Tx,
    user: UserId,
    secret: &str,
    step: i64,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let sql = "UPDATE authenticator_app
               SET secret = new_secret, confirmed_at = $4, last_step = $3,
                   new_secret = NULL, new_at = NULL
               WHERE user_id = $1 AND new_secret = $2";
    let values = [user.0.into(), secret.into(), step.into(), now.into()];
    Ok(sql::execute(tx, sql, values).await? == 1)
}

/// Uses the code of a step of time up, with those of earlier ones; false if that was done before.
pub async fn use_step(tx: &Tx, user: UserId, step: i64) -> Result<bool, Error> {
    let sql = "UPDATE authenticator_app SET last_step = $2
               WHERE user_id = $1 AND last_step < $2 AND secret IS NOT NULL";
    Ok(sql::execute(tx, sql, [user.0.into(), step.into()]).await? == 1)
}

/// Forgets the app of an account; false if it has none.
pub async fn delete_app(tx: &Tx, user: UserId) -> Result<bool, Error> {
    let sql = "DELETE FROM authenticator_app WHERE user_id = $1";
    Ok(sql::execute(tx, sql, [user.0.into()]).await? == 1)
}

/// Gives an account recovery codes in the place of those that it had.
pub async fn set_recovery_codes(
    tx: &Tx,
    user: UserId,
    hashes: &[String],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::execute(tx, "DELETE FROM recovery_code WHERE user_id = $1", [user.0.into()]).await?;
    for hash in hashes {
        let sql = "INSERT INTO recovery_code (user_id, code_hash, created_at) VALUES ($1, $2, $3)";
        sql::execute(tx, sql, [user.0.into(), hash.as_str().into(), now.into()]).await?;
    }
    Ok(())
}

/// Uses a recovery code up; false if the account has none with this hash, or it was used before.
pub async fn use_recovery_code(
    tx: &Tx,
    user: UserId,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let sql = "UPDATE recovery_code SET used_at = $3
               WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL";
    Ok(sql::execute(tx, sql, [user.0.into(), hash.into(), now.into()]).await? == 1)
}

/// How many recovery codes an account has.
pub async fn count_recovery_codes(db: &impl Db, user: UserId) -> Result<RecoveryCodes, Error> {
    let sql = "SELECT COUNT(*), COUNT(*) - COUNT(used_at) FROM recovery_code WHERE user_id = $1";
    let counts: Option<(i64, i64)> = sql::tuple(db, sql, [user.0.into()]).await?;
    let (all, unused) = counts.unwrap_or_default();
    Ok(RecoveryCodes { unused: sql::number(unused)?, all: sql::number(all)? })
}

/// Whether an account has a second factor is looked up with it: brings that up to date. Recovery
/// codes go with the last one.
pub async fn refresh(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<(), Error> {
    let set = "UPDATE user_account
               SET second_factor_since = CASE
                   WHEN EXISTS (SELECT 1 FROM authenticator_app
                       WHERE user_id = $1 AND secret IS NOT NULL)
                       OR EXISTS (SELECT 1 FROM passkey WHERE user_id = $1)
                   THEN COALESCE(second_factor_since, $2) END
               WHERE id = $1";
    sql::execute(tx, set, [user.0.into(), now.into()]).await?;
    let codes = "DELETE FROM recovery_code WHERE user_id = $1
                 AND EXISTS (SELECT 1 FROM user_account
                     WHERE id = $1 AND second_factor_since IS NULL)";
    sql::execute(tx, codes, [user.0.into()]).await?;
    Ok(())
}

/// Takes all second factors from an account.
pub async fn delete_of_user(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<(), Error> {
    delete_app(tx, user).await?;
    passkeys::delete_of_user(tx, user).await?;
    refresh(tx, user, now).await
}
