//! Imports of files, and what they bring: rows in great number, written a batch at a time.

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, DocumentId, ImportAs, ImportId, ImportRecord, ImportState, ImportSummary,
    LabelId, MemberId, ProjectId, Revision, Span, UserId, WorkState,
};
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QueryTrait, prelude::*, sea_query::ExprTrait,
};
use serde::{Deserialize, Serialize};

use crate::{
    Db, Error, Tx,
    base::{chunks, db::Connected, sql},
    entity::{
        assignment::{self, Column as Copy, Entity as Copies},
        import_copy, import_document, span,
    },
    work::versions::{self, NewVersion},
};

/// How many file names are kept of an import.
const FILES: usize = 20;

/// An import to keep.
#[derive(Clone, Debug)]
pub struct NewImport {
    pub by: Option<UserId>,
    pub at: DateTime<Utc>,
    pub marks: ImportAs,
    pub files: Vec<String>,
}

/// The labels and members that an import made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub labels: Vec<LabelId>,
    pub members: Vec<MemberId>,
}

/// Notes that an import runs.
pub async fn insert(tx: &Tx, project: ProjectId, new: NewImport) -> Result<ImportId, Error> {
    let (count, mut files) = (new.files.len(), new.files);
    files.truncate(FILES);
    let files = serde_json::to_string(&(count, files)).map_err(Error::unreadable)?;
    let marks = serde_json::to_string(&new.marks).map_err(Error::unreadable)?;
    let id: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO import (project_id, made_by, made_at, state, marks, files)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        [
            project.0.into(),
            new.by.map(|by| by.0).into(),
            new.at.into(),
            ImportState::Running.name().into(),
            marks.into(),
            files.into(),
        ],
    )
    .await?;
    id.map(ImportId).ok_or_else(|| Error::unreadable("an import without an id"))
}

/// Forgets an import that came to nothing.
pub async fn forget(tx: &Tx, id: ImportId) -> Result<(), Error> {
    sql::execute(tx, "DELETE FROM import WHERE id = $1", [id.0.into()]).await?;
    Ok(())
}

/// Notes what an import has brought, in the transaction that brings it.
pub async fn finish(
    tx: &Tx,
    id: ImportId,
    summary: &ImportSummary,
    made: &Made,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "UPDATE import SET state = $2, ended_at = $3, summary = $4, made = $5, error = NULL
         WHERE id = $1",
        [
            id.0.into(),
            ImportState::Done.name().into(),
            now.into(),
            serde_json::to_string(summary).map_err(Error::unreadable)?.into(),
            serde_json::to_string(made).map_err(Error::unreadable)?.into(),
        ],
    )
    .await?;
    Ok(())
}

/// Notes that an import has ended without bringing anything.
pub async fn end(
    tx: &Tx,
    id: ImportId,
    state: ImportState,
    error: Option<&domain::Error>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let error = error.map(serde_json::to_string).transpose().map_err(Error::unreadable)?;
    sql::execute(
        tx,
        "UPDATE import SET state = $2, ended_at = $3, error = $4 WHERE id = $1",
        [id.0.into(), state.name().into(), now.into(), error.into()],
    )
    .await?;
    Ok(())
}

/// Notes that whatever runs has failed for this reason; says how many that were.
pub async fn end_running(tx: &Tx, error: &domain::Error, now: DateTime<Utc>) -> Result<u64, Error> {
    let error = serde_json::to_string(error).map_err(Error::unreadable)?;
    let (running, failed) = (ImportState::Running.name(), ImportState::Failed.name());
    sql::execute(
        tx,
        "UPDATE import SET state = $2, ended_at = $3, error = $4 WHERE state = $1",
        [running.into(), failed.into(), now.into(), error.into()],
    )
    .await
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    state: String,
    marks: String,
    made_by: Option<String>,
    made_at: DateTimeUtc,
    ended_at: Option<DateTimeUtc>,
    files: String,
    summary: Option<String>,
    error: Option<String>,
}

/// An import of a project.
pub async fn find(
    db: &impl Db,
    project: ProjectId,
    id: ImportId,
) -> Result<Option<ImportRecord>, Error> {
    let found = select(db, "import.id = $2", [project.0.into(), id.0.into()]).await?;
    Ok(found.into_iter().next())
}

