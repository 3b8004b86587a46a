//! Requests of programs by the key that the program chose, so that the same request sent again gets
//! the same answer.

use domain::UserId;

use crate::{
    base::prelude::*,
    entity::answered_request::{self, Column, Entity},
};

/// A request that was made under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRequest {
    /// Tells another request under the same key from the same request sent again.
    pub fingerprint: String,
    /// None while it is being carried out, and if nobody knows how it ended.
    pub answer: Option<StoredAnswer>,
}

/// What a request was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    pub status: u16,
    /// Names and values, as far as they belong to the answer.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// The request that a person made under this key, if there was one.
pub async fn find(db: &impl Db, user: UserId, key: &str) -> Result<Option<StoredRequest>, Error> {
    sql::one(db, Entity::find_by_id((user.0, key.to_owned()))).await
}

impl FromRow for StoredRequest {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let answer = match (row.get("status")?, row.get("headers")?, row.get("body")?) {
            (Some(status), Some(Json(headers)), Some(body)) => {
                Some(StoredAnswer { status, headers, body })
            }
            _ => None,
        };
        Ok(Self { fingerprint: row.get("fingerprint")?, answer })
    }
}

/// Takes a key; [`Error::Duplicate`] if it is taken.
pub async fn claim(
    tx: &Tx,
    user: UserId,
    key: &str,
    fingerprint: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let row = answered_request::ActiveModel {
        user_id: Set(user.0),
        key: Set(key.to_owned()),
        fingerprint: Set(fingerprint.to_owned()),
        status: Set(None),
        headers: Set(None),
        body: Set(None),
        created_at: Set(now),
    };
    let claimed = sql::run(tx, Entity::insert(row)).await;
    claimed.map(|_| ()).map_err(|error| error.unless_unique(&["key"]))
}

/// Keeps the answer to the request under this key.
pub async fn keep(tx: &Tx, user: UserId, key: &str, answer: &StoredAnswer) -> Result<(), Error> {
    let headers = sql::json(&answer.headers)?;
    Entity::update_many()
        .col_expr(Column::Status, i32::from(answer.status).into())
        .col_expr(Column::Headers, headers.into())
        .col_expr(Column::Body, answer.body.as_str().into())
        .filter(Column::UserId.eq(user.0))
        .filter(Column::Key.eq(key))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Gives a key free again.
pub async fn release(tx: &Tx, user: UserId, key: &str) -> Result<(), Error> {
    Entity::delete_by_id((user.0, key.to_owned())).exec(tx.connection()).await?;
    Ok(())
}

/// Forgets requests from before `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::CreatedAt.lt(time))).await
}
