//! What a directory can learn about this interface by asking it: what is supported, and which attributes are
//! kept.

use http::StatusCode;
use serde_json::{Value, json};
use services::account::scim;

use super::answer::{Asking, written};
use crate::rest::base::extract::{Ask, Reply};

const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";

pub(super) async fn load_config(Ask(services, actor, ()): Ask<()>, asking: Asking) -> Reply {
    scim::check(&services, &actor)?;
    let place = format!("{}/scim/v2/ServiceProviderConfig", asking.shape.site);
    let config = json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": scim::MOST },
        "changePassword": { "supported": false },
        "sort": { "supported": false },
        "etag": { "supported": true },
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "A token made by whoever runs the server",
            "specUri": "https://www.rfc-editor.org/info/rfc6750",
            "primary": true,
        }],
        "meta": { "resourceType": "ServiceProviderConfig", "location": place },
    });
    Ok(written(StatusCode::OK, &config))
}

pub(super) async fn list_types(Ask(services, actor, ()): Ask<()>, asking: Asking) -> Reply {
    scim::check(&services, &actor)?;
    Ok(written(StatusCode::OK, &list(types(&asking.shape.site))))
}

pub(super) async fn load_type(Ask(services, actor, name): Ask<String>, asking: Asking) -> Reply {
    scim::check(&services, &actor)?;
    one_of(types(&asking.shape.site), &name)
}

pub(super) async fn list_schemas(Ask(services, actor, ()): Ask<()>, asking: Asking) -> Reply {
    scim::check(&services, &actor)?;
    Ok(written(StatusCode::OK, &list(schemas(&asking.shape.site))))
}

pub(super) async fn load_schema(Ask(services, actor, name): Ask<String>, asking: Asking) -> Reply {
    scim::check(&services, &actor)?;
    one_of(schemas(&asking.shape.site), &name)
}

fn list(resources: [Value; 2]) -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        "totalResults": resources.len(),
        "startIndex": 1,
        "itemsPerPage": resources.len(),
        "Resources": resources,
    })
}

fn one_of(resources: [Value; 2], name: &str) -> Reply {
    let found = resources.into_iter().find(|resource| {
        resource.get("id").and_then(Value::as_str).is_some_and(|id| id.eq_ignore_ascii_case(name))
    });
    Ok(written(StatusCode::OK, &found.ok_or(domain::Error::NotFound)?))
}

fn types(site: &str) -> [Value; 2] {
    [("User", "/Users", USER), ("Group", "/Groups", GROUP)].map(|(name, endpoint, schema)| {
        let place = format!("{site}/scim/v2/ResourceTypes/{name}");
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
            "id": name,
            "name": name,
            "endpoint": endpoint,
            "schema": schema,
            "meta": { "resourceType": "ResourceType", "location": place },
        })
    })
}

/// An attribute of texts, as schemas describe it.
fn text(name: &str, is_required: bool, uniqueness: &str) -> Value {
    attribute(name, "string", (is_required, "readWrite", uniqueness), Value::Null)
}

fn attribute(
    name: &str,
    kind: &str,
    (is_required, mutability, uniqueness): (bool, &str, &str),
    parts: Value,
) -> Value {
    let mut attribute = json!({
        "name": name,
        "type": kind,
        "multiValued": false,
        "required": is_required,
        "caseExact": false,
        "mutability": mutability,
        "returned": "default",
        "uniqueness": uniqueness,
    });
    if let (Value::Array(_), Some(members)) = (&parts, attribute.as_object_mut()) {
        members.insert("subAttributes".to_owned(), parts);
    }
    attribute
}

/// The same with several values.
fn several(name: &str, mutability: &str, parts: Value) -> Value {
    let mut attribute = attribute(name, "complex", (false, mutability, "none"), parts);
    if let Some(members) = attribute.as_object_mut() {
        members.insert("multiValued".to_owned(), true.into());
    }
    attribute
}

fn schemas(site: &str) -> [Value; 2] {
    let named =
        |parts: &[&str]| -> Value { parts.iter().map(|name| text(name, false, "none")).collect() };
    let truth = |name| attribute(name, "boolean", (false, "readWrite", "none"), Value::Null);
    let reference = json!({
        "name": "$ref", "type": "reference", "multiValued": false, "required": false,
        "caseExact": true, "mutability": "readOnly", "returned": "default",
        "uniqueness": "none", "referenceTypes": ["User", "Group"],
    });
    let email = json!([text("value", true, "none"), text("type", false, "none"), truth("primary")]);
    let place = json!([text("value", true, "none"), reference, text("display", false, "none")]);
    let parts = named(&["formatted", "givenName", "familyName"]);
    let user = json!([
        text("userName", true, "server"),
        text("externalId", false, "none"),
        attribute("name", "complex", (false, "readWrite", "none"), parts),
        text("displayName", false, "none"),
        several("emails", "readWrite", email),
        truth("active"),
        several("groups", "readOnly", place.clone()),
    ]);
    let group = json!([
        text("displayName", true, "server"),
        text("externalId", false, "none"),
        several("members", "readWrite", place),
    ]);
    [("User", USER, user), ("Group", GROUP, group)].map(|(name, schema, attributes)| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
            "id": schema,
            "name": name,
            "description": name,
            "attributes": attributes,
            "meta": { "resourceType": "Schema", "location": format!("{site}/scim/v2/Schemas/{schema}") },
        })
    })
}
