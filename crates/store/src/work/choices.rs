//! What labelers chose on their spans, in either pass. Deleted with the span by the database itself.

use std::collections::BTreeSet;

use domain::{AttributeId, DocumentId, Fact, MemberId, ProjectId, Range, Span};

use crate::{base::prelude::*, work::versions::Pass};

/// The table of a pass's choices, that of its spans, the column that names the pass in both, and the
/// pass.
const fn place(pass: Pass) -> (&'static str, &'static str, &'static str, i64) {
    match pass.repeat {
        None => ("span_choice", "span", "assignment_id", pass.assignment.0),
        Some(repeat) => ("repeat_span_choice", "repeat_span", "repeat_id", repeat.0),
    }
}

/// Everything that is so in a pass: its spans and what was chosen on them, with one query.
pub async fn facts(db: &impl Db, pass: Pass) -> Result<BTreeSet<Fact>, Error> {
    let (table, spans, owner, id) = place(pass);
    // SQL: the pass names the table; an entity is one table.
    let rows: Vec<Chosen> = sql::rows(
        db,
        &format!(
            "SELECT {spans}.start_at, {spans}.end_at, {spans}.label_id, {table}.attribute_id,
                    {table}.number
             FROM {spans} LEFT JOIN {table}
                 ON {table}.{owner} = {spans}.{owner} AND {table}.start_at = {spans}.start_at
                 AND {table}.end_at = {spans}.end_at AND {table}.label_id = {spans}.label_id
             WHERE {spans}.{owner} = $1"
        ),
        [id.into()],
    )
    .await?;
    let mut facts = BTreeSet::new();
    for Chosen(span, choice) in rows {
        facts.insert(span.into());
        facts.extend(choice.map(|(attribute, number)| Fact::chosen(span, attribute, number)));
    }
    Ok(facts)
}

/// A span with what was chosen on it.
struct Chosen(Span, Option<(AttributeId, u16)>);

impl FromRow for Chosen {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let attribute: Option<_> = row.get("attribute_id")?;
        Ok(Self(row.part()?, attribute.zip(row.get("number")?)))
    }
}

/// The columns that name what is chosen, without what is chosen.
fn keyed(fact: &Fact) -> Option<[i64; 4]> {
    let choice = fact.choice?;
    let range = fact.span.range;
    Some([range.start.into(), range.end.into(), fact.span.label.0, choice.attribute.0])
}

/// Adds choices to a pass that has none of the same attributes on the same spans.
pub async fn insert_many(tx: &Tx, pass: Pass, choices: &[Fact]) -> Result<(), Error> {
    let (table, _, owner, id) = place(pass);
    let rows: Vec<[i64; 5]> = choices
        .iter()
        .filter_map(|fact| {
            let ([start, end, label, attribute], choice) = (keyed(fact)?, fact.choice?);
            Some([start, end, label, attribute, choice.number.into()])
        })
        .collect();
    for chunk in rows.chunks(chunks::rows_per_statement(tx, 5, 1)) {
        // SQL: the pass names the table; an entity is one table.
        let insert = format!(
            "INSERT INTO {table} ({owner}, start_at, end_at, label_id, attribute_id, number)
             VALUES {}",
            lines(chunk.len(), 5)
        );
        let values = chunk.iter().flatten().map(|value| (*value).into());
        sql::execute(tx, &insert, std::iter::once(id.into()).chain(values)).await?;
    }
    Ok(())
}

/// Takes choices off a pass; those whose span went are gone already.
pub async fn delete_many(tx: &Tx, pass: Pass, choices: &[Fact]) -> Result<(), Error> {
    let (table, _, owner, id) = place(pass);
    let rows: Vec<[i64; 4]> = choices.iter().filter_map(keyed).collect();
    for chunk in rows.chunks(chunks::rows_per_statement(tx, 4, 1)) {
        let wanted: Vec<String> = (0..chunk.len())
            .map(|row| format!("({})", sql::placeholders_from(row * 4 + 2, 4)))
            .collect();
        // SQL: the pass names the table; an entity is one table.
        let delete = format!(
            "DELETE FROM {table} WHERE {owner} = $1
             AND (start_at, end_at, label_id, attribute_id) IN (VALUES {})",
            wanted.join(", ")
        );
        let values = chunk.iter().flatten().map(|value| (*value).into());
        sql::execute(tx, &delete, std::iter::once(id.into()).chain(values)).await?;
    }
    Ok(())
}

/// Rows of the owner's parameter, `$1`, and of `columns` further ones.
fn lines(rows: usize, columns: usize) -> String {
    let row = |row: usize| format!("($1, {})", sql::placeholders_from(row * columns + 2, columns));
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// What labelers have chosen in their first passes over a document, in the order of the members and
/// then of position.
pub async fn of_document(
    db: &impl Db,
    document: DocumentId,
) -> Result<Vec<(MemberId, Fact)>, Error> {
    let rows = read(db, "document.id = $1", document.0).await?;
    Ok(rows.into_iter().map(|(_, member, fact)| (member, fact)).collect())
}

/// What labelers have chosen in their first passes over a project's documents, in the order of
/// documents, members and positions.
pub async fn of_project(
    db: &impl Db,
    project: ProjectId,
) -> Result<Vec<(DocumentId, MemberId, Fact)>, Error> {
    read(db, "document.project_id = $1", project.0).await
}

async fn read(
    db: &impl Db,
    condition: &str,
    id: i64,
) -> Result<Vec<(DocumentId, MemberId, Fact)>, Error> {
    // SQL: a join over columns that are no id.
    let select = format!(
        "SELECT document.id, assignment.member_id, span_choice.start_at, span_choice.end_at,
                span_choice.label_id, span_choice.attribute_id, span_choice.number
         FROM span_choice
         JOIN assignment ON assignment.id = span_choice.assignment_id
         JOIN document ON document.id = assignment.document_id
         WHERE {condition} AND assignment.state <> 'open'
         ORDER BY document.id, assignment.member_id, span_choice.start_at, span_choice.end_at,
                  span_choice.label_id, span_choice.attribute_id"
    );
    let fact = |(document, member, start, end, label, attribute, number)| {
        let span = Span { range: Range::new(start, end), label };
        (document, member, Fact::chosen(span, attribute, number))
    };
    Ok(sql::rows(db, &select, [id.into()]).await?.into_iter().map(fact).collect())
}