/// A project's latest imports, the latest first.
pub async fn list(db: &impl Db, project: ProjectId, most: u64) -> Result<Vec<ImportRecord>, Error> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    select(db, "1 = 1 ORDER BY import.id DESC LIMIT $2", [project.0.into(), most.into()]).await
}

async fn select(
    db: &impl Db,
    condition: &'static str,
    values: [Value; 2],
) -> Result<Vec<ImportRecord>, Error> {
    let select = format!(
        "SELECT import.id, import.state, import.marks, user_account.name AS made_by,
                import.made_at, import.ended_at, import.files, import.summary, import.error
         FROM import LEFT JOIN user_account ON user_account.id = import.made_by
         WHERE import.project_id = $1 AND {condition}"
    );
    let rows = sql::rows::<Row, _>(db, &select, values).await?;
    rows.into_iter()
        .map(|row| {
            let (file_count, files) =
                serde_json::from_str(&row.files).map_err(Error::unreadable)?;
            Ok(ImportRecord {
                id: ImportId(row.id),
                state: sql::word(&row.state)?,
                marks: serde_json::from_str(&row.marks).map_err(Error::unreadable)?,
                made_by: row.made_by,
                made_at: row.made_at,
                ended_at: row.ended_at,
                files,
                file_count,
                progress: None,
                summary: read(row.summary.as_deref())?,
                error: read(row.error.as_deref())?,
            })
        })
        .collect()
}

fn read<T: serde::de::DeserializeOwned>(text: Option<&str>) -> Result<Option<T>, Error> {
    text.map(serde_json::from_str).transpose().map_err(Error::unreadable)
}

/// A document of a project by what it may be told by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDocument {
    pub id: DocumentId,
    pub external_id: Option<String>,
    pub name: String,
    pub sha256: String,
}

/// A project's documents by what they may be told by, in the order of their import.
pub async fn known_documents(
    db: &impl Db,
    project: ProjectId,
) -> Result<Vec<KnownDocument>, Error> {
    let rows: Vec<(i64, Option<String>, String, String)> = sql::tuples(
        db,
        "SELECT id, external_id, name, sha256 FROM document WHERE project_id = $1 ORDER BY id",
        [project.0.into()],
    )
    .await?;
    let known = |(id, external_id, name, sha256)| {
        let id = DocumentId(id);
        KnownDocument { id, external_id, name, sha256 }
    };
    Ok(rows.into_iter().map(known).collect())
}

/// A labeler's copy as an import finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCopy {
    pub document: DocumentId,
    pub member: MemberId,
    pub id: AssignmentId,
    pub state: WorkState,
    pub revision: Revision,
}

/// All copies of these members.
pub async fn known_copies(db: &impl Db, members: &[MemberId]) -> Result<Vec<KnownCopy>, Error> {
    let rows = Copies::find()
        .filter(Copy::MemberId.is_in(members.iter().map(|member| member.0)))
        .order_by_asc(Copy::Id)
        .all(db.connection())
        .await?;
    rows.into_iter()
        .map(|row| {
            Ok(KnownCopy {
                document: DocumentId(row.document_id),
                member: MemberId(row.member_id),
                id: AssignmentId(row.id),
                state: sql::word(&row.state)?,
                revision: Revision(row.revision),
            })
        })
        .collect()
}

/// The spans of these copies, copy by copy.
pub async fn spans_of(
    db: &impl Db,
    copies: &[AssignmentId],
) -> Result<Vec<(AssignmentId, Span)>, Error> {
    let rows = span::Entity::find()
        .filter(span::Column::AssignmentId.is_in(copies.iter().map(|copy| copy.0)))
        .order_by_asc(span::Column::AssignmentId)
        .all(db.connection())
        .await?;
    rows.into_iter()
        .map(|row| {
            let span = sql::span(row.start_at, row.end_at, row.label_id)?;
            Ok((AssignmentId(row.assignment_id), span))
        })
        .collect()
}

