//! What labelers chose on their spans and on documents, in either pass. Deleted with the span, or with the
//! pass, by the database itself.

use std::collections::{BTreeSet, HashMap};

use domain::{Answer, AttributeId, DocumentId, Fact, MemberId, Range, Span};

use crate::{base::prelude::*, work::versions::Pass};

/// The tables in which passes of a kind have their choices and their spans, and the column that names the
/// pass in all of them.
struct Tables {
    choices: &'static str,
    on_document: &'static str,
    spans: &'static str,
    owner: &'static str,
}

const FIRST: Tables = Tables {
    choices: "span_choice",
    on_document: "document_choice",
    spans: "span",
    owner: "assignment_id",
};
const REPEATS: Tables = Tables {
    choices: "repeat_span_choice",
    on_document: "repeat_document_choice",
    spans: "repeat_span",
    owner: "repeat_id",
};

/// The pass by what its tables name it by.
const fn owner(pass: Pass) -> i64 {
    match pass.repeat {
        None => pass.assignment.0,
        Some(repeat) => repeat.0,
    }
}

/// What there is of first passes and of repeats, each with its tables.
fn by_kind<T>(all: Vec<T>, pass: impl Fn(&T) -> Pass) -> [(Tables, Vec<T>); 2] {
    let (first, repeats) = all.into_iter().partition(|one| pass(one).repeat.is_none());
    [(FIRST, first), (REPEATS, repeats)]
}

/// Everything that is so in passes, in their order: their spans and what was chosen on them and on the
/// document, with one query for the first passes and one for repeats.
pub async fn facts(db: &impl Db, passes: &[Pass]) -> Result<Vec<BTreeSet<Fact>>, Error> {
    let mut facts: HashMap<(bool, i64), BTreeSet<Fact>> = HashMap::new();
    for (tables, passes) in by_kind(passes.to_vec(), |pass| *pass) {
        let Tables { choices, on_document, spans, owner: column } = tables;
        for chunk in passes.chunks(chunks::rows_per_statement(db, 1, 0)) {
            // SQL: the pass names the table; an entity is one table.
            let select = format!(
                "SELECT {spans}.{column} AS pass, {spans}.start_at, {spans}.end_at, {spans}.label_id,
                        {choices}.attribute_id, {choices}.number
                 FROM {spans} LEFT JOIN {choices}
                     ON {choices}.{column} = {spans}.{column}
                     AND {choices}.start_at = {spans}.start_at
                     AND {choices}.end_at = {spans}.end_at
                     AND {choices}.label_id = {spans}.label_id
                 WHERE {spans}.{column} IN ({passes})
                 UNION ALL
                 SELECT {column}, 0, 0, 0, attribute_id, number
                 FROM {on_document} WHERE {column} IN ({passes})",
                passes = sql::placeholders(chunk.len())
            );
            let rows: Vec<Chosen> =
                sql::rows(db, &select, chunk.iter().map(|pass| owner(*pass).into())).await?;
            for Chosen { pass, span, choice } in rows {
                let facts = facts.entry((column == FIRST.owner, pass)).or_default();
                facts.extend((span != Span::DOCUMENT).then(|| Fact::from(span)));
                facts.extend(
                    choice.map(|(attribute, answer)| Fact::chosen(span, attribute, answer)),
                );
            }
        }
    }
    let of = |pass: &Pass| facts.get(&(pass.repeat.is_none(), owner(*pass))).cloned();
    Ok(passes.iter().map(|pass| of(pass).unwrap_or_default()).collect())
}

/// A span with what was chosen on it.
struct Chosen {
    pass: i64,
    span: Span,
    choice: Option<(AttributeId, Answer)>,
}

impl FromRow for Chosen {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let attribute: Option<_> = row.get("attribute_id")?;
        let choice = attribute.zip(row.get("number")?);
        Ok(Self { pass: row.get("pass")?, span: row.part()?, choice })
    }
}

/// The values that name what is chosen on a span, without what is chosen; and the same on a document.
fn keyed((pass, fact): &(Pass, Fact)) -> Option<[i64; 5]> {
    let (choice, range) = (fact.choice?, fact.span.range);
    let (start, end) = (range.start.into(), range.end.into());
    Some([owner(*pass), start, end, fact.span.label.0, choice.attribute.0])
}

fn keyed_on_document((pass, fact): &(Pass, Fact)) -> Option<[i64; 2]> {
    Some([owner(*pass), fact.choice?.attribute.0])
}

