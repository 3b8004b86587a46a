//! Requests of programs by the key that the program chose, so that the same request sent again gets
//! the same answer.

use std::{future::Future, sync::Arc};

use domain::UserId;
use sea_orm::Condition;

use crate::{
    base::prelude::*,
    entity::answered_request::{self, Column, Entity},
};

tokio::task_local! {
    /// The request that the present task carries out.
    static REQUEST: RequestKey;
}

/// The key of a program's request, with who sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    pub user: UserId,
    pub key: Arc<str>,
}

impl RequestKey {
    /// Carries out a request: each transaction of `work` notes when it commits.
    pub async fn carry_out<F: Future>(self, work: F) -> F::Output {
        REQUEST.scope(self, work).await
    }

    /// The key of the request that the present task carries out, if it has one.
    pub fn of_present_task() -> Option<Self> {
        REQUEST.try_with(Self::clone).ok()
    }

    /// The primary key of its row.
    fn row(&self) -> (i64, String) {
        (self.user.0, (*self.key).to_owned())
    }

    fn is_of_row(&self) -> Expr {
        Column::UserId.eq(self.user.0).and(Column::Key.eq(&*self.key))
    }
}

/// A request that was made under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRequest {
    /// Tells another request under the same key from the same request sent again.
    pub fingerprint: String,
    /// None while it is being carried out, and if nobody knows how it ended.
    pub answer: Option<StoredAnswer>,
    /// Whether a transaction of the request has committed.
    pub has_committed: bool,
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
pub async fn find(db: &impl Db, request: &RequestKey) -> Result<Option<StoredRequest>, Error> {
    sql::one(db, Entity::find_by_id(request.row())).await
}

impl FromRow for StoredRequest {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let answer = match (row.get("status")?, row.get("headers")?, row.get("body")?) {
            (Some(status), Some(Json(headers)), Some(body)) => {
                Some(StoredAnswer { status, headers, body })
            }
            _ => None,
        };
        let (fingerprint, has_committed) = (row.get("fingerprint")?, row.get("has_committed")?);
        Ok(Self { fingerprint, answer, has_committed })
    }
}

/// Takes a key; [`Error::Duplicate`] if it is taken.
pub async fn claim(
    tx: &Tx,
    request: &RequestKey,
    fingerprint: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let (user, key) = request.row();
    let row = answered_request::ActiveModel {
        user_id: Set(user),
        key: Set(key),
        fingerprint: Set(fingerprint.to_owned()),
        status: Set(None),
        headers: Set(None),
        body: Set(None),
        created_at: Set(now),
        has_committed: Set(false),
    };
    let claimed = sql::run(tx, Entity::insert(row)).await;
    claimed.map(|_| ()).map_err(|error| error.unless_unique(&["key"]))
}

/// Keeps the answer to the request under this key.
pub async fn keep(tx: &Tx, request: &RequestKey, answer: &StoredAnswer) -> Result<(), Error> {
    let headers = sql::json(&answer.headers)?;
    Entity::update_many()
        .col_expr(Column::Status, i32::from(answer.status).into())
        .col_expr(Column::Headers, headers.into())
        .col_expr(Column::Body, answer.body.as_str().into())
        .filter(request.is_of_row())
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Notes in a transaction of the work of requests that it has committed: it commits or not together with this.
pub(crate) async fn set_committed(
    db: &impl ConnectionTrait,
    requests: &[RequestKey],
) -> Result<(), Error> {
    let is_one = requests.iter().map(RequestKey::is_of_row).fold(Condition::any(), Condition::add);
    let set = Entity::update_many().col_expr(Column::HasCommitted, true.into()).filter(is_one);
    set.exec(db).await.map(drop).map_err(Error::from)
}

/// Takes the key of a request again that was answered so and of which nothing is stored; returns whether it was
/// one. A commit that is still under way is waited for.
pub async fn claim_again(tx: &Tx, request: &RequestKey, status: u16) -> Result<bool, Error> {
    let claimed = Entity::update_many()
        .col_expr(Column::Status, Option::<i32>::None.into())
        .filter(request.is_of_row())
        .filter(Column::Status.eq(i32::from(status)))
        .filter(Column::HasCommitted.eq(false))
        .exec(tx.connection())
        .await?;
    Ok(claimed.rows_affected == 1)
}

/// Gives a key free again, unless something of its request is stored.
pub async fn release(tx: &Tx, request: &RequestKey) -> Result<(), Error> {
    let unused = Column::HasCommitted.eq(false);
    let delete = Entity::delete_by_id(request.row()).filter(unused);
    delete.exec(tx.connection()).await?;
    Ok(())
}

/// Gives free the keys of requests that were broken off before anything of them was stored; returns how many.
pub async fn release_broken_off(tx: &Tx) -> Result<u64, Error> {
    let unanswered = Entity::delete_many().filter(Column::Status.is_null());
    sql::run(tx, unanswered.filter(Column::HasCommitted.eq(false))).await
}

/// Forgets requests from before `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::CreatedAt.lt(time))).await
}
