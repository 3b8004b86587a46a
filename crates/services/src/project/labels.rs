//! A project's label set: add, change and delete labels.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Code, Error as Refusal, Label, LabelDetail, LabelId, NewLabel, ProjectId,
    base::policy::Action,
};
use serde_json::json;

use crate::{
    Error, Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, refuse_unpublished},
    },
};

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
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    check_room(&store::project::labels::list(&change.tx, project).await?, 1)?;
    let id = store::project::labels::create(&change.tx, project, &label).await.map_err(taken)?;
    let detail = json!({ "name": label.name });
    change.end(AuditEvent::CreateLabel, format!("label {id}"), detail).await?;
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
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    if !store::project::labels::save(&change.tx, project, id, &label).await.map_err(taken)? {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({ "name": label.name });
    change.end(AuditEvent::SaveLabel, format!("label {id}"), detail).await
}

/// Changes what is said of a label, its attributes left alone. Spans that break what is forbidden now
/// stay as they are, until their assignment is to be handed in.
pub async fn describe_label(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    detail: LabelDetail,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let detail = detail.checked()?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    if !store::project::label_details::save(&change.tx, project, &detail).await? {
        return Err(Refusal::NotFound.into());
    }
    let subject = format!("label {}", detail.id);
    let detail = json!({ "group": detail.group, "limits": detail.limits });
    change.end(AuditEvent::DescribeLabel, subject, detail).await
}

/// Deletes a label that nobody has used.
pub async fn delete_label(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: LabelId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    refuse_unpublished(&change.tx, project).await?;
    let labels = store::project::labels::list(&change.tx, project).await?;
    let label = labels.into_iter().find(|label| label.id == id).ok_or(Refusal::NotFound)?;
    let attributes = store::project::attributes::list(&change.tx, project).await?;
    let attributes = attributes.iter().filter(|attribute| attribute.label == id).count();
    match store::project::labels::delete(&change.tx, project, id).await {
        Err(store::Error::InUse) => {
            let why = "this label is in use, by people or a model, and cannot be deleted";
            return Err(Code::InUse.because(why).into());
        }
        deleted => {
            if !deleted? {
                return Err(Refusal::NotFound.into());
            }
        }
    }
    let detail = json!({ "name": label.name, "attributes": attributes });
    change.end(AuditEvent::DeleteLabel, format!("label {id}"), detail).await
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
        return Err(
            Code::LimitReached.of("name", format!("a project has at most {MAX_LABELS} labels"))
        );
    }
    Ok(())
}

/// Says which of a label's properties another label has already.
fn taken(error: store::Error) -> Error {
    match error {
        store::Error::Duplicate("hotkey") => {
            Code::Taken.of("hotkey", "another label has this key").into()
        }
        store::Error::Duplicate(_) => Code::Taken.of("name", "another label has this name").into(),
        error => error.into(),
    }
}
