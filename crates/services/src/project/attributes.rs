//! The attributes of labels: add and change them.

use std::sync::Arc;

use domain::{
    Actor, AttributeId, AuditEvent, Error as Refusal, LabelId, NewAttribute, ProjectId,
    base::policy::Action,
};
use serde_json::json;

use super::{Changed, record};
use crate::{Error, Result, Services, base::access::permit};

/// The most attributes that a label has, counted with those that are no longer offered.
const MAX_ATTRIBUTES: usize = 20;

/// Adds an attribute to a label.
pub async fn create_attribute(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    label: LabelId,
    attribute: NewAttribute,
) -> Result<AttributeId> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    let present = store::project::attributes::list(&tx, project).await?;
    if present.iter().filter(|it| it.label == label).count() >= MAX_ATTRIBUTES {
        return Err(Refusal::invalid("name", "a label has at most 20 attributes").into());
    }
    let created = store::project::attributes::create(&tx, project, label, &attribute).await;
    let id = created.map_err(taken)?.ok_or(Refusal::NotFound)?;
    let detail = json!({ "label": label, "name": attribute.name });
    let change =
        Changed { event: AuditEvent::CreateAttribute, subject: format!("attribute {id}"), detail };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
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
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    if !store::project::attributes::save(&tx, project, id, &attribute).await.map_err(taken)? {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({
        "name": attribute.name,
        "required": attribute.required,
        "offered": attribute.offered,
    });
    let change =
        Changed { event: AuditEvent::SaveAttribute, subject: format!("attribute {id}"), detail };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(())
}

fn taken(error: store::Error) -> Error {
    match error {
        store::Error::Duplicate(_) => {
            Refusal::invalid("name", "this label has an attribute of this name").into()
        }
        error => error.into(),
    }
}