/// Adds choices to passes that have none of the same attributes on the same spans.
pub async fn insert_many(tx: &Tx, choices: &[(Pass, Fact)]) -> Result<(), Error> {
    let number = |(_, fact): &(Pass, Fact)| Some(fact.choice?.answer.stored());
    for (Tables { choices, on_document, owner, .. }, rows) in
        by_kind(chosen(choices), |(pass, _)| *pass)
    {
        let (of_document, of_spans): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_of_document);
        let of_span = |row| {
            let ([pass, start, end, label, attribute], number) = (keyed(row)?, number(row)?);
            Some([pass, start, end, label, attribute, number])
        };
        let columns =
            format!("{choices} ({owner}, start_at, end_at, label_id, attribute_id, number)");
        insert(tx, &columns, of_spans.iter().filter_map(of_span).collect()).await?;
        let of_document = of_document.iter().filter_map(|row| {
            let ([pass, attribute], number) = (keyed_on_document(row)?, number(row)?);
            Some([pass, attribute, number])
        });
        let columns = format!("{on_document} ({owner}, attribute_id, number)");
        insert(tx, &columns, of_document.collect()).await?;
    }
    Ok(())
}

/// Takes choices off passes; those whose span went are gone already.
pub async fn delete_many(tx: &Tx, choices: &[(Pass, Fact)]) -> Result<(), Error> {
    for (Tables { choices, on_document, owner, .. }, rows) in
        by_kind(chosen(choices), |(pass, _)| *pass)
    {
        let (of_document, of_spans): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_of_document);
        let key = format!("({owner}, start_at, end_at, label_id, attribute_id)");
        delete(tx, (choices, &key), of_spans.iter().filter_map(keyed).collect()).await?;
        let key = format!("({owner}, attribute_id)");
        let rows = of_document.iter().filter_map(keyed_on_document).collect();
        delete(tx, (on_document, &key), rows).await?;
    }
    Ok(())
}

/// Whether it is a choice on a document, not on a span.
fn is_of_document((_, fact): &(Pass, Fact)) -> bool {
    fact.span == Span::DOCUMENT
}

/// Inserts rows into the columns of a table.
async fn insert<const N: usize>(tx: &Tx, columns: &str, rows: Vec<[i64; N]>) -> Result<(), Error> {
    for chunk in rows.chunks(chunks::rows_per_statement(tx, N, 0)) {
        // SQL: the pass names the table; an entity is one table.
        let insert = format!("INSERT INTO {columns} VALUES {}", tuples(chunk.len(), N));
        sql::execute(tx, &insert, chunk.iter().flatten().map(|value| (*value).into())).await?;
    }
    Ok(())
}

/// Deletes the rows of a table that have these keys.
async fn delete<const N: usize>(
    tx: &Tx,
    (table, key): (&str, &str),
    rows: Vec<[i64; N]>,
) -> Result<(), Error> {
    for chunk in rows.chunks(chunks::rows_per_statement(tx, N, 0)) {
        // SQL: the pass names the table; an entity is one table.
        let delete =
            format!("DELETE FROM {table} WHERE {key} IN (VALUES {})", tuples(chunk.len(), N));
        sql::execute(tx, &delete, chunk.iter().flatten().map(|value| (*value).into())).await?;
    }
    Ok(())
}

/// The choices among facts.
fn chosen(facts: &[(Pass, Fact)]) -> Vec<(Pass, Fact)> {
    facts.iter().filter(|(_, fact)| fact.choice.is_some()).copied().collect()
}

/// So many tuples of parameters, each in brackets.
fn tuples(rows: usize, columns: usize) -> String {
    let row = |row: usize| format!("({})", sql::placeholders_from(row * columns + 1, columns));
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// What labelers have chosen in their first passes over a document, in the order of the members and
/// then of position, the document itself first.
pub async fn of_document(
    db: &impl Db,
    document: DocumentId,
) -> Result<Vec<(MemberId, Fact)>, Error> {
    // SQL: a union over columns that are no id.
    let select = "SELECT assignment.member_id, chosen.start_at, chosen.end_at, chosen.label_id,
                chosen.attribute_id, chosen.number
         FROM (SELECT assignment_id, start_at, end_at, label_id, attribute_id, number
               FROM span_choice
               UNION ALL
               SELECT assignment_id, 0, 0, 0, attribute_id, number FROM document_choice) AS chosen
         JOIN assignment ON assignment.id = chosen.assignment_id
         WHERE assignment.document_id = $1 AND assignment.state <> 'open'
         ORDER BY assignment.member_id, chosen.start_at, chosen.end_at, chosen.label_id,
                  chosen.attribute_id";
    let fact = |(member, start, end, label, attribute, answer): (_, _, _, _, _, Answer)| {
        let span = Span { range: Range::new(start, end), label };
        (member, Fact::chosen(span, attribute, answer))
    };
    Ok(sql::rows(db, select, [document.0.into()]).await?.into_iter().map(fact).collect())
}
