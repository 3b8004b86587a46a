//! A trail to take away: JSON Lines, the first row first.

use std::{
    fs::File,
    io::{BufWriter, Seek, SeekFrom, Write},
    sync::Arc,
};

use domain::{Actor, AuditEvent, ProjectId, UserId, base::policy::Action};
use serde_json::{Value, json};
use store::{
    Store,
    outside::audit::{Audit, AuditEntry},
};

use crate::{
    Error, Result, Services,
    base::{
        access::{permit, permit_outside},
        secrets::checksum::in_digits,
    },
};

/// How many rows are written between two looks into the database.
const STRETCH: usize = 500;

/// A trail to take away. It lies in the system's folder for temporary files, has no name there, and
/// goes when this does.
pub struct AuditFile {
    pub file_name: String,
    /// At its beginning.
    pub content: File,
    /// In bytes.
    pub length: u64,
}

/// A project's trail as a file. That it was taken is noted in it.
pub async fn export(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<AuditFile> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    exported(services, Some(project), access.person.id).await
}

/// The server's own trail as a file. That it was taken is noted in it.
pub async fn export_of_server(services: &Arc<Services>, actor: &Actor) -> Result<AuditFile> {
    permit_outside(&services.store, actor, Action::Administer)?;
    exported(services, None, actor.person()?.id).await
}

async fn exported(
    services: &Services,
    project: Option<ProjectId>,
    by: UserId,
) -> Result<AuditFile> {
    let (content, length, rows) = written(&services.store, project).await?;
    let (file_name, subject) = match project {
        Some(project) => (format!("audit-{project}.jsonl"), format!("project {project}")),
        None => ("audit-server.jsonl".to_owned(), "server".to_owned()),
    };
    let tx = services.store.begin().await?;
    let taken = Audit {
        project,
        user: Some(by),
        at: services.clock.now(),
        event: AuditEvent::ExportAudit,
        subject,
        detail: json!({ "rows": rows }),
        revision: None,
    };
    store::outside::audit::append(&tx, taken).await?;
    tx.commit().await?;
    Ok(AuditFile { file_name, content, length })
}

/// Writes a trail into a file, as it is at one moment.
async fn written(store: &Store, project: Option<ProjectId>) -> Result<(File, u64, usize)> {
    let db = store.begin_read().await?;
    let mut out = blocking(|| Ok(BufWriter::new(tempfile::tempfile()?))).await?;
    let (mut last, mut count) = (None, 0);
    loop {
        let rows = store::outside::audit::stretch(&db, project, last, STRETCH).await?;
        let Some(latest) = rows.last() else { break };
        last = Some(latest.place);
        count += rows.len();
        out = blocking(move || {
            for row in rows {
                serde_json::to_writer(&mut out, &line(row))?;
                out.write_all(b"\n")?;
            }
            Ok(out)
        })
        .await?;
    }
    let (content, length) = blocking(move || {
        let mut file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok((file, length))
    })
    .await?;
    Ok((content, length, count))
}

fn line(row: AuditEntry) -> Value {
    let note: Option<Value> = row.note().and_then(|note| serde_json::from_str(note).ok());
    let is_erased = row.is_erased();
    let detail = serde_json::from_str(&row.detail).unwrap_or(Value::String(row.detail));
    json!({
        "place": row.place,
        "at": row.at,
        "user": row.user,
        "name": row.by,
        "event": row.event,
        "subject": row.subject,
        "detail": detail,
        "note": note,
        "erased": is_erased,
        "revision": row.revision,
        "mac": in_digits(&row.mac),
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::broken)?.map_err(Error::broken)
}
