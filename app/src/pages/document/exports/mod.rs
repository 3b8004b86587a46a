//! What of a project to take away, in which format, and what would be lost by it.

mod lists;
mod preview;

use domain::{
    Documents, ExportChoices, ExportFormat, ExportPreview, ExportQuery, ExportWhat, GoldVersion,
    ProjectId,
};

use self::{lists::Lists, preview::Preview};
use crate::{
    pages::components::{
        agreement::matrix::controls::switch_bar::documents_name, form::choice::Choice, prelude::*,
    },
    query::read,
};

#[component]
pub(crate) fn ExportsPage() -> impl IntoView {
    let project = use_project_id();
    let choices = load_with(move |services, actor| async move {
        services::document::export::choices_of(&services, &actor, project).await
    });
    let what: Option<ExportWhat> = read(&in_query, "what");
    let format: ExportFormat = read(&in_query, "format").unwrap_or_default();
    let documents: Documents = read(&in_query, "documents").unwrap_or_default();
    view! {
        <PageBody title="Export" class="page exports-page">
            <Lead line="Download spans for another tool. Losses are listed before you download." about="losses">
                <p>"What a format cannot hold is listed below and never left out silently. JSON Lines hold every span as it is."</p>
            </Lead>
            <Loaded resource=choices titled=true view=move |choices| {
                let usual = if choices.own { ExportWhat::Own } else { ExportWhat::Labelers };
                let query = ExportQuery { what: what.unwrap_or(usual), format, documents };
                let preview = load_with(move |services, actor| async move { services::document::export::preview(&services, &actor, project, query).await });
                // Whoever has no work of their own manages.
                let is_manager = !choices.own;
                let lists = choices.all.then(|| view! { <Lists project is_manager/> });
                view! {
                    <Ask project query choices/>
                    <Loaded resource=preview titled=true view=move |preview: ExportPreview| view! {
                        <Preview project query preview/>
                    }/>
                    {lists}
                }
            }/>
        </PageBody>
    }
}

/// What to take away, and how: a form whose state is the page's address.
#[component]
fn Ask(project: ProjectId, query: ExportQuery, choices: ExportChoices) -> impl IntoView {
    let ExportQuery { what, format, documents } = query;
    let formats =
        ExportFormat::ALL.iter().map(|format| (format.to_string(), format.title().to_owned()));
    let states = Documents::ALL
        .iter()
        .map(|&documents| (documents.to_string(), documents_name(documents).to_owned()));
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
            <Choice name="documents" text="Documents" choices=states.collect() chosen=documents.to_string()/>
            <div class="actions"><button class="small send">"Preview"</button></div>
        </form>
    }
}

/// Everything that somebody may take away, by the name that the address has for it.
fn sources(choices: ExportChoices) -> Vec<(String, String)> {
    let ExportChoices { own, all, raters, versions } = choices;
    let mut sources = Vec::new();
    if own {
        sources.push((ExportWhat::Own, "My work".to_owned()));
    }
    if all {
        sources.push((ExportWhat::Labelers, "All labelers".to_owned()));
        sources.push((ExportWhat::Gold, "Gold standard (current)".to_owned()));
    }
    sources.extend(versions.into_iter().map(|GoldVersion { number, name, .. }| {
        (ExportWhat::GoldVersion(number), format!("Gold standard, version {number}: {name}"))
    }));
    sources.extend(
        raters
            .into_iter()
            .map(|rater| (ExportWhat::Rater(rater.id), format!("{} ({})", rater.name, rater.role))),
    );
    sources.into_iter().map(|(what, text)| (what.to_string(), text)).collect()
}
