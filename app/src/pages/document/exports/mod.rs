//! What of a project to take away, in which format, and what would be lost by it.

mod lists;
mod preview;

use domain::{
    Documents, ExportChoices, ExportFormat, ExportPreview, ExportQuery, ExportWhat, GoldVersion,
    ProjectId,
};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{lists::Lists, preview::Preview};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::{
        base::address::in_query,
        components::{choice::Choice, loaded::Loaded},
        project::use_project_id,
    },
    query::read,
    view::view,
};

#[component]
pub(crate) fn ExportsPage() -> impl IntoView {
    let project = use_project_id();
    let choices = load(load_choices(project));
    let what: Option<ExportWhat> = read(&in_query, "what");
    let format: ExportFormat = read(&in_query, "format").unwrap_or_default();
    let documents: Documents = read(&in_query, "documents").unwrap_or_default();
    view! {
        <Title text="Export"/>
        <div class="page wide exports-page">
            <h1>"Export"</h1>
            <p class="how">
                "Spans as a file for another tool. What a format cannot hold is listed below before you take it away, and never left out without saying so. JSON Lines hold every span as it is."
            </p>
            <Loaded resource=choices titled=true view=move |choices| {
                let usual = if choices.own { ExportWhat::Own } else { ExportWhat::Labelers };
                let query = ExportQuery { what: what.unwrap_or(usual), format, documents };
                let preview = load(load_preview(project, query));
                let lists = choices.all.then(|| view! { <Lists project/> });
                view! {
                    <Ask project query choices/>
                    <Loaded resource=preview titled=true view=move |preview: ExportPreview| view! {
                        <Preview project query preview/>
                    }/>
                    {lists}
                }
            }/>
        </div>
    }
}

async fn load_choices(project: ProjectId) -> Result<ExportChoices, ApiError> {
    let (services, actor) = request()?;
    answer(services::document::export::choices_of(&services, &actor, project).await)
}

async fn load_preview(project: ProjectId, query: ExportQuery) -> Result<ExportPreview, ApiError> {
    let (services, actor) = request()?;
    answer(services::document::export::preview(&services, &actor, project, query).await)
}

/// What to take away, and how: a form whose state is the page's address.
#[component]
fn Ask(project: ProjectId, query: ExportQuery, choices: ExportChoices) -> impl IntoView {
    let ExportQuery { what, format, documents } = query;
    let formats =
        ExportFormat::ALL.iter().map(|format| (format.to_string(), format.title().to_owned()));
    let states = Documents::ALL.iter().map(|documents| {
        let text = match documents {
            Documents::Saved => "saved or submitted",
            Documents::Submitted => "submitted",
        };
        (documents.to_string(), text.to_owned())
    });
    view! {
        <form
            class="filters"
            method="get"
            action=format!("/projects/{project}/exports")
            aria-label="What to export"
            data-instant=""
        >
            <Choice name="what" text="What" choices=sources(choices) chosen=what.to_string()/>
            <Choice name="format" text="Format" choices=formats.collect() chosen=format.to_string()/>
            <Choice name="documents" text="Work that is" choices=states.collect() chosen=documents.to_string()/>
            <div class="actions"><button class="small send">"Preview"</button></div>
        </form>
    }
}

/// Everything that somebody may take away, by the name that the address has for it.
fn sources(choices: ExportChoices) -> Vec<(String, String)> {
    let ExportChoices { own, all, raters, versions } = choices;
    let mut sources = Vec::new();
    if own {
        sources.push((ExportWhat::Own, "My own work".to_owned()));
    }
    if all {
        sources.push((ExportWhat::Labelers, "The work of all labelers".to_owned()));
        sources.push((ExportWhat::Gold, "The gold standard as it is now".to_owned()));
    }
    sources.extend(versions.into_iter().map(|GoldVersion { number, name, .. }| {
        (ExportWhat::GoldVersion(number), format!("Gold standard, version {number}: {name}"))
    }));
    sources.extend(raters.into_iter().map(|rater| {
        (ExportWhat::Rater(rater.id), format!("The work of {} ({})", rater.name, rater.role))
    }));
    sources.into_iter().map(|(what, text)| (what.to_string(), text)).collect()
}
