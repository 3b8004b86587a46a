//! What models have marked in the documents of their projects.

use domain::{DocumentId, ImportId, LabelId, ModelDocumentCard, ModelId, ProjectId, Range, Span};

use crate::{
    base::prelude::*,
    entity::{
        model_span::{self, Column, Entity},
        model_work,
    },
};

/// What a model has marked in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentOfModel {
    pub document: DocumentId,
    pub saved_at: DateTime<Utc>,
    /// In order of position, then label.
    pub spans: Vec<Span>,
}

/// All work of a model, in the order of the documents.
pub async fn list(db: &impl Db, model: ModelId) -> Result<Vec<DocumentOfModel>, Error> {
    let works = model_work::Entity::find()
        .filter(model_work::Column::ModelId.eq(model.0))
        .order_by_asc(model_work::Column::DocumentId);
    let mut works: Vec<DocumentOfModel> = sql::all(db, works).await?;
    let mut place = 0;
    // SQL: many rows, which nobody wants in memory twice.
    sql::each(
        db,
        "SELECT document_id, start_at, end_at, label_id FROM model_span WHERE model_id = $1
         ORDER BY document_id, start_at, end_at, label_id",
        [model.0.into()],
        |(document, start, end, label): (DocumentId, u32, u32, LabelId)| {
            while works.get(place).is_some_and(|work| work.document < document) {
                place += 1;
            }
            if let Some(work) = works.get_mut(place).filter(|work| work.document == document) {
                work.spans.push(Span { range: Range::new(start, end), label });
            }
        },
    )
    .await?;
    Ok(works)
}

/// When a model's work on a document was saved, with what it has marked there; none if it has no work on it.
pub async fn find(
    db: &impl Db,
    model: ModelId,
    document: DocumentId,
) -> Result<Option<(DateTime<Utc>, Vec<Span>)>, Error> {
    let work = model_work::Entity::find_by_id((model.0, document.0))
        .select_only()
        .column(model_work::Column::SavedAt);
    let Some(saved_at) = sql::one(db, work).await? else { return Ok(None) };
    let spans = Entity::find()
        .filter(Column::ModelId.eq(model.0))
        .filter(Column::DocumentId.eq(document.0))
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::LabelId);
    Ok(Some((saved_at, sql::all(db, spans).await?)))
}

/// The documents of a project after this one in the order of their import, at most so many, with when a
/// model's work on them was saved.
pub async fn list_documents(
    db: &impl Db,
    project: ProjectId,
    model: ModelId,
    (after, limit): (DocumentId, u64),
) -> Result<Vec<ModelDocumentCard>, Error> {
    // SQL: an outer join by two columns.
    sql::rows(
        db,
        "SELECT document.id, document.name, document.characters, model_work.saved_at
         FROM document
         LEFT JOIN model_work
             ON model_work.document_id = document.id AND model_work.model_id = $2
         WHERE document.project_id = $1 AND document.id > $3 ORDER BY document.id LIMIT $4",
        [project.0.into(), model.0.into(), after.0.into(), sql::signed(limit).into()],
    )
    .await
}

/// Which of these documents a model has work on.
pub async fn present(
    db: &impl Db,
    model: ModelId,
    documents: &[DocumentId],
) -> Result<Vec<DocumentId>, Error> {
    let mut present = Vec::new();
    for chunk in documents.chunks(chunks::rows_per_statement(db, 1, 1)) {
        let found = model_work::Entity::find()
            .select_only()
            .column(model_work::Column::DocumentId)
            .filter(model_work::Column::ModelId.eq(model.0))
            .filter(model_work::Column::DocumentId.is_in(chunk.iter().map(|id| id.0)));
        let found: Vec<DocumentId> = sql::all(db, found).await?;
        present.extend(found);
    }
    Ok(present)
}

/// Keeps what a model has marked in a document, whatever becomes of the import that has brought it.
pub async fn keep(tx: &Tx, model: ModelId, document: DocumentId) -> Result<(), Error> {
    let keep = model_work::Entity::update_many()
        .col_expr(model_work::Column::ImportId, Option::<i64>::None.into())
        .filter(model_work::Column::ModelId.eq(model.0))
        .filter(model_work::Column::DocumentId.eq(document.0));
    sql::run(tx, keep).await?;
    Ok(())
}

/// Makes these what a model has marked in documents, whole, whatever it had marked there; [`Error::InUse`] if a
/// document or a label is not there. If an import has brought it, that is remembered.
pub async fn replace(
    tx: &Tx,
    model: ModelId,
    works: &[(DocumentId, Vec<Span>)],
    (now, import): (DateTime<Utc>, Option<ImportId>),
) -> Result<(), Error> {
    for chunk in works.chunks(chunks::rows_per_statement(tx, 1, 1)) {
        // Its spans go with it.
        let delete = model_work::Entity::delete_many()
            .filter(model_work::Column::ModelId.eq(model.0))
            .filter(
                model_work::Column::DocumentId.is_in(chunk.iter().map(|(document, _)| document.0)),
            );
        sql::run(tx, delete).await?;
    }
    let rows = works.iter().map(|(document, _)| model_work::ActiveModel {
        model_id: Set(model.0),
        document_id: Set(document.0),
        saved_at: Set(now),
        import_id: Set(import.map(|import| import.0)),
    });
    chunks::insert(tx, rows.collect()).await.map_err(Error::unless_unused)?;
    let spans = works.iter().flat_map(|(document, spans)| {
        spans.iter().map(move |Span { range, label }| model_span::ActiveModel {
            model_id: Set(model.0),
            document_id: Set(document.0),
            start_at: Set(range.start.into()),
            end_at: Set(range.end.into()),
            label_id: Set(label.0),
        })
    });
    chunks::insert(tx, spans.collect()).await.map_err(Error::unless_unused)
}

read_by_columns! {
    DocumentOfModel { document: document_id, saved_at, spans: (none) }
    ModelDocumentCard { id, name, characters, saved_at }
}