/// Notes which documents an import has brought.
pub async fn own_documents(
    tx: &Tx,
    import: ImportId,
    documents: &[DocumentId],
) -> Result<(), Error> {
    let rows = documents.iter().map(|document| import_document::ActiveModel {
        document_id: Set(document.0),
        import_id: Set(import.0),
    });
    Ok(chunks::insert_steadily(tx, rows.collect()).await?)
}

/// A copy that gets work.
#[derive(Clone, Debug)]
pub struct NewWork {
    pub document: DocumentId,
    pub member: MemberId,
    /// The copy with its revision, if there is one, without work.
    pub copy: Option<(AssignmentId, Revision)>,
    pub spans: Vec<Span>,
}

/// What copies get.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    pub import: ImportId,
    pub state: WorkState,
    pub now: DateTime<Utc>,
}

/// Makes copies that are not there, and says with each which it is and the revision that it gets;
/// [`Error::Duplicate`] if somebody got one meanwhile.
pub async fn fill_copies(
    tx: &Tx,
    work: &[NewWork],
    filling: Filling,
) -> Result<Vec<(AssignmentId, Revision)>, Error> {
    let Filling { import, state, now } = filling;
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    let new = work.iter().filter(|work| work.copy.is_none()).map(|work| assignment::ActiveModel {
        document_id: Set(work.document.0),
        member_id: Set(work.member.0),
        state: Set(state.name().to_owned()),
        revision: Set(1),
        saved_at: Set(Some(now)),
        submitted_at: Set(submitted_at),
        ..Default::default()
    });
    let mut ids = Vec::new();
    for piece in chunks::steadily(new.collect::<Vec<_>>()) {
        let mut insert = Copies::insert_many(piece).into_query();
        insert.returning_col(Copy::Id);
        let rows = tx.connection().query_all(&insert).await;
        let rows = rows.map_err(|error| Error::unless_unique(&["document_id"], error))?;
        let mut got: Vec<i64> =
            rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?;
        // Ids are given out in the order of the rows, but come back in any order.
        got.sort_unstable();
        ids.append(&mut got);
    }
    let taken: Vec<i64> = work.iter().filter_map(|work| Some(work.copy?.0.0)).collect();
    for chunk in taken.chunks(chunks::rows_per_statement(tx, 1, 5)) {
        let updated = Copies::update_many()
            .col_expr(Copy::State, state.name().into())
            .col_expr(Copy::Revision, Expr::col(Copy::Revision).add(1))
            .col_expr(Copy::SavedAt, now.into())
            .col_expr(Copy::SubmittedAt, submitted_at.into())
            .filter(Copy::Id.is_in(chunk.iter().copied()))
            .filter(Copy::State.eq(WorkState::Open.name()))
            .exec(tx.connection())
            .await?;
        if usize::try_from(updated.rows_affected) != Ok(chunk.len()) {
            return Err(Error::Duplicate("copy"));
        }
    }
    let mut new = ids.into_iter();
    let mut filled = Vec::with_capacity(work.len());
    for work in work {
        filled.push(if let Some((id, base)) = work.copy {
            (id, base.next())
        } else {
            let id = new.next().ok_or_else(|| Error::unreadable("a copy without an id"))?;
            (AssignmentId(id), Revision(1))
        });
    }
    let kept = filled.iter().zip(work).map(|((id, revision), work)| import_copy::ActiveModel {
        assignment_id: Set(id.0),
        import_id: Set(import.0),
        revision: Set(revision.0),
        was_there: Set(work.copy.is_some()),
    });
    chunks::insert_steadily(tx, kept.collect()).await?;
    Ok(filled)
}

/// Adds spans to copies that have none, and keeps what that changed.
pub async fn add_spans(
    tx: &Tx,
    spans: &[(AssignmentId, Span)],
    history: &[NewVersion],
) -> Result<(), Error> {
    let rows = spans.iter().map(|(assignment, span)| span::ActiveModel {
        assignment_id: Set(assignment.0),
        start_at: Set(span.range.start.into()),
        end_at: Set(span.range.end.into()),
        label_id: Set(span.label.0),
        ..Default::default()
    });
    chunks::insert_steadily(tx, rows.collect()).await?;
    versions::append_steadily(tx, history).await
}
