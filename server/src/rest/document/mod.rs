//! A project's documents, with how far people have come, and a document with its text.

mod choices;
pub(crate) mod comparison;
mod export;
mod import;
mod reading;
mod soft_labels;

use axum::{Json, extract::OriginalUri};
use domain::{DocumentCard, DocumentId, ProjectId};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    rest::base::{
        extract::{Ask, Query, Reply},
        pages::{ListQuery, Listed},
    },
    site::route::{Declared, route},
};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(comparison::compare, VisitOwn, Compare),
        route!(load, ViewAgreement, Light),
        route!(choices::export_json_lines, ViewAgreement, Export),
        route!(soft_labels::export_json_lines, ViewAgreement, Export),
        route!(soft_labels::export_people, ViewAgreement, Export),
        route!(list, ManageDocuments, Light),
        route!(delete, ManageDocuments, Light),
        route!(export::load, ExportWork, Export),
        route!(export::list_losses, ExportWork, Export),
        route!(export::preview, ExportWork, Export),
        route!(import::list, ManageDocuments, Light),
        route!(import::create, ManageDocuments, Import),
        route!(import::load, ManageDocuments, Light),
        route!(import::cancel, ManageDocuments, Light),
        route!(import::undo, ManageDocuments, Save),
    ]
}

/// List documents
///
/// In the order of their import, with everybody's progress.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/documents", tag = "Documents",
    params(("project" = ProjectId, Path), ListQuery),
    responses((
        status = 200, description = "A page of the documents.", body = Listed<DocumentCard>,
        headers(("Link" = String, description = "Where the next page is.")),
    )),
)]
async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<ListQuery>,
    OriginalUri(asked): OriginalUri,
) -> Reply {
    let (after, limit) = (DocumentId(query.after()?), query.limit()?);
    let documents =
        services::document::list_after(&services, &actor, project, after, limit.into()).await?;
    Ok(Listed::page(documents, limit, |document| document.id.0).answer(&asked))
}

/// A document with its text.
#[derive(Serialize, ToSchema)]
struct Document {
    id: DocumentId,
    project: ProjectId,
    name: String,
    /// The text's length in Unicode scalar values, which is what offsets count.
    characters: u32,
    text: String,
}

/// Get a document
///
/// With its text, for reviewers and managers; labelers find it in their assignment.
#[utoipa::path(
    get, path = "/api/v1/documents/{document}", tag = "Documents",
    params(("document" = DocumentId, Path)),
    responses((status = 200, description = "The document.", body = Document)),
)]
async fn load(Ask(services, actor, document): Ask<DocumentId>) -> Reply<Json<Document>> {
    let found = services::document::load(&services, &actor, document).await?;
    let services::document::Document { id, project, name, text, characters } = found;
    Ok(Json(Document { id, project, name, characters, text }))
}

/// Delete a document
///
/// With everything that was marked in it.
#[utoipa::path(
    delete, path = "/api/v1/projects/{project}/documents/{document}", tag = "Documents",
    params(("project" = ProjectId, Path), ("document" = DocumentId, Path)),
    responses((status = 204, description = "The document is gone.")),
)]
async fn delete(
    Ask(services, actor, (project, document)): Ask<(ProjectId, DocumentId)>,
) -> Reply<StatusCode> {
    services::document::delete(&services, &actor, project, document).await?;
    Ok(StatusCode::NO_CONTENT)
}
