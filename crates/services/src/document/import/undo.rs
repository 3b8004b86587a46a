//! Taking away again what an import has brought.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Code, Error as Refusal, ImportId, ProjectId, base::policy::Action,
};
use serde_json::json;

use super::carrying::decision::decided_to_make;
use crate::{
    Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, unpublished},
    },
};

/// Undoes an import, unless later work hangs on it: the documents, assignments, marks, labels and people
/// that it brought are gone then, as if it had never been. So it is with what has come of one that is certain and
/// that nobody can complete.
pub async fn undo(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: ImportId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    // Nobody saves while it is decided whether somebody has.
    let change = ProjectChange::begin_alone(services, access, project).await?.counted().await?;
    let tx = &change.tx;
    store::document::imports::find(tx, project, id).await?.ok_or(Refusal::NotFound)?;
    let made = match store::document::imports::decided_in(tx, project).await? {
        None => store::document::import_undo::made(tx, project, id).await?,
        // Nobody here is at it any more: what was to come of it does not come.
        Some(decided) if decided == id && services.imports.find(id).is_none() => {
            decided_to_make(tx, id).await?
        }
        Some(decided) => return Err(unpublished(decided).into()),
    };
    let Some(made) = made else {
        return Err(Code::NothingToUndo.because("only a finished import can be undone").into());
    };
    let reasons = store::document::import_undo::dependents(tx, id, &made).await?;
    if !reasons.is_empty() {
        let why = format!("later work depends on this import: {}", reasons.join("; "));
        return Err(Code::InUse.because(why).into());
    }
    match store::document::import_undo::take_away(tx, id, &made).await {
        Err(store::Error::InUse) => {
            let why = "later work depends on this import: one of its labels or questions is \
                       used elsewhere";
            return Err(Code::InUse.because(why).into());
        }
        taken => taken?,
    }
    store::document::imports::end_undone(tx, id, change.at).await?;
    let detail = json!({ "labels": made.labels.len(), "placeholders": made.members.len() });
    change.end(AuditEvent::UndoImport, format!("import {id}"), detail).await
}
