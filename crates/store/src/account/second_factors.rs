//! What people sign in with beside their passwords: an app that makes codes, recovery codes, and
//! passkeys, which have a file of their own.
//! Secrets come here sealed, recovery codes as hashes.

use domain::UserId;
use sea_orm::sea_query::{CaseStatement, Func};

use crate::{
    account::passkeys,
    base::prelude::*,
    entity::{
        authenticator_app::{self as app, Entity as Apps},
        passkey,
        recovery_code::{self as code, Entity as Codes},
        user_account,
    },
};

/// An app that makes codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// The one that codes are taken from, with the time when it was set up.
    pub confirmed: Option<(String, DateTime<Utc>)>,
    /// One that is being set up, with the time when that began.
    pub new: Option<(String, DateTime<Utc>)>,
}

/// How many recovery codes somebody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryCodes {
    pub unused: u64,
    pub all: u64,
}

/// The app of an account.
pub async fn find_app(db: &impl Db, user: UserId) -> Result<Option<App>, Error> {
    sql::one(db, Apps::find_by_id(user.0)).await
}

read_by_columns! {
    App { confirmed: (both secret confirmed_at), new: (both new_secret new_at) }
}

/// Begins to set an app up, in the place of one that was never finished. The one that is in use
/// stays until then.
pub async fn begin_app(
    tx: &Tx,
    user: UserId,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let row = app::ActiveModel {
        user_id: Set(user.0),
        new_secret: Set(Some(secret.to_owned())),
        new_at: Set(Some(now)),
        ..Default::default()
    };
    let again = OnConflict::column(app::Column::UserId)
        .update_columns([app::Column::NewSecret, app::Column::NewAt])
        .to_owned();
    sql::run(tx, Apps::insert(row).on_conflict(again)).await?;
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
    let confirm = Apps::update_many()
        .col_expr(app::Column::Secret, Expr::col(app::Column::NewSecret))
        .col_expr(app::Column::ConfirmedAt, now.into())
        .col_expr(app::Column::LastStep, step.into())
        .col_expr(app::Column::NewSecret, Option::<String>::None.into())
        .col_expr(app::Column::NewAt, Option::<DateTime<Utc>>::None.into())
        .filter(app::Column::UserId.eq(user.0))
        .filter(app::Column::NewSecret.eq(secret));
    Ok(sql::run(tx, confirm).await? == 1)
}

/// Uses the code of a step of time up, with those of earlier ones; false if that was done before.
pub async fn use_step(tx: &Tx, user: UserId, step: i64) -> Result<bool, Error> {
    let use_up = Apps::update_many()
        .col_expr(app::Column::LastStep, step.into())
        .filter(app::Column::UserId.eq(user.0))
        .filter(app::Column::LastStep.lt(step))
        .filter(app::Column::Secret.is_not_null());
    Ok(sql::run(tx, use_up).await? == 1)
}

/// Forgets the app of an account; false if it has none.
pub async fn delete_app(tx: &Tx, user: UserId) -> Result<bool, Error> {
    Ok(sql::run(tx, Apps::delete_by_id(user.0)).await? == 1)
}

/// Gives an account recovery codes in the place of those that it had.
pub async fn set_recovery_codes(
    tx: &Tx,
    user: UserId,
    hashes: &[String],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::run(tx, Codes::delete_many().filter(code::Column::UserId.eq(user.0))).await?;
    let rows = hashes.iter().map(|hash| code::ActiveModel {
        user_id: Set(user.0),
        code_hash: Set(hash.clone()),
        created_at: Set(now),
        ..Default::default()
    });
    chunks::insert(tx, rows.collect()).await
}

/// Uses a recovery code up; false if the account has none with this hash, or it was used before.
pub async fn use_recovery_code(
    tx: &Tx,
    user: UserId,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let use_up = Codes::update_many()
        .col_expr(code::Column::UsedAt, now.into())
        .filter(code::Column::UserId.eq(user.0))
        .filter(code::Column::CodeHash.eq(hash))
        .filter(code::Column::UsedAt.is_null());
    Ok(sql::run(tx, use_up).await? == 1)
}

/// How many recovery codes an account has.
pub async fn count_recovery_codes(db: &impl Db, user: UserId) -> Result<RecoveryCodes, Error> {
    let codes = Codes::find()
        .select_only()
        .column_as(code::Column::CodeHash.count(), "codes")
        .column_as(code::Column::UsedAt.count(), "used")
        .filter(code::Column::UserId.eq(user.0));
    let (all, gone): (u64, u64) = sql::one(db, codes).await?.unwrap_or_default();
    Ok(RecoveryCodes { unused: all.saturating_sub(gone), all })
}

/// Whether an account has a second factor is looked up with it: brings that up to date. Recovery
/// codes go with the last one.
pub async fn refresh(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<(), Error> {
    use user_account::Column::{Id, SecondFactorSince};
    let app = Apps::find_by_id(user.0)
        .select_only()
        .column(app::Column::UserId)
        .filter(app::Column::Secret.is_not_null());
    let passkey = passkey::Entity::find()
        .select_only()
        .column(passkey::Column::Id)
        .filter(passkey::Column::UserId.eq(user.0));
    let has_any = Expr::exists(app.into_query()).or(Expr::exists(passkey.into_query()));
    let since = Func::coalesce([Expr::col(SecondFactorSince), now.into()]);
    let set = user_account::Entity::update_many()
        .col_expr(SecondFactorSince, CaseStatement::new().case(has_any, since).into())
        .filter(Id.eq(user.0));
    sql::run(tx, set).await?;
    let has_none = user_account::Entity::find_by_id(user.0)
        .select_only()
        .column(Id)
        .filter(SecondFactorSince.is_null());
    let codes =
        Codes::delete_many().filter(code::Column::UserId.in_subquery(has_none.into_query()));
    sql::run(tx, codes).await?;
    Ok(())
}

/// Takes all second factors from an account.
pub async fn delete_of_user(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<(), Error> {
    delete_app(tx, user).await?;
    passkeys::delete_of_user(tx, user).await?;
    refresh(tx, user, now).await
}
