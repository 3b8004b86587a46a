//! The reviewers' decisions, at most one of each reviewer on a position.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::{Decision, DecisionChange, LabelId, LabelSet, Range, ReviewId};
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, EntityTrait, FromQueryResult, Iterable, QueryFilter,
    QueryTrait, prelude::*,
};

use crate::{
    Db, Error, Tx,
    chunks::{self, rows_per_statement},
    db::Connected,
    entity::{
        decision::{self, Column, Entity},
        decision_label,
    },
    sql,
};

/// A decision with one of its labels; a reject has one such row without a label.
#[derive(FromQueryResult)]
pub(crate) struct Row {
    pub(crate) review_id: i64,
    id: i64,
    start_at: i64,
    end_at: i64,
    verdict: String,
    decided_at: DateTimeUtc,
    label_id: Option<i64>,
}

/// The columns of a [`Row`], and where they come from.
pub(crate) const SELECT: &str = "SELECT decision.review_id, decision.id, decision.start_at,
           decision.end_at, decision.verdict, decision.decided_at, decision_label.label_id
    FROM decision LEFT JOIN decision_label ON decision_label.decision_id = decision.id";

/// The order that [`gather`] needs.
pub(crate) const ORDER: &str =
    "ORDER BY decision.review_id, decision.start_at, decision.end_at, decision_label.label_id";

/// Puts the labels of each decision together, and the decisions of each review.
pub(crate) fn gather(rows: Vec<Row>) -> Result<HashMap<i64, Vec<Decision>>, Error> {
    let mut reviews: HashMap<i64, Vec<Decision>> = HashMap::new();
    let mut last = None;
    for row in rows {
        let decisions = reviews.entry(row.review_id).or_default();
        if last != Some(row.id) {
            last = Some(row.id);
            decisions.push(Decision {
                range: sql::range(row.start_at, row.end_at)?,
                verdict: sql::word(&row.verdict)?,
                labels: LabelSet::EMPTY,
                decided_at: row.decided_at,
            });
        }
        if let (Some(decision), Some(label)) = (decisions.last_mut(), row.label_id) {
            decision.labels.insert(LabelId(label));
        }
    }
    Ok(reviews)
}

/// A review's decisions in order of position.
pub async fn list(db: &impl Db, review: ReviewId) -> Result<Vec<Decision>, Error> {
    let select = format!("{SELECT} WHERE decision.review_id = $1 {ORDER}");
    let rows = sql::rows(db, &select, [review.0.into()]).await?;
    Ok(gather(rows)?.remove(&review.0).unwrap_or_default())
}

/// Puts the new decisions in the place of those on the same positions; a change without a
/// decision only takes the present one back. No position may occur twice.
pub async fn replace(
    tx: &Tx,
    review: ReviewId,
    changes: &[DecisionChange],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    delete(tx, review, changes).await?;
    let mut labels = Vec::new();
    let decided: Vec<_> = changes
        .iter()
        .filter_map(|change| change.decision.as_ref().map(|decision| (change.range, decision)))
        .collect();
    for chunk in decided.chunks(rows_per_statement(tx, Column::iter().count(), 0)) {
        let rows = chunk.iter().map(|(range, (verdict, _))| decision::ActiveModel {
            review_id: Set(review.0),
            start_at: Set(range.start.into()),
            end_at: Set(range.end.into()),
            verdict: Set(verdict.name().to_owned()),
            decided_at: Set(now),
            ..Default::default()
        });
        let ids = insert(tx, rows).await?;
        for (range, (_, given)) in chunk {
            let id = ids.get(range).ok_or_else(|| Error::unreadable("a lost decision"))?;
            labels.extend(given.iter().map(|label| decision_label::ActiveModel {
                decision_id: Set(*id),
                label_id: Set(label.0),
            }));
        }
    }
    Ok(chunks::insert(tx, labels).await?)
}

async fn delete(tx: &Tx, review: ReviewId, changes: &[DecisionChange]) -> Result<(), Error> {
    for chunk in changes.chunks(rows_per_statement(tx, 2, 1)) {
        let wanted =
            chunk.iter().map(|change| (i64::from(change.range.start), i64::from(change.range.end)));
        Entity::delete_many()
            .filter(Column::ReviewId.eq(review.0))
            .filter(chunks::among([Column::StartAt, Column::EndAt], wanted))
            .exec(tx.connection())
            .await?;
    }
    Ok(())
}

/// Inserts decisions and returns their ids by position.
async fn insert(
    tx: &Tx,
    rows: impl IntoIterator<Item = decision::ActiveModel>,
) -> Result<HashMap<Range, i64>, Error> {
    let mut insert = Entity::insert_many(rows).into_query();
    insert.returning_all();
    let inserted = tx
        .connection()
        .query_all(&insert)
        .await
        .map_err(|error| Error::unless_unique(&["decision"], error))?;
    inserted
        .iter()
        .map(|row| {
            let row = decision::Model::from_query_result(row, "")?;
            Ok((sql::range(row.start_at, row.end_at)?, row.id))
        })
        .collect()
}
