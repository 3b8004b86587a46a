//! What raters said about documents: the queries that feed agreement. An assignment or a review that
//! nobody has saved yet is no rating.

use std::collections::HashMap;

use domain::{
    Answer, AttributeId, DecidedAnswer, Decision, DocumentId, Fact, LabelId, MemberId, ProjectId,
    ReviewId, Revision, Span, WorkState,
};
pub use domain::{DocumentRatings, RatedAssignment, RatedReview};

use crate::{
    Snapshot,
    base::chunks::rows_per_statement,
    base::prelude::*,
    entity::project::{Column, Entity as Projects},
    review::{
        answers,
        decisions::{self, ORDER, SELECT},
    },
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
    let Some(mut rest) = ProjectRatings::of(snapshot, project).await? else { return Ok(None) };
    let mut ratings = Vec::new();
    while let Some(piece) = rest.next().await? {
        ratings.extend(piece);
    }
    Ok(Some((rest.revision, ratings)))
}

/// How many documents of a project are read at once.
const PIECE: usize = 4096;

/// What raters said about a project's documents, piece by piece: all at once would take more memory than
/// what is counted of it.
#[derive(Debug)]
pub struct ProjectRatings<'a> {
    snapshot: &'a Snapshot,
    project: ProjectId,
    /// The project's revision that all of it belongs to.
    pub revision: Revision,
    /// The last document that was read; none once all were.
    after: Option<DocumentId>,
}

impl<'a> ProjectRatings<'a> {
    /// Before the first piece; none if there is no such project.
    pub async fn of(snapshot: &'a Snapshot, project: ProjectId) -> Result<Option<Self>, Error> {
        let found = Projects::find_by_id(project.0).select_only().column(Column::Revision);
        let Some(revision) = sql::one(snapshot, found).await? else { return Ok(None) };
        Ok(Some(Self { snapshot, project, revision, after: Some(DocumentId(0)) }))
    }

    /// The next piece, in the order of documents' ids, with the same number of queries however large it is;
    /// none after the last one.
    pub async fn next(&mut self) -> Result<Option<Vec<DocumentRatings>>, Error> {
        let Some(after) = self.after else { return Ok(None) };
        let next = "document.project_id = $1 AND document.id > $2";
        let mut ids = vec![self.project.0.into(), after.0.into()];
        let mut ratings = documents(self.snapshot, next, &ids, Some(PIECE)).await?;
        let last = ratings.last().map(|ratings| ratings.document);
        self.after = last.filter(|_| ratings.len() == PIECE);
        let Some(last) = last else { return Ok(None) };
        ids.push(last.0.into());
        fill(self.snapshot, &format!("{next} AND document.id <= $3"), &ids, &mut ratings).await?;
        Ok(Some(ratings))
    }
}

/// The ratings of all documents that meet a condition on the parameters, written in this module,
/// with the same number of queries however many they are.
async fn load(
    db: &impl Db,
    condition: &str,
    values: &[Value],
) -> Result<Vec<DocumentRatings>, Error> {
    let mut ratings = documents(db, condition, values, None).await?;
    fill(db, condition, values, &mut ratings).await?;
    Ok(ratings)
}

/// The first documents that meet a condition, in the order of their ids, without what was said of them.
async fn documents(
    db: &impl Db,
    condition: &str,
    values: &[Value],
    most: Option<usize>,
) -> Result<Vec<DocumentRatings>, Error> {
    let limit = most.map_or_else(String::new, |most| format!(" LIMIT {most}"));
    // SQL: a condition that others in this module have, too.
    let documents = format!(
        "SELECT document.id, document.round_id, document.characters FROM document
         WHERE {condition} ORDER BY document.id{limit}"
    );
    let mut ratings = Vec::new();
    let add = |(document, round, characters)| {
        let (assignments, reviews) = (Vec::new(), Vec::new());
        ratings.push(DocumentRatings { document, round, characters, assignments, reviews });
    };
    sql::each(db, &documents, values.to_vec(), add).await?;
    Ok(ratings)
}

/// Adds what raters said about the documents that meet a condition.
async fn fill(
    db: &impl Db,
    condition: &str,
    values: &[Value],
    ratings: &mut [DocumentRatings],
) -> Result<(), Error> {
    let place = |ratings: &[DocumentRatings], document| {
        ratings.binary_search_by_key(&document, |ratings| ratings.document).ok()
    };
    let add = |(_, document, member, state, saved_at, marked): Saved<Marked>| {
        let place = place(ratings, document);
        if let Some(ratings) = place.and_then(|place| ratings.get_mut(place)) {
            let Marked { spans, choices } = marked;
            ratings.assignments.push(RatedAssignment { member, state, saved_at, spans, choices });
        }
    };
    saved(db, ("assignment", MARKED), condition, values, add).await?;
    let mut decisions = load_decisions(db, condition, values).await?;
    let mut answers = load_answers(db, condition, values).await?;
    let add = |(id, document, member, state, saved_at, _): Saved<i64>| {
        let decisions = decisions.remove(&ReviewId(id)).unwrap_or_default();
        let answers = answers.remove(&ReviewId(id)).unwrap_or_default();
        let place = place(ratings, document);
        if let Some(ratings) = place.and_then(|place| ratings.get_mut(place)) {
            ratings.reviews.push(RatedReview { member, state, saved_at, decisions, answers });
        }
    };
    saved(db, ("review", "review.revision"), condition, values, add).await
}

