//! What models have marked and answered in the documents of their projects.

use domain::{
    Answer, AttributeId, DocumentId, Fact, ImportId, LabelId, ModelDocumentCard, ModelId,
    ProjectId, Range, Span,
};

use crate::{
    base::prelude::*,
    entity::{model_choice, model_span, model_work},
};

/// What a model has marked and answered in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentOfModel {
    pub document: DocumentId,
    pub saved_at: DateTime<Utc>,
    /// In their order.
    pub facts: Vec<Fact>,
}

/// All work of a model, in the order of the documents.
pub async fn list(db: &impl Db, model: ModelId) -> Result<Vec<DocumentOfModel>, Error> {
    let works = model_work::Entity::find()
        .filter(model_work::Column::ModelId.eq(model.0))
        .order_by_asc(model_work::Column::DocumentId);
    let mut works: Vec<DocumentOfModel> = sql::all(db, works).await?;
    let mut place = 0;
    each_fact(db, "= $1", &[model.0.into()], |document, fact| {
        while works.get(place).is_some_and(|work| work.document < document) {
            place += 1;
        }
        if let Some(work) = works.get_mut(place).filter(|work| work.document == document) {
            work.facts.push(fact);
        }
    })
    .await?;
    for work in &mut works {
        work.facts.sort_unstable();
    }
    Ok(works)
}

/// When a model's work on a document was saved, with what it has marked and answered there, in order; none if it
/// has no work on it.
pub async fn find(
    db: &impl Db,
    model: ModelId,
    document: DocumentId,
) -> Result<Option<(DateTime<Utc>, Vec<Fact>)>, Error> {
    let work = model_work::Entity::find_by_id((model.0, document.0))
        .select_only()
        .column(model_work::Column::SavedAt);
    let Some(saved_at) = sql::one(db, work).await? else { return Ok(None) };
    let mut facts = Vec::new();
    let of = [model.0.into(), document.0.into()];
    each_fact(db, "= $1 AND document_id = $2", &of, |_, fact| facts.push(fact)).await?;
    facts.sort_unstable();
    Ok(Some((saved_at, facts)))
}

/// A span that is marked, or answered about with an answer to an attribute.
type Found = (DocumentId, u32, u32, LabelId, Option<AttributeId>, Option<Answer>);

/// What a model has marked and answered, document by document, those of one in any order.
async fn each_fact(
    db: &impl Db,
    of: &str,
    values: &[Value],
    mut give: impl FnMut(DocumentId, Fact) + Send,
) -> Result<(), Error> {
    // SQL: a union of many rows, which nobody wants in memory twice. An attribute says what it is asked of.
    let select = format!(
        "SELECT document_id, start_at, end_at, label_id,
                CAST(NULL AS BIGINT) AS attribute_id, CAST(NULL AS BIGINT) AS number
         FROM model_span WHERE model_id {of}
         UNION ALL
         SELECT document_id, start_at, end_at,
                CASE WHEN label.is_document THEN 0 ELSE label.id END, attribute_id, number
         FROM model_choice
         JOIN attribute ON attribute.id = model_choice.attribute_id
         JOIN label ON label.id = attribute.label_id
         WHERE model_id {of}
         ORDER BY document_id"
    );
    let fact = |(document, start, end, label, attribute, answer): Found| {
        let span = Span { range: Range::new(start, end), label };
        let chosen = attribute.zip(answer);
        let chosen = chosen.map(|(attribute, answer)| Fact::chosen(span, attribute, answer));
        give(document, chosen.unwrap_or_else(|| span.into()));
    };
    sql::each(db, &select, values.to_vec(), fact).await
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

/// Keeps what a model has in a document, whatever becomes of the import that has brought it.
pub async fn keep(tx: &Tx, model: ModelId, document: DocumentId) -> Result<(), Error> {
    let keep = model_work::Entity::update_many()
        .col_expr(model_work::Column::ImportId, Option::<i64>::None.into())
        .filter(model_work::Column::ModelId.eq(model.0))
        .filter(model_work::Column::DocumentId.eq(document.0));
    sql::run(tx, keep).await?;
    Ok(())
}

/// Makes these what a model has in documents, whole, whatever it had there; [`Error::InUse`] if a document, a label or
/// an attribute is not there. If an import has brought it, that is remembered.
pub async fn replace(
    tx: &Tx,
    model: ModelId,
    works: &[(DocumentId, Vec<Fact>)],
    (now, import): (DateTime<Utc>, Option<ImportId>),
) -> Result<(), Error> {
    for chunk in works.chunks(chunks::rows_per_statement(tx, 1, 1)) {
        // Its spans and answers go with it.
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
    let (mut spans, mut choices) = (Vec::new(), Vec::new());
    for (document, Fact { span: Span { range, label }, choice }) in
        works.iter().flat_map(|(document, facts)| facts.iter().map(move |fact| (document, *fact)))
    {
        let (model_id, document_id) = (Set(model.0), Set(document.0));
        let (start_at, end_at) = (Set(range.start.into()), Set(range.end.into()));
        match choice {
            None => spans.push(model_span::ActiveModel {
                model_id,
                document_id,
                start_at,
                end_at,
                label_id: Set(label.0),
            }),
            Some(choice) => choices.push(model_choice::ActiveModel {
                model_id,
                document_id,
                start_at,
                end_at,
                attribute_id: Set(choice.attribute.0),
                number: Set(choice.answer.stored()),
            }),
        }
    }
    chunks::insert(tx, spans).await.map_err(Error::unless_unused)?;
    chunks::insert(tx, choices).await.map_err(Error::unless_unused)
}

read_by_columns! {
    DocumentOfModel { document: document_id, saved_at, facts: (none) }
    ModelDocumentCard { id, name, characters, saved_at }
}
