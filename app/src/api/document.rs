//! Server functions for documents and progress.

use domain::{DocumentCard, DocumentId, ImportId, Page, PersonProgress, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// A page of the documents with everybody's progress.
#[server(prefix = "/fn", endpoint = "documents/list_documents")]
pub async fn list_documents(project: ProjectId, page: u64) -> Result<Page<DocumentCard>, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::document::list(&services, &actor, project, page).await)
}

/// How far everybody has come.
#[server(prefix = "/fn", endpoint = "documents/list_progress")]
pub async fn list_progress(project: ProjectId) -> Result<Vec<PersonProgress>, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::document::progress(&services, &actor, project).await)
}

/// Deletes a document with everything that was marked in it. The form is led back to the page of
/// documents that it stands on.
#[server(prefix = "/fn", endpoint = "documents/delete_document")]
pub async fn delete_document(project: ProjectId, document: DocumentId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::document::delete(&services, &actor, project, document).await)
}

/// Takes away again what an import has brought. The form is led back to the page of documents.
#[server(prefix = "/fn", endpoint = "documents/undo_import")]
pub async fn undo_import(project: ProjectId, import: ImportId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(
        services::document::import::undo(&services, &actor, project, import).await,
    )
}
