//! The attributes of labels, and what is asked of documents: add and change them.

use std::sync::Arc;

use domain::{
    Actor, AttributeId, AuditEvent, Code, Error as Refusal, LabelId, NewAttribute, ProjectId,
    base::policy::Action,
};
use serde_json::json;

use crate::{
    Error, Result, Services,
    base::{access::permit, change::ProjectChange},
};

/// The most attributes that a label has, counted with those that are no longer offered.
pub(crate) const MAX_ATTRIBUTES: usize = 20;

/// Adds an attribute to a label, or to the document.
pub async fn create_attribute(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    label: LabelId,
    attribute: NewAttribute,
) -> Result<AttributeId> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    let present = store::project::attributes::list(&change.tx, project).await?;
    if present.iter().filter(|it| it.label == label).count() >= MAX_ATTRIBUTES {
        return Err(Code::LimitReached
            .of("name", "at most 20 attributes of a label, or questions")
            .into());
    }
    let created = store::project::attributes::create(&change.tx, project, label, &attribute).await;
    let id = created.map_err(taken)?.ok_or(Refusal::NotFound)?;
    let detail = json!({ "label": label, "name": attribute.name });
    change.end(AuditEvent::CreateAttribute, format!("attribute {id}"), detail).await?;
    Ok(id)
}

/// Changes an attribute. What was chosen stays chosen, also what is no longer offered.
pub async fn save_attribute(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: AttributeId,
    attribute: NewAttribute,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    let present = store::project::attributes::list(&change.tx, project).await?;
    let present = present.iter().find(|it| it.id == id).ok_or(Refusal::NotFound)?;
    present.check_becomes(&attribute)?;
    if !store::project::attributes::save(&change.tx, project, id, &attribute)
        .await
        .map_err(taken)?
    {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({
        "name": attribute.name,
        "required": attribute.required,
        "offered": attribute.offered,
    });
    change.end(AuditEvent::SaveAttribute, format!("attribute {id}"), detail).await
}

fn taken(error: store::Error) -> Error {
    match error {
        store::Error::Duplicate(_) => {
            Code::Taken.of("name", "there already is one with this name").into()
        }
        error => error.into(),
    }
}
