//! A project's label set: add, change and delete labels.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Error as Refusal, Label, LabelDetail, LabelId, NewLabel, ProjectId,
    base::policy::Action,
};
use serde_json::json;

use super::{Changed, record};
use crate::{Error, Result, Services, base::access::permit};

/// The most labels that a project has.
const MAX_LABELS: usize = 500;

/// Adds a label at the end of the label set.
pub async fn create_label(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    label: NewLabel,
) -> Result<LabelId> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let label = label.checked()?;
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    check_room(&store::project::labels::list(&tx, project).await?, 1)?;
    let id = store::project::labels::create(&tx, project, &label).await.map_err(taken)?;
    let detail = json!({ "name": label.name });
    let change = Changed { event: AuditEvent::CreateLabel, subject: format!("label {id}"), detail };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(id)
}

/// Changes a label's name, colour or hotkey, everywhere it stands.
pub async fn save_label(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: LabelId,
    label: NewLabel,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let label = label.checked()?;
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    if !store::project::labels::save(&tx, project, id, &label).await.map_err(taken)? {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({ "name": label.name });
    let change = Changed { event: AuditEvent::SaveLabel, subject: format!("label {id}"), detail };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(())
}

/// Changes what is said of a label, its attributes left alone. Spans that break what is forbidden now
/// stay as they are, until their copy is to be handed in.
pub async fn describe_label(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    detail: LabelDetail,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let detail = detail.checked()?;
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    if !store::project::label_details::save(&tx, project, &detail).await? {
        return Err(Refusal::NotFound.into());
    }
    let subject = format!("label {}", detail.id);
    let detail = json!({ "group": detail.group, "limits": detail.limits });
    let change = Changed { event: AuditEvent::DescribeLabel, subject, detail };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(())
}

/// Deletes a label that nobody has used.
pub async fn delete_label(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: LabelId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    match store::project::labels::delete(&tx, project, id).await {
        Err(store::Error::InUse) => {
            let why = "this label has been used; a label that marks or decisions have stays";
            return Err(Refusal::denied(why).into());
        }
        deleted => {
            if !deleted? {
                return Err(Refusal::NotFound.into());
            }
        }
    }
    let change = Changed {
        event: AuditEvent::DeleteLabel,
        subject: format!("label {id}"),
        detail: json!({}),
    };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(())
}

/// Labels with these names to go after the present ones, with colours and hotkeys that follow on.
pub(crate) fn fresh_labels(
    present: &[Label],
    names: impl IntoIterator<Item = String>,
) -> Vec<NewLabel> {
    let taken = |key: &char| present.iter().any(|label| label.hotkey == Some(*key));
    names
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            let label = NewLabel::numbered(name, present.len() + index);
            NewLabel { hotkey: label.hotkey.filter(|key| !taken(key)), ..label }
        })
        .collect()
}

/// Refuses more labels than a project has room for.
pub(crate) fn check_room(present: &[Label], new: usize) -> Result<(), Refusal> {
    if present.len() + new > MAX_LABELS {
        return Err(Refusal::invalid("name", format!("a project has at most {MAX_LABELS} labels")));
    }
    Ok(())
}

/// Says which of a label's properties another label has already.
fn taken(error: store::Error) -> Error {
    match error {
        store::Error::Duplicate("hotkey") => {
            Refusal::invalid("hotkey", "another label has this hotkey").into()
        }
        store::Error::Duplicate(_) => {
            Refusal::invalid("name", "another label has this name").into()
        }
        error => error.into(),
    }
}