/// An assignment or a review that was saved: id, document, member, state, when it was saved last, and one more
/// column.
type Saved<T> = (i64, DocumentId, MemberId, WorkState, DateTime<Utc>, T);

/// Takes what was saved of assignments or of reviews, those of a document in the order of members.
async fn saved<T: Stored>(
    db: &impl Db,
    (table, more): (&str, &str),
    condition: &str,
    values: &[Value],
    take: impl FnMut(Saved<T>) + Send,
) -> Result<(), Error> {
    // SQL: the condition of `fill`.
    let select = format!(
        "SELECT {table}.id, {table}.document_id, {table}.member_id, {table}.state,
                {table}.saved_at, {more}
         FROM {table} JOIN document ON document.id = {table}.document_id
         WHERE {condition} AND {table}.state <> 'open'
         ORDER BY {table}.document_id, {table}.member_id"
    );
    sql::each(db, &select, values.to_vec(), take).await
}

/// An assignment's spans as one text, and what was chosen on them and on the document as others: a row for each of a million
/// spans would take half a gigabyte and several seconds, most of it to hand rows over.
const MARKED: &str = "coalesce(
    (SELECT string_agg(span.start_at || ' ' || span.end_at || ' ' || span.label_id, ' ')
     FROM span WHERE span.assignment_id = assignment.id), '')
  || '|' || coalesce(
    (SELECT string_agg(chosen.start_at || ' ' || chosen.end_at || ' ' || chosen.label_id
                       || ' ' || chosen.attribute_id || ' ' || chosen.number, ' ')
     FROM span_choice AS chosen WHERE chosen.assignment_id = assignment.id), '')
  || '|' || coalesce(
    (SELECT string_agg(chosen.attribute_id || ' ' || chosen.number, ' ')
     FROM document_choice AS chosen WHERE chosen.assignment_id = assignment.id), '')";

/// Spans and choices that were read as text, in their order.
struct Marked {
    spans: Vec<Span>,
    choices: Vec<Fact>,
}

impl Stored for Marked {
    type Raw = String;

    fn read(raw: String) -> Result<Self, Error> {
        let parts =
            raw.split_once('|').and_then(|(spans, rest)| Some((spans, rest.split_once('|')?)));
        let (spans, (choices, of_document)) = parts.ok_or_else(|| Error::unreadable("spans"))?;
        let span = |[start, end, label]: [i64; 3]| {
            let (start, end) = (start.try_into().ok()?, end.try_into().ok()?);
            Some(Span::new(start, end, LabelId(label)))
        };
        let choice = |[start, end, label, attribute, number]: [i64; 5]| {
            let span = span([start, end, label])?;
            Some(Fact::chosen(span, AttributeId(attribute), Answer::try_from(number).ok()?))
        };
        let answer = |[attribute, number]: [i64; 2]| {
            let (attribute, answer) = (AttributeId(attribute), Answer::try_from(number).ok()?);
            Some(Fact::chosen(Span::DOCUMENT, attribute, answer))
        };
        let mut spans = numbers(spans, span).ok_or_else(|| Error::unreadable("a span"))?;
        let mut choices = numbers(choices, choice).ok_or_else(|| Error::unreadable("a choice"))?;
        let of_document =
            numbers(of_document, answer).ok_or_else(|| Error::unreadable("a choice"))?;
        choices.extend(of_document);
        // An aggregate has no order of its own.
        spans.sort_unstable();
        choices.sort_unstable();
        Ok(Self { spans, choices })
    }
}

/// What a text says in so many numbers each; none where it is not written so.
fn numbers<const N: usize, T>(text: &str, read: impl Fn([i64; N]) -> Option<T>) -> Option<Vec<T>> {
    let mut words = text.split_ascii_whitespace();
    let mut all = Vec::with_capacity(words.clone().count() / N);
    while let Some(first) = words.next() {
        let mut numbers = [first.parse().ok()?; N];
        for number in numbers.iter_mut().skip(1) {
            *number = words.next()?.parse().ok()?;
        }
        all.push(read(numbers)?);
    }
    Some(all)
}

async fn load_decisions(
    db: &impl Db,
    condition: &str,
    values: &[Value],
) -> Result<HashMap<ReviewId, Vec<Decision>>, Error> {
    // SQL: the condition of `fill`.
    let select = format!(
        "{SELECT}
         JOIN review ON review.id = decision.review_id
         JOIN document ON document.id = review.document_id
         WHERE {condition} AND review.state <> 'open' {ORDER}"
    );
    Ok(decisions::gather(sql::rows(db, &select, values.to_vec()).await?))
}

async fn load_answers(
    db: &impl Db,
    condition: &str,
    values: &[Value],
) -> Result<HashMap<ReviewId, Vec<DecidedAnswer>>, Error> {
    // SQL: the condition of `fill`.
    let select = format!(
        "SELECT review_answer.review_id, review_answer.attribute_id, review_answer.number,
                review_answer.decided_at
         FROM review_answer
         JOIN review ON review.id = review_answer.review_id
         JOIN document ON document.id = review.document_id
         WHERE {condition} AND review.state <> 'open'
         ORDER BY review_answer.review_id, review_answer.attribute_id"
    );
    Ok(answers::gather(sql::rows(db, &select, values.to_vec()).await?))
}
