//! The REST interface described for programs (`OpenAPI` 3.1). Each handler says what is its own; what
//! all have in common, the refusals, headers and ways to say who is asking, is added here.

use app::context::ApiDescription;
use axum::{Extension, Json};
use domain::Code;
use serde_json::{Map, Value, json};
use utoipa::{OpenApi, openapi};

use crate::site::problem;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Concord",
        description = "Text annotation with live inter-annotator agreement. Offsets count Unicode \
                       scalar values, half-open. Times are in UTC.",
    ),
    tags(
        (name = "Projects", description = "Projects."),
        (name = "Members", description = "Members and invitations of a project."),
        (name = "Models", description = "Models, what they say of documents, and their agreement with people."),
        (name = "Documents", description = "Documents and imports."),
        (name = "Assignments", description = "A labeler's own assignments."),
        (name = "Reviews", description = "A reviewer's decisions on labelers' spans."),
        (name = "Agreement", description = "Agreement and what it is computed from."),
        (name = "Exports", description = "Exports."),
        (name = "Webhooks", description = "Signed webhooks."),
        (name = "This interface", description = "This description."),
    ),
    components(schemas(problem::Body)),
)]
struct Described;

/// The whole description, from those of the handlers.
pub(super) fn described(handlers: impl Iterator<Item = openapi::OpenApi>) -> Value {
    let mut described = Described::openapi();
    handlers.for_each(|handler| described.merge(handler));
    completed(serde_json::to_value(described).unwrap_or_default())
}

/// Get this description
#[utoipa::path(
    get, path = "/api/v1/openapi.json", tag = "This interface",
    responses((status = 200, description = "OpenAPI 3.1.", body = Object)),
)]
pub(super) async fn load(
    Extension(ApiDescription(description)): Extension<ApiDescription>,
) -> Json<&'static Value> {
    Json(description)
}

/// How a request is refused: the status, its name here, and when that is.
const PROBLEMS: [(&str, &str, &str); 12] = [
    ("400", "Malformed", "The request cannot be read, or comes with a session and a token."),
    ("401", "Unknown", "Not signed in, or the token is invalid."),
    ("403", "Denied", "Not with this role or this token; `code` says why."),
    ("404", "NotFound", "Not found, or not visible to this account."),
    (
        "409",
        "Conflict",
        "Conflicts with the current state, or a request with this key is in progress; `code` says which.",
    ),
    ("412", "MovedOn", "Changed since the revision in `If-Match`; nothing was changed."),
    ("413", "TooLarge", "The request is too large."),
    ("415", "Unsupported", "Unsupported media type."),
    ("422", "Invalid", "Invalid input; `error` says what."),
    ("428", "RevisionRequired", "`If-Match` is missing."),
    ("429", "TooFast", "Too many requests; `Retry-After` says when to come back."),
    ("503", "TookTooLong", "The answer took too long; it may still be carried out."),
];

/// Refusals that any request may meet.
const ALWAYS: [&str; 8] = ["400", "401", "403", "404", "409", "422", "429", "503"];

/// Headers that say how much is left of an allowance.
const RATE_LIMIT: [(&str, &str); 3] = [
    ("RateLimit-Limit", "Requests allowed per minute."),
    ("RateLimit-Remaining", "Requests left."),
    ("RateLimit-Reset", "Seconds until the limit is full again without requests."),
];

/// The description with what all operations have in common.
fn completed(mut description: Value) -> Value {
    within(&mut description, "components", |components| {
        components.insert("responses".to_owned(), problems());
        components.insert("headers".to_owned(), headers());
        let how = "A token of yours, made on the page /tokens.";
        let token = json!({ "type": "http", "scheme": "bearer", "description": how });
        components.insert("securitySchemes".to_owned(), json!({ "token": token }));
        let code = components.get_mut("schemas").and_then(|schemas| schemas.get_mut("Code"));
        if let Some(code) = code {
            code["description"] = codes().into();
        }
    });
    within(&mut description, "paths", |paths| {
        for (path, operations) in paths {
            for (method, operation) in operations.as_object_mut().into_iter().flatten() {
                operation["operationId"] = operation_id(method, path).into();
                complete(method, operation);
            }
        }
    });
    description
}

