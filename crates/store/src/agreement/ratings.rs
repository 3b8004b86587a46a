//! What raters said about documents: the queries that feed agreement. A copy or a review that
//! nobody has saved yet is no rating.

use std::collections::HashMap;

use domain::{DocumentId, MemberId, ProjectId, Revision, RoundId, Span};
pub use domain::{DocumentRatings, RatedCopy, RatedReview};
use sea_orm::{Value, prelude::DateTimeUtc};

use crate::{
    Db, Error, Snapshot,
    base::{chunks::rows_per_statement, sql},
    review::decisions::{self, ORDER, SELECT},
};

/// What raters said about a document; none if there is no such document.
pub async fn load_document(
    db: &impl Db,
    document: DocumentId,
) -> Result<Option<DocumentRatings>, Error> {
    Ok(load(db, "document.id = $1", &[document.0.into()]).await?.pop())
}

/// What raters said about documents, in the order of their ids; those that there are not are left
/// out.
pub async fn load_documents(
    db: &impl Db,
    documents: &[DocumentId],
) -> Result<Vec<DocumentRatings>, Error> {
    let mut ratings = Vec::with_capacity(documents.len());
    for chunk in documents.chunks(rows_per_statement(db, 1, 0)) {
        let condition = format!("document.id IN ({})", sql::placeholders(chunk.len()));
        let ids: Vec<_> = chunk.iter().map(|document| document.0.into()).collect();
        ratings.extend(load(db, &condition, &ids).await?);
    }
    Ok(ratings)
}

/// What raters said about every document of a project, and the project's revision at that moment;
/// none if there is no such project.
pub async fn load_project(
    snapshot: &Snapshot,
    project: ProjectId,
) -> Result<Option<(Revision, Vec<DocumentRatings>)>, Error> {
    let revision: Option<i64> =
        sql::tuple(snapshot, "SELECT revision FROM project WHERE id = $1", [project.0.into()])
            .await?;
    let Some(revision) = revision else { return Ok(None) };
    let ratings = load(snapshot, "document.project_id = $1", &[project.0.into()]).await?;
    Ok(Some((Revision(revision), ratings)))
}

/// The ratings of all documents that meet a condition on the parameters, written in this module,
/// with the same number of queries however many they are.
async fn load(
    db: &impl Db,
    condition: &str,
    values: &[Value],
) -> Result<Vec<DocumentRatings>, Error> {
    let documents: Vec<(i64, i64, i64)> = sql::tuples(
        db,
        &format!(
            "SELECT document.id, document.round_id, document.characters FROM document
             WHERE {condition} ORDER BY document.id"
        ),
        values.to_vec(),
    )
    .await?;
    let mut copies = load_copies(db, condition, values).await?;
    let mut reviews = load_reviews(db, condition, values).await?;
    documents
        .into_iter()
        .map(|(document, round, characters)| {
            Ok(DocumentRatings {
                document: DocumentId(document),
                round: RoundId(round),
                characters: sql::number(characters)?,
                copies: copies.remove(&document).unwrap_or_default(),
                reviews: reviews.remove(&document).unwrap_or_default(),
            })
        })
        .collect()
}

/// A copy or a review that was saved: id, document, member, state, and when it was saved last.
type SavedRow = (i64, i64, i64, String, DateTimeUtc);

async fn load_copies(
    db: &impl Db,
    condition: &str,
    values: &[Value],
) -> Result<HashMap<i64, Vec<RatedCopy>>, Error> {
    let rows: Vec<(i64, i64, i64, i64)> = sql::tuples(
        db,
        &format!(
            "SELECT span.assignment_id, span.start_at, span.end_at, span.label_id
             FROM span
             JOIN assignment ON assignment.id = span.assignment_id
             JOIN document ON document.id = assignment.document_id
             WHERE {condition} AND assignment.state <> 'open'
             ORDER BY span.assignment_id, span.start_at, span.end_at, span.label_id"
        ),
        values.to_vec(),
    )
    .await?;
    let mut spans: HashMap<i64, Vec<Span>> = HashMap::new();
    for (assignment, start_at, end_at, label_id) in rows {
        spans.entry(assignment).or_default().push(sql::span(start_at, end_at, label_id)?);
    }
    let rows: Vec<SavedRow> = sql::tuples(
        db,
        &format!(
            "SELECT assignment.id, assignment.document_id, assignment.member_id, assignment.state,
                    assignment.saved_at
             FROM assignment JOIN document ON document.id = assignment.document_id
             WHERE {condition} AND assignment.state <> 'open'
             ORDER BY assignment.member_id"
        ),
        values.to_vec(),
    )
    .await?;
    let mut copies: HashMap<i64, Vec<RatedCopy>> = HashMap::new();
    for (id, document, member, state, saved_at) in rows {
        copies.entry(document).or_default().push(RatedCopy {
            member: MemberId(member),
            state: sql::word(&state)?,
            saved_at,
            spans: spans.remove(&id).unwrap_or_default(),
        });
    }
    Ok(copies)
}

async fn load_reviews(
    db: &impl Db,
    condition: &str,
    values: &[Value],
) -> Result<HashMap<i64, Vec<RatedReview>>, Error> {
    let rows = sql::rows(
        db,
        &format!(
            "{SELECT}
             JOIN review ON review.id = decision.review_id
             JOIN document ON document.id = review.document_id
             WHERE {condition} AND review.state <> 'open' {ORDER}"
        ),
        values.to_vec(),
    )
    .await?;
    let mut decisions = decisions::gather(rows)?;
    let rows: Vec<SavedRow> = sql::tuples(
        db,
        &format!(
            "SELECT review.id, review.document_id, review.member_id, review.state,
                    review.saved_at
             FROM review JOIN document ON document.id = review.document_id
             WHERE {condition} AND review.state <> 'open'
             ORDER BY review.member_id"
        ),
        values.to_vec(),
    )
    .await?;
    let mut reviews: HashMap<i64, Vec<RatedReview>> = HashMap::new();
    for (id, document, member, state, saved_at) in rows {
        reviews.entry(document).or_default().push(RatedReview {
            member: MemberId(member),
            state: sql::word(&state)?,
            saved_at,
            decisions: decisions.remove(&id).unwrap_or_default(),
        });
    }
    Ok(reviews)
}
