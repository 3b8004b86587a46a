//! A project's documents: who has come how far with each, adding more, deleting one.

mod import;
mod preview;
mod table;
mod upload;

use domain::{DocumentCard, Page, PersonProgress, ProjectId};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use serde::{Deserialize, Serialize};

use crate::{
    ApiError,
    api::documents::{delete_document, list_documents, list_progress},
    components::{dialog::Confirm, field::refusal, loaded::Loaded},
    loading::load,
    pages::{
        documents::{import::Import, table::DocumentTable},
        project::{ProjectContext, use_project_id},
    },
    query::read_page,
    view::{dynamic, view},
};

/// A page of documents, and the people whose progress it shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Documents {
    page: Page<DocumentCard>,
    people: Vec<PersonProgress>,
}

async fn load_documents(project: ProjectId, page: u64) -> Result<Documents, ApiError> {
    Ok(Documents {
        page: list_documents(project, page).await?,
        people: list_progress(project).await?,
    })
}

#[component]
pub(crate) fn DocumentsPage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let id = use_project_id();
    let query = use_query_map();
    let page = Memo::new(move |_| read_page(|name| query.read().get(name)));
    let documents =
        load(move || (id.get(), page.get()), |(project, page)| load_documents(project, page));

    let doomed = RwSignal::new(None::<DocumentCard>);
    let delete = Action::new(move |document: &DocumentCard| {
        let document = document.id;
        async move {
            let deleted = delete_document(id.get_untracked(), document).await;
            if deleted.is_ok() {
                doomed.set(None);
                documents.refetch();
            }
            deleted
        }
    });
    let on_delete = Callback::new(move |document| {
        delete.clear();
        doomed.set(Some(document));
    });
    let on_import = Callback::new(move |()| {
        documents.refetch();
        // An import may bring new labels.
        project.refetch();
    });
    let name = move || doomed.get().map(|document| document.name);

    view! {
        <Title text="Documents"/>
        <div class="page">
            <h1>"Documents"</h1>
            <Import project=id on_import/>
            <Loaded
                resource=documents
                view=move |Documents { page, people }| view! { <DocumentTable page people on_delete/> }
            />
            <Confirm
                id="delete-document"
                title="Delete this document?"
                open=Signal::derive(move || doomed.read().is_some())
                on_close=Callback::new(move |()| doomed.set(None))
                verb="Delete document"
                on_confirm=Callback::new(move |()| {
                    if let Some(document) = doomed.get_untracked() {
                        delete.dispatch(document);
                    }
                })
                pending=delete.pending()
                refusal=refusal(delete)
            >
                <p>
                    <strong dir="auto">{dynamic(name)}</strong>
                    " will be gone, with everything that labelers and reviewers did in it. Agreement is computed without it from then on. This cannot be undone."
                </p>
            </Confirm>
        </div>
    }
}
