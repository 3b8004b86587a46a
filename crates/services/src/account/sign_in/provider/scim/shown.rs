//! People and groups as a directory is shown them.

use domain::{DirectoryGroupId, Error as Refusal, UserId};
use serde_json::{Map, Value, json};
use store::account::users::directories::{groups::Group, people::Person, wanted::Wanted};

use super::{filter::wanted, profile::Kind};
use crate::base::secrets::token;

/// The most that is told at once.
pub const MOST: u64 = 200;

/// How much is told where nobody says how much.
const USUAL: i64 = 100;

/// Which of several are asked for.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub filter: Option<String>,
    /// The place of the first, from 1.
    pub start_index: Option<i64>,
    pub count: Option<i64>,
}

impl Asked {
    pub(super) fn wanted(&self, kind: Kind) -> Result<Wanted, Refusal> {
        wanted(kind, self.filter.as_deref())
    }

    /// How many are passed over, and how many are told.
    pub(super) fn part(&self) -> (u64, u64) {
        let skipped = self.start_index.unwrap_or(1).saturating_sub(1);
        let count = self.count.unwrap_or(USUAL);
        (u64::try_from(skipped).unwrap_or(0), u64::try_from(count).unwrap_or(0).min(MOST))
    }

    /// The answer with these of so many.
    pub(super) fn list(&self, total: u64, resources: Vec<Value>) -> Value {
        json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
            "totalResults": total,
            "startIndex": self.part().0 + 1,
            "itemsPerPage": resources.len(),
            "Resources": resources,
        })
    }
}

/// How something is shown: where, and which of its attributes.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The address of the site.
    pub site: String,
    /// Only these attributes, if it is said which.
    pub only: Option<Vec<String>>,
    /// All but these.
    pub without: Vec<String>,
}

impl Shape {
    fn place(&self, kind: Kind, id: impl std::fmt::Display) -> String {
        let Self { site, .. } = self;
        match kind {
            Kind::User => format!("{site}/scim/v2/Users/{id}"),
            Kind::Group => format!("{site}/scim/v2/Groups/{id}"),
        }
    }

    /// Whether an attribute is shown.
    pub(super) fn shows(&self, name: &str) -> bool {
        // A part is named with what it is a part of, and shown with all of it.
        let is_it = |said: &String| {
            said.split('.').next().unwrap_or(said).eq_ignore_ascii_case(name)
                || said.rsplit(':').next().unwrap_or(said).eq_ignore_ascii_case(name)
        };
        let always = ["id", "schemas"].contains(&name);
        let chosen = self.only.as_ref().is_none_or(|only| only.iter().any(is_it));
        always || chosen && !self.without.iter().any(is_it)
    }

    /// Somebody, with their groups.
    pub(super) fn user(&self, person: &Person, groups: &[(DirectoryGroupId, String)]) -> Value {
        let names = &person.names;
        let groups: Vec<_> = groups
            .iter()
            .map(|(id, name)| {
                let place = self.place(Kind::Group, id);
                json!({ "value": id.to_string(), "display": name, "$ref": place, "type": "direct" })
            })
            .collect();
        let said = json!({
            "externalId": names.external_id,
            "userName": names.user_name,
            "name": without_missing(json!({
                "formatted": names.formatted_name,
                "givenName": names.given_name,
                "familyName": names.family_name,
            })),
            "displayName": names.display_name.as_ref().unwrap_or(&person.name),
            "emails": [{ "value": person.email, "type": "work", "primary": true }],
            "active": person.is_enabled,
            "groups": groups,
        });
        self.resource(Kind::User, person.user, (person.created_at, person.changed_at), said)
    }

    /// A group, with its members.
    pub(super) fn group(&self, group: &Group, members: &[(UserId, String)]) -> Value {
        let members: Vec<_> = members
            .iter()
            .map(|(user, name)| {
                let place = self.place(Kind::User, user);
                json!({ "value": user.to_string(), "display": name, "$ref": place, "type": "User" })
            })
            .collect();
        let said = json!({
            "externalId": group.external_id,
            "displayName": group.name,
            "members": members,
        });
        self.resource(Kind::Group, group.id, (group.created_at, group.changed_at), said)
    }

    fn resource(
        &self,
        kind: Kind,
        id: impl std::fmt::Display,
        (created_at, changed_at): (chrono::DateTime<chrono::Utc>, chrono::DateTime<chrono::Utc>),
        said: Value,
    ) -> Value {
        let mut resource = without_missing(said);
        // Of all that is said: a version holds until something of it changes, whoever changes it.
        let version = version(&resource);
        resource.insert("schemas".to_owned(), json!([kind.schema()]));
        resource.insert("id".to_owned(), json!(id.to_string()));
        let name = match kind {
            Kind::User => "User",
            Kind::Group => "Group",
        };
        let meta = json!({
            "resourceType": name,
            "created": created_at,
            "lastModified": changed_at,
            "location": self.place(kind, &id),
            "version": version,
        });
        resource.insert("meta".to_owned(), meta);
        Value::Object(resource)
    }

    /// What is left of it, where some attributes are asked for only.
    pub(super) fn cut(&self, resource: Value) -> Value {
        let Value::Object(resource) = resource else { return resource };
        Value::Object(resource.into_iter().filter(|(name, _)| self.shows(name)).collect())
    }
}

/// The version of what is shown (`meta.version`), which is its `ETag`.
pub(super) fn version_of(resource: &Value) -> &str {
    resource.pointer("/meta/version").and_then(Value::as_str).unwrap_or_default()
}

fn version(said: &Map<String, Value>) -> String {
    let text = Value::Object(said.clone()).to_string();
    format!("W/\"{}\"", token::hash(&text))
}

/// The members of an object that have a value.
fn without_missing(object: Value) -> Map<String, Value> {
    let Value::Object(members) = object else { return Map::new() };
    let is_there = |value: &Value| match value {
        Value::Null => false,
        Value::Object(parts) => !parts.is_empty(),
        _ => true,
    };
    members.into_iter().filter(|(_, value)| is_there(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_begins_at_one_and_is_never_more_than_the_most() {
        let part = |start_index, count| Asked { filter: None, start_index, count }.part();
        assert_eq!(part(None, None), (0, 100));
        assert_eq!(part(Some(1), Some(10)), (0, 10));
        assert_eq!(part(Some(11), Some(9_999)), (10, 200));
        assert_eq!(part(Some(0), Some(-1)), (0, 0));
        assert_eq!(part(Some(i64::MIN), Some(i64::MAX)), (0, 200));
    }

    #[test]
    fn attributes_are_shown_as_they_are_asked_for() {
        let said = |only: &[&str], without: &[&str]| Shape {
            site: String::new(),
            only: (!only.is_empty()).then(|| only.iter().map(|it| (*it).to_owned()).collect()),
            without: without.iter().map(|it| (*it).to_owned()).collect(),
        };
        assert!(said(&[], &[]).shows("members"));
        assert!(!said(&[], &["Members"]).shows("members"));
        assert!(said(&["emails.value"], &[]).shows("emails"));
        assert!(
            said(&["urn:ietf:params:scim:schemas:core:2.0:User:userName"], &[]).shows("userName")
        );
        assert!(!said(&["userName"], &[]).shows("emails") && said(&["userName"], &[]).shows("id"));
    }
}
