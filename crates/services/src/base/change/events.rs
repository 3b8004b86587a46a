//! What webhooks are told of a project, in the transaction of what has happened.

use std::slice;

use chrono::{DateTime, Utc};
use domain::{DeliveryId, MemberId, ProjectId, UserId, WebhookEvent};
use serde_json::{Map, Value, json};
use store::Tx;

use crate::{Error, Result};

/// The parts of what an event is about that are members, each with id and name: one, or a list.
const PEOPLE: [&str; 3] = ["labeler", "raters", "reviewer"];

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

/// Calls somebody otherwise in all that was or is to be sent about them: what was sent can be sent again.
pub(crate) async fn rename(tx: &Tx, user: UserId, name: &str) -> Result<()> {
    let own = store::project::members::of_person(tx, user).await?;
    let (members, projects): (Vec<_>, Vec<_>) = own.into_iter().unzip();
    let mut after = DeliveryId::default();
    loop {
        let bodies = store::outside::deliveries::bodies(tx, &projects, after).await?;
        let Some((last, _)) = bodies.last() else { return Ok(()) };
        after = *last;
        let renamed = |(id, body): &(_, String)| Some((*id, renamed(body, &members, name)?));
        let renamed: Vec<_> = bodies.iter().filter_map(renamed).collect();
        store::outside::deliveries::set_bodies(tx, &renamed).await?;
    }
}

/// A body in which these members have this name; none if it is not about them.
fn renamed(body: &str, members: &[MemberId], name: &str) -> Option<String> {
    let mut body: Map<String, Value> = serde_json::from_str(body).ok()?;
    let mut is_about_them = false;
    for (_, part) in body.iter_mut().filter(|(part, _)| PEOPLE.contains(&part.as_str())) {
        let people = match part {
            Value::Array(people) => people.as_mut_slice(),
            one => slice::from_mut(one),
        };
        for person in people.iter_mut().filter_map(Value::as_object_mut) {
            let id = person.get("id").and_then(Value::as_i64);
            if id.is_some_and(|id| members.contains(&MemberId(id))) {
                person.insert("name".to_owned(), name.into());
                is_about_them = true;
            }
        }
    }
    is_about_them.then(|| Value::Object(body).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_wherever_somebody_is_a_part_of_it() {
        let body = |first, other| {
            let rater = |id, name: &str| json!({ "id": id, "name": name });
            let raters = [rater(1, first), rater(2, other)];
            json!({ "labeler": rater(1, first), "raters": raters, "document": { "id": 1, "name": "one" } })
                .to_string()
        };
        let members = [MemberId(1), MemberId(3)];
        let renamed = |body: &str| renamed(body, &members, "nobody");
        assert_eq!(renamed(&body("Ann", "Ben")), Some(body("nobody", "Ben")));
        assert_eq!(renamed("{\"document\":{\"id\":1,\"name\":\"one\"}}"), None);
        assert_eq!(renamed("no JSON"), None);
    }
}
