//! The REST interface as a page to read, made of the same description that programs load.

mod described;
mod operation;
mod schemas;

use leptos::prelude::*;
use leptos_meta::Title;
use serde_json::Value;

use self::{described::Operation, operation::OperationView, schemas::Schemas};
use crate::{
    context::{ApiDescription, extension},
    view::view,
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
        <Title text="What programs can ask"/>
        <div class="page interface">
            <h1>"What programs can ask"</h1>
            <p>
                "Everything under " <code>"/api/v1"</code> " is answered in JSON or with a file. The same description for programs: "
                <a href="/api/v1/openapi.json">"OpenAPI 3.1"</a> "."
            </p>
            <p>
                "A program says who is asking with a " <a href="/tokens">"token of yours"</a> ": "
                <code>"Authorization: Bearer concord_…"</code> "."
            </p>
            {sections}
        </div>
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
