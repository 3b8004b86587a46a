//! A project's documents: who has come how far with each, adding more, deleting one.

pub(crate) mod comparison;
mod earlier;
pub(crate) mod exports;
mod import;
mod import_stage;
mod import_work;
mod preview;
mod raters;
mod reading;
mod table;

use domain::{DocumentCard, ImportRecord, Page, PersonProgress, ProjectId};

use self::{earlier::Earlier, import::Import, table::DocumentTable};
use crate::{
    api::document::{list_documents, list_progress},
    pages::components::prelude::*,
    query::read_page,
};

pub use import_stage::ImportStage;
pub(crate) use preview::ProblemTable;

/// A page of documents, and the people whose progress it shows.
#[derive(Clone)]
struct Documents {
    page: Page<DocumentCard>,
    people: Vec<PersonProgress>,
    imports: Vec<ImportRecord>,
}

async fn load_documents(project: ProjectId, page: u64) -> Result<Documents, ApiError> {
    Ok(Documents {
        page: list_documents(project, page).await?,
        people: list_progress(project).await?,
        imports: list_imports(project).await?,
    })
}

async fn list_imports(project: ProjectId) -> Result<Vec<ImportRecord>, ApiError> {
    let (services, actor) = request()?;
    answer(services::document::import::list(&services, &actor, project).await)
}

#[component]
pub(crate) fn DocumentsPage() -> impl IntoView {
    let project = use_project_id();
    let documents = load(load_documents(project, read_page(in_query)));
    view! {
        <Title text="Documents"/>
        <div class="page">
            <PageHead heading="Documents">
                <a class="button" href=format!("/projects/{project}/work/repeats")>"Repeats"</a>
            </PageHead>
            <Loaded resource=documents titled=true view=move |Documents { page, people, imports }| view! {
                <Import project/>
                <DocumentTable project page people/>
                <Earlier project imports/>
            }/>
        </div>
    }
}