/// What programs that are made from the description call an operation: `get_projects_project_labels`.
/// The handlers' own names are alike in many rooms.
fn operation_id(method: &str, path: &str) -> String {
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

/// Changes the object of this name in another, an empty one if there is none.
fn within(value: &mut Value, name: &str, change: impl FnOnce(&mut Map<String, Value>)) {
    let inner = value.as_object_mut().map(|map| map.entry(name).or_insert_with(|| json!({})));
    if let Some(inner) = inner.and_then(Value::as_object_mut) {
        change(inner);
    }
}

/// What each code says, and the status that it comes with.
fn codes() -> String {
    let code = |code: &Code| {
        let name = json!(code);
        let name = name.as_str().unwrap_or_default();
        format!("- `{name}` ({}): {}", code.status(), code.when())
    };
    let lines: Vec<_> = Code::ALL.iter().map(code).collect();
    format!("Which refusal it is.\n\n{}", lines.join("\n"))
}

fn problems() -> Value {
    let problem = |(_, name, when): &(&str, &str, &str)| {
        let schema = json!({ "$ref": "#/components/schemas/Problem" });
        let content = json!({ "application/problem+json": { "schema": schema } });
        ((*name).to_owned(), json!({ "description": when, "content": content }))
    };
    Value::Object(PROBLEMS.iter().map(problem).collect())
}

fn headers() -> Value {
    let number = json!({ "type": "integer", "minimum": 0 });
    let header = |(name, what): &(&str, &str)| {
        ((*name).to_owned(), json!({ "description": what, "schema": number }))
    };
    let mut headers: Map<_, _> = RATE_LIMIT.iter().map(header).collect();
    let what = "Tells this state from all others, for `If-None-Match` and `If-Match`.";
    headers
        .insert("ETag".to_owned(), json!({ "description": what, "schema": { "type": "string" } }));
    Value::Object(headers)
}

/// Adds to an operation what it has in common with others of its kind.
fn complete(method: &str, operation: &mut Value) {
    let is_open = operation["tags"] == json!(["This interface"]);
    let is_change = method != "get";
    let is_json = operation.pointer("/responses/200/content/application~1json").is_some();
    let takes_body = !operation["requestBody"].is_null();
    let is_conditional = has_parameter(operation, "If-Match");
    let mut refusals = ALWAYS.to_vec();
    if is_open {
        operation["security"] = json!([]);
    } else {
        operation["security"] = json!([{ "token": [] }]);
    }
    if is_change {
        add_parameter(
            operation,
            "Idempotency-Key",
            "A name of this request: sent again under the \
            same key, it is carried out once and gets the same answer, for a day.",
            &json!({ "type": "string", "minLength": 8, "maxLength": 64, "pattern": "^[!-~]+$" }),
        );
        refusals.push("413");
    }
    if takes_body {
        refusals.push("415");
    }
    if is_conditional {
        refusals.extend(["412", "428"]);
    }
    if !is_change && is_json {
        add_parameter(
            operation,
            "If-None-Match",
            "The `ETag` of the answer that is known: if it \
            is still that, it is not sent again.",
            &json!({ "type": "string" }),
        );
    }
    within(operation, "responses", |responses| {
        for (status, response) in responses.iter_mut().filter(|(status, _)| status.starts_with('2'))
        {
            let tags = (status == "200" && (is_json || is_conditional)).then_some("ETag");
            let names = RATE_LIMIT.iter().map(|(name, _)| *name).chain(tags);
            within(response, "headers", |headers| {
                for name in names {
                    let header = json!({ "$ref": format!("#/components/headers/{name}") });
                    headers.insert(name.to_owned(), header);
                }
            });
        }
        if !is_change && is_json {
            let known = json!({ "description": "It is still what is known." });
            responses.insert("304".to_owned(), known);
        }
        for (status, name, _) in PROBLEMS.iter().filter(|(status, ..)| refusals.contains(status)) {
            let response = json!({ "$ref": format!("#/components/responses/{name}") });
            responses.insert((*status).to_owned(), response);
        }
    });
}

fn has_parameter(operation: &Value, name: &str) -> bool {
    let parameters = operation["parameters"].as_array();
    parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == name))
}

fn add_parameter(operation: &mut Value, name: &str, description: &str, schema: &Value) {
    let parameter = json!({
        "name": name, "in": "header", "required": false,
        "description": description, "schema": schema,
    });
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
    }
}
