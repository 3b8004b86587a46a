//! The schemas that requests and answers are made of.

use serde_json::Value;

use super::described::{kind, text};
use crate::pages::components::prelude::*;

/// All schemas, each folded to its name.
#[component]
pub(super) fn Schemas(description: &'static Value) -> impl IntoView {
    let schemas = description.pointer("/components/schemas").and_then(Value::as_object);
    let schemas = schemas.into_iter().flatten();
    let schemas = schemas.map(|(name, schema)| view! { <Schema name schema/> });
    view! {
        <Section title_id="schemas" title="Schemas">
            {schemas.collect_view()}
        </Section>
    }
}

#[component]
fn Schema(name: &'static str, schema: &'static Value) -> impl IntoView {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let rows: Vec<_> = properties
        .map(|(name, property)| {
            view! {
                <tr>
                    <th scope="row"><code>{name.as_str()}</code></th>
                    <td>{kind(property)}</td>
                    <td>{text(&property["description"])}</td>
                </tr>
            }
        })
        .collect();
    let inside = if rows.is_empty() {
        view! { <p>{kind(schema)}</p> }
    } else {
        view! {
            <Table label=name>
                {heads([Text("Property"), Text("Kind"), Text("Meaning")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <details class="card operation">
            <summary><h3>{name}</h3></summary>
            <p>{text(&schema["description"])}</p>
            {inside}
        </details>
    }
}
