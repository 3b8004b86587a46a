//! Small files to take away, and the notes in the audit trail that they were.

use domain::{AuditEvent, ProjectId, UserId};
use serde_json::{Value, json};
use store::outside::audit::Audit;

use crate::{Result, Services, base::access::Access};

/// A small file to take away.
pub struct Export {
    pub file_name: String,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    /// What the format could not hold, one sentence each.
    pub losses: Vec<String>,
}

/// An export is an event worth remembering.
pub(crate) async fn record(
    services: &Services,
    access: &Access,
    project: ProjectId,
    event: AuditEvent,
    rows: usize,
) -> Result<()> {
    note(services, project, Some(access.person.id), event, json!({ "rows": rows })).await
}

/// Notes in the audit trail that something was taken away.
pub(crate) async fn note(
    services: &Services,
    project: ProjectId,
    user: Option<UserId>,
    event: AuditEvent,
    detail: Value,
) -> Result<()> {
    let tx = services.store.begin().await?;
    let audit = Audit {
        project: Some(project),
        user,
        at: services.clock.now(),
        event,
        subject: format!("project {project}"),
        detail,
        revision: None,
    };
    store::outside::audit::append(&tx, audit).await?;
    Ok(tx.commit().await?)
}
