//! What the description says of each operation, read out of it.

use serde_json::Value;

/// One thing that can be asked.
#[derive(Clone)]
pub(super) struct Operation {
    pub(super) method: String,
    pub(super) path: &'static str,
    pub(super) tag: &'static str,
    pub(super) summary: &'static str,
    pub(super) description: &'static str,
    pub(super) parameters: Vec<Parameter>,
    /// An example of what is sent.
    pub(super) example: Option<String>,
    /// Statuses and what they mean.
    pub(super) responses: Vec<Response>,
}

/// A part of a request.
#[derive(Clone)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    /// "path", "query", "header".
    pub(super) place: &'static str,
    pub(super) kind: String,
    pub(super) description: &'static str,
}

/// What may be answered.
#[derive(Clone)]
pub(super) struct Response {
    pub(super) status: &'static str,
    pub(super) description: &'static str,
    /// The schema of its JSON, or the kind of file.
    pub(super) content: Option<String>,
}

/// All operations, in the order of their paths.
pub(super) fn operations(description: &'static Value) -> Vec<Operation> {
    let paths = description["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, operations)| {
            let operations = operations.as_object().into_iter().flatten();
            operations.map(move |(method, found)| Operation {
                method: method.to_uppercase(),
                path,
                tag: list(&found["tags"]).next().map(text).unwrap_or_default(),
                summary: text(&found["summary"]),
                description: text(&found["description"]),
                parameters: list(&found["parameters"]).map(parameter).collect(),
                example: example(&found["requestBody"]),
                responses: responses(description, &found["responses"]),
            })
        })
        .collect()
}

/// The text, or nothing.
pub(super) fn text(value: &'static Value) -> &'static str {
    value.as_str().unwrap_or_default()
}

fn list(value: &'static Value) -> impl Iterator<Item = &'static Value> {
    value.as_array().into_iter().flatten()
}

fn parameter(found: &'static Value) -> Parameter {
    Parameter {
        name: text(&found["name"]),
        place: text(&found["in"]),
        kind: kind(&found["schema"]),
        description: text(&found["description"]),
    }
}

fn example(body: &'static Value) -> Option<String> {
    let mut contents = body["content"].as_object()?.values();
    contents.find_map(|content| serde_json::to_string_pretty(content.get("example")?).ok())
}

fn responses(description: &'static Value, found: &'static Value) -> Vec<Response> {
    let found = found.as_object().into_iter().flatten();
    found
        .map(|(status, response)| {
            let response = resolved(description, response);
            let content = response["content"].as_object().and_then(|kinds| {
                let (kind_of_file, content) = kinds.iter().next()?;
                let is_json = kind_of_file.contains("json");
                Some(if is_json { kind(&content["schema"]) } else { kind_of_file.clone() })
            });
            Response { status, description: text(&response["description"]), content }
        })
        .collect()
}

/// What a reference within the description stands for.
fn resolved(description: &'static Value, value: &'static Value) -> &'static Value {
    let reference = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    reference.and_then(|pointer| description.pointer(pointer)).unwrap_or(value)
}

/// A schema in a few words: "integer", "list of Label", "string or null".
pub(super) fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or(reference).to_owned();
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        if let Some(kinds) = schema[several].as_array() {
            return kinds.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().map(|value| value.as_str().unwrap_or_default());
        return values.map(|value| format!("“{value}”")).collect::<Vec<_>>().join(", ");
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names = names.iter().map(|name| name.as_str().unwrap_or_default());
            names.collect::<Vec<_>>().join(" or ")
        }
        _ => "anything".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_said_in_a_few_words() {
        assert_eq!(kind(&json!({ "$ref": "#/components/schemas/Label" })), "Label");
        let items = json!({ "type": "array", "items": { "type": "integer" } });
        assert_eq!(kind(&items), "list of integer");
        assert_eq!(kind(&json!({ "type": ["string", "null"] })), "string or null");
        assert_eq!(kind(&json!({ "type": "string", "enum": ["a", "b"] })), "“a”, “b”");
        assert_eq!(kind(&json!({})), "anything");
    }
}
