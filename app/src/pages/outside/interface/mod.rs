//! The REST interface as a page to read, made of the same description that programs load.

mod described;
mod operation;
mod schemas;

use serde_json::Value;

use self::{described::Operation, operation::OperationView, schemas::Schemas};
use crate::{
    context::{ApiDescription, extension},
    pages::components::prelude::*,
};

#[component]
pub(crate) fn InterfacePage() -> impl IntoView {
    let description = extension::<ApiDescription>().map(|ApiDescription(description)| description);
    let sections = description.ok().map(|description| {
        let operations = described::operations(description);
        let sections = tags(description).map(|(name, what)| {
            let of_tag: Vec<_> = operations.iter().filter(|it| it.tag == name).cloned().collect();
            view! { <Section name what operations=of_tag/> }
        });
        view! { {sections.collect_view()} <Schemas description/> }
    });
    view! {
        <PageBody title="API reference" class="page interface">
            <p>
                "Everything under " <code>"/api/v1"</code> " returns JSON or a file. Machine-readable description: "
                <a href="/api/v1/openapi.json">"OpenAPI 3.1"</a> "."
            </p>
            <p>
                "Programs authenticate with an " <a href="/tokens">"API token"</a> ": "
                <code>"Authorization: Bearer concord_…"</code> "."
            </p>
            {sections}
        </PageBody>
    }
}

/// The names of the sections and what they are about.
fn tags(description: &'static Value) -> impl Iterator<Item = (&'static str, &'static str)> {
    let tags = description["tags"].as_array().into_iter().flatten();
    tags.filter_map(|tag| Some((tag["name"].as_str()?, tag["description"].as_str()?)))
}

/// The operations of a tag.
#[component]
fn Section(name: &'static str, what: &'static str, operations: Vec<Operation>) -> impl IntoView {
    let id = name.to_lowercase().replace(' ', "-");
    let title = id.clone();
    let operations = operations.into_iter().map(|operation| view! { <OperationView operation/> });
    view! {
        <section class="stack" aria-labelledby=id>
            <h2 id=title>{name}</h2>
            <p>{what}</p>
            {operations.collect_view()}
        </section>
    }
}
