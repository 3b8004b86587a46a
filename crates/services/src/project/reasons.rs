//! A project's reasons for decisions: the list that a manager keeps, and how often each is given.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, AuditEvent, GivenReason, Label, ProjectId, ReasonCounts, ReasonRow,
    base::policy::Action, read_reasons, reason_of,
};
use serde_json::json;

use crate::{
    Result, Services,
    base::{access::permit, change::ProjectChange},
};

/// The project's reasons, for those who decide or manage.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<String>> {
    permit(&services.store, actor, project, Action::Discuss).await?;
    Ok(store::project::reasons::list(&services.store, project).await?)
}

/// Writes other reasons down, one a line. What was given before stays as it was given.
pub async fn save(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    reasons: &str,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let reasons = read_reasons(reasons)?;
    let change = ProjectChange::begin(services, access, project).await?;
    store::project::reasons::save(&change.tx, project, &reasons).await?;
    let detail = json!({ "reasons": reasons });
    change.end(AuditEvent::SaveReasons, format!("project {project}"), detail).await
}

/// How often which reason was given for which label, by all reviewers together.
pub async fn count(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<ReasonCounts> {
    let db = services.store.begin_read().await?;
    permit(&db, actor, project, Action::ViewAgreement).await?;
    let reasons = store::project::reasons::list(&db, project).await?;
    let labels = store::project::labels::list(&db, project).await?;
    let given = |note: &str| match reason_of(note, &reasons) {
        Some(reason) => GivenReason::Listed(reason.to_owned()),
        None if note.is_empty() => GivenReason::None,
        None => GivenReason::Words,
    };
    let listed = reasons.iter().cloned().map(GivenReason::Listed);
    let order: Vec<_> = listed.chain([GivenReason::Words, GivenReason::None]).collect();
    let mut rows: BTreeMap<GivenReason, ReasonRow> = BTreeMap::new();
    for (note, all, rejected) in store::project::reasons::notes(&db, project).await? {
        let row = row(&mut rows, given(&note), &labels);
        row.total += all;
        row.rejected += rejected;
    }
    for (note, label, n) in store::project::reasons::notes_by_label(&db, project).await? {
        let row = row(&mut rows, given(&note), &labels);
        for (column, count) in labels.iter().zip(&mut row.by_label) {
            if column.id == label {
                *count += n;
            }
        }
    }
    let rows = order
        .into_iter()
        .map(|reason| rows.remove(&reason).unwrap_or_else(|| nothing(reason, &labels)));
    Ok(ReasonCounts { rows: rows.collect(), labels })
}

fn row<'a>(
    rows: &'a mut BTreeMap<GivenReason, ReasonRow>,
    reason: GivenReason,
    labels: &[Label],
) -> &'a mut ReasonRow {
    rows.entry(reason.clone()).or_insert_with(|| nothing(reason, labels))
}

fn nothing(reason: GivenReason, labels: &[Label]) -> ReasonRow {
    ReasonRow { reason, by_label: vec![0; labels.len()], rejected: 0, total: 0 }
}
