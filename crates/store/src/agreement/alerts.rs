//! Limits on agreement and the alerts that they raise.

use domain::{
    AlertId, AlertRule, AlertRuleId, MemberId, NewAlertRule, ProjectId, Revision, UserId,
};

use crate::{
    base::prelude::*,
    entity::{alert, alert_rule, project},
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
        minimum_n: Set(sql::signed(rule.minimum_n)),
        created_at: Set(now),
        created_by: Set(Some(by.0)),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// Removes a limit with all that it has raised; false if the project has none with this id.
pub async fn remove_rule(tx: &Tx, project: ProjectId, id: AlertRuleId) -> Result<bool, Error> {
    let deleted = alert_rule::Entity::delete_many()
        .filter(alert_rule::Column::Id.eq(id.0))
        .filter(alert_rule::Column::ProjectId.eq(project.0));
    Ok(sql::run(tx, deleted).await? == 1)
}

/// A project's limits, in the order in which they were set.
pub async fn rules(db: &impl Db, project: ProjectId) -> Result<Vec<AlertRule>, Error> {
    let rules = alert_rule::Entity::find()
        .filter(alert_rule::Column::ProjectId.eq(project.0))
        .order_by_asc(alert_rule::Column::Id);
    sql::all(db, rules).await
}

read_by_columns! {
    AlertRule { id, rule: (part), created_at }
}

read_by_columns! {
    NewAlertRule { subject, measure, policy, documents, limit: limit_value, minimum_n }
}

/// The projects that have moved since one of their limits was held against them.
pub async fn due(db: &impl Db) -> Result<Vec<ProjectId>, Error> {
    let of = |column| Expr::col((alert_rule::Entity, column));
    let behind = alert_rule::Entity::find()
        .select_only()
        .column(alert_rule::Column::Id)
        .filter(of(alert_rule::Column::ProjectId).equals((project::Entity, project::Column::Id)))
        .filter(
            of(alert_rule::Column::Evaluated)
                .lt(Expr::col((project::Entity, project::Column::Revision))),
        );
    let due = project::Entity::find()
        .select_only()
        .column(project::Column::Id)
        .filter(project::Column::ArchivedAt.is_null())
        .filter(Expr::exists(behind.into_query()))
        .order_by_asc(project::Column::Id);
    sql::all(db, due).await
}

/// Notes that a limit is held against this revision; false if it was already, or is gone: another
/// process was faster, and what it found stands.
pub async fn claim(tx: &Tx, rule: AlertRuleId, revision: Revision) -> Result<bool, Error> {
    let claim = alert_rule::Entity::update_many()
        .col_expr(alert_rule::Column::Evaluated, revision.0.into())
        .filter(alert_rule::Column::Id.eq(rule.0))
        .filter(alert_rule::Column::Evaluated.lt(revision.0));
    Ok(sql::run(tx, claim).await? == 1)
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
        n: Set(sql::signed(raised.n)),
        revision: Set(raised.revision.0),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// Notes that an alert does not stand any more.
pub async fn clear(tx: &Tx, id: AlertId, now: DateTime<Utc>) -> Result<(), Error> {
    let clear = alert::Entity::update_many()
        .col_expr(alert::Column::ClearedAt, now.into())
        .filter(alert::Column::Id.eq(id.0));
    sql::run(tx, clear).await?;
    Ok(())
}

/// The alerts of a project that stand, the oldest first.
pub async fn standing(db: &impl Db, project: ProjectId) -> Result<Vec<(AlertId, Raised)>, Error> {
    let rules = alert_rule::Entity::find()
        .select_only()
        .column(alert_rule::Column::Id)
        .filter(alert_rule::Column::ProjectId.eq(project.0));
    let standing = alert::Entity::find()
        .filter(alert::Column::RuleId.in_subquery(rules.into_query()))
        .filter(alert::Column::ClearedAt.is_null())
        .order_by_asc(alert::Column::FiredAt)
        .order_by_asc(alert::Column::Id);
    let standing: Vec<Standing> = sql::all(db, standing).await?;
    Ok(standing.into_iter().map(|Standing(id, raised)| (id, raised)).collect())
}

struct Standing(AlertId, Raised);

read_by_columns! {
    Raised { rule: rule_id, pair: (both first_id second_id), fired_at, value, lower, n, revision }
}

impl FromRow for Standing {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self(row.get("id")?, row.part()?))
    }
}
