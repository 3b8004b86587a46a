//! What webhooks are told of a project, in the transaction of what has happened.

use chrono::{DateTime, Utc};
use domain::{ProjectId, WebhookEvent};
use serde_json::{Map, Value, json};
use store::Tx;

use crate::{Error, Result};

/// Something that has happened in a project.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: WebhookEvent,
    pub(crate) at: DateTime<Utc>,
    pub(crate) project: ProjectId,
    /// What it is about, by name: ids, names and numbers, and never the text of a document.
    pub(crate) about: Map<String, Value>,
    /// Where to read more, from the address of the site on.
    pub(crate) path: String,
}

impl Event {
    /// The body in JSON.
    pub(crate) fn body(self, project_name: &str) -> Result<String> {
        let mut body = self.about;
        let project = json!({ "id": self.project, "name": project_name });
        body.insert("event".to_owned(), json!(self.kind));
        body.insert("at".to_owned(), json!(self.at));
        body.insert("project".to_owned(), project);
        body.insert("path".to_owned(), json!(self.path));
        serde_json::to_string(&body).map_err(Error::broken)
    }
}

/// What an event is about, by name.
pub(crate) fn about<const N: usize>(parts: [(&str, Value); N]) -> Map<String, Value> {
    parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Queues an event for the webhooks of its project that are told of its kind, in the transaction of what
/// has happened; one question to the database if there are none.
pub(crate) async fn announce(tx: &Tx, event: Event) -> Result<()> {
    let Event { kind, at, project, .. } = event;
    let Some((name, webhooks)) = store::outside::webhooks::told_of(tx, project, kind).await? else {
        return Ok(());
    };
    let body = event.body(&name)?;
    Ok(store::outside::deliveries::enqueue(tx, &webhooks, kind, &body, at).await?)
}
