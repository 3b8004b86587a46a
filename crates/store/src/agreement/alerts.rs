//! Limits on agreement and the alerts that they raise.

use chrono::{DateTime, Utc};
use domain::{
    AlertId, AlertRule, AlertRuleId, MemberId, NewAlertRule, ProjectId, Revision, UserId,
};
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, QueryOrder, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::{alert, alert_rule},
};

/// An alert to raise, or one that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raised {
    pub rule: AlertRuleId,
    /// The raters, the lower id first; none for all labelers at once.
    pub pair: Option<(MemberId, MemberId)>,
    pub fired_at: DateTime<Utc>,
    pub value: f64,
    pub lower: f64,
    pub n: u64,
    pub revision: Revision,
}

/// Sets a limit.
pub async fn add_rule(
    tx: &Tx,
    project: ProjectId,
    rule: &NewAlertRule,
    by: UserId,
    now: DateTime<Utc>,
) -> Result<AlertRuleId, Error> {
    let row = alert_rule::ActiveModel {
        project_id: Set(project.0),
        subject: Set(rule.subject.name().to_owned()),
        measure: Set(rule.measure.name().to_owned()),
        policy: Set(rule.policy.name().to_owned()),
        documents: Set(rule.documents.name().to_owned()),
        limit_value: Set(rule.limit),
        minimum_n: Set(i64::try_from(rule.minimum_n).unwrap_or(i64::MAX)),
        created_at: Set(now),
        created_by: Set(Some(by.0)),
        ..Default::default()
    };
    let id = alert_rule::Entity::insert(row).exec(tx.connection()).await?.last_insert_id;
    Ok(AlertRuleId(id))
}

/// Removes a limit with all that it has raised; false if the project has none with this id.
pub async fn remove_rule(tx: &Tx, project: ProjectId, id: AlertRuleId) -> Result<bool, Error> {
    let deleted = alert_rule::Entity::delete_many()
        .filter(alert_rule::Column::Id.eq(id.0))
        .filter(alert_rule::Column::ProjectId.eq(project.0))
        .exec(tx.connection())
        .await?;
    Ok(deleted.rows_affected == 1)
}

/// A project's limits, in the order in which they were set.
pub async fn rules(db: &impl Db, project: ProjectId) -> Result<Vec<AlertRule>, Error> {
    let rows = alert_rule::Entity::find()
        .filter(alert_rule::Column::ProjectId.eq(project.0))
        .order_by_asc(alert_rule::Column::Id)
        .all(db.connection())
        .await?;
    rows.into_iter()
        .map(|row| {
            Ok(AlertRule {
                id: AlertRuleId(row.id),
                rule: NewAlertRule {
                    subject: sql::word(&row.subject)?,
                    measure: sql::word(&row.measure)?,
                    policy: sql::word(&row.policy)?,
                    documents: sql::word(&row.documents)?,
                    limit: row.limit_value,
                    minimum_n: sql::number(row.minimum_n)?,
                },
                created_at: row.created_at,
            })
        })
        .collect()
}

/// The projects that have moved since one of their limits was held against them.
pub async fn due(db: &impl Db) -> Result<Vec<ProjectId>, Error> {
    let ids: Vec<i64> = sql::tuples(
        db,
        "SELECT project.id FROM project
         WHERE project.archived_at IS NULL
         AND EXISTS (SELECT 1 FROM alert_rule WHERE alert_rule.project_id = project.id
                       AND alert_rule.evaluated < project.revision)
         ORDER BY project.id",
        [],
    )
    .await?;
    Ok(ids.into_iter().map(ProjectId).collect())
}

/// Notes that a limit is held against this revision; false if it was already, or is gone: another
/// process was faster, and what it found stands.
pub async fn claim(tx: &Tx, rule: AlertRuleId, revision: Revision) -> Result<bool, Error> {
    let claimed = sql::execute(
        tx,
        "UPDATE alert_rule SET evaluated = $2 WHERE id = $1 AND evaluated < $2",
        [rule.0.into(), revision.0.into()],
    )
    .await?;
    Ok(claimed == 1)
}

/// Raises an alert.
pub async fn fire(tx: &Tx, raised: &Raised) -> Result<AlertId, Error> {
    let row = alert::ActiveModel {
        rule_id: Set(raised.rule.0),
        first_id: Set(raised.pair.map(|(first, _)| first.0)),
        second_id: Set(raised.pair.map(|(_, second)| second.0)),
        fired_at: Set(raised.fired_at),
        cleared_at: Set(None),
        value: Set(raised.value),
        lower: Set(raised.lower),
        n: Set(i64::try_from(raised.n).unwrap_or(i64::MAX)),
        revision: Set(raised.revision.0),
        ..Default::default()
    };
    Ok(AlertId(alert::Entity::insert(row).exec(tx.connection()).await?.last_insert_id))
}

/// Notes that an alert does not stand any more.
pub async fn clear(tx: &Tx, id: AlertId, now: DateTime<Utc>) -> Result<(), Error> {
    sql::execute(tx, "UPDATE alert SET cleared_at = $2 WHERE id = $1", [id.0.into(), now.into()])
        .await?;
    Ok(())
}

/// The alerts of a project that stand, the oldest first.
pub async fn standing(db: &impl Db, project: ProjectId) -> Result<Vec<(AlertId, Raised)>, Error> {
    let rows = sql::rows::<alert::Model, _>(
        db,
        "SELECT alert.* FROM alert JOIN alert_rule ON alert_rule.id = alert.rule_id
         WHERE alert_rule.project_id = $1 AND alert.cleared_at IS NULL
         ORDER BY alert.fired_at, alert.id",
        [project.0.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            let raised = Raised {
                rule: AlertRuleId(row.rule_id),
                pair: row.first_id.map(MemberId).zip(row.second_id.map(MemberId)),
                fired_at: row.fired_at,
                value: row.value,
                lower: row.lower,
                n: sql::number(row.n)?,
                revision: Revision(row.revision),
            };
            Ok((AlertId(row.id), raised))
        })
        .collect()
}
