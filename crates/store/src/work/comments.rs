//! What labelers write about places in documents, and what is answered.

use chrono::{DateTime, Utc};
use domain::{CommentThreadId, DocumentId, MemberId, Page, ProjectId, Range, Role, ThreadFilter};
use sea_orm::{FromQueryResult, prelude::*};

use crate::{Db, Error, Tx, base::sql};

/// A thread without its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub id: CommentThreadId,
    /// Which of the threads it is that its labeler has begun on the document: the only number of it
    /// that they are told, since ids count what others write, too.
    pub number: CommentThreadId,
    pub document: DocumentId,
    pub document_name: String,
    pub project: ProjectId,
    /// The labeler who began it.
    pub member: MemberId,
    pub range: Option<Range>,
    /// Whether the labeler has a span there now.
    pub is_marked: bool,
    pub settled_at: Option<DateTime<Utc>>,
    /// The same as it was when agreement was released last.
    pub released_settled_at: Option<DateTime<Utc>>,
}

/// A comment of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub thread: CommentThreadId,
    pub member: MemberId,
    pub role: Role,
    pub words: String,
    pub written_at: DateTime<Utc>,
}

/// Begins a thread on a labeler's document.
pub async fn begin(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    range: Option<Range>,
    now: DateTime<Utc>,
) -> Result<CommentThreadId, Error> {
    let id: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO comment_thread (document_id, member_id, start_at, end_at, moved_at)
         VALUES ($1, $2, $3, $4, $5) RETURNING id",
        [
            document.0.into(),
            member.0.into(),
            range.map(|range| i64::from(range.start)).into(),
            range.map(|range| i64::from(range.end)).into(),
            now.into(),
        ],
    )
    .await?;
    id.map(CommentThreadId).ok_or_else(|| Error::unreadable("a thread without an id"))
}

/// Adds a comment to a thread.
pub async fn add(
    tx: &Tx,
    thread: CommentThreadId,
    member: MemberId,
    words: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "INSERT INTO comment (thread_id, member_id, words, written_at) VALUES ($1, $2, $3, $4)",
        [thread.0.into(), member.0.into(), words.into(), now.into()],
    )
    .await?;
    sql::execute(
        tx,
        "UPDATE comment_thread SET moved_at = $2 WHERE id = $1",
        [thread.0.into(), now.into()],
    )
    .await?;
    Ok(())
}

/// Settles a thread, or opens it again; false if it is so already.
pub async fn settle(
    tx: &Tx,
    thread: CommentThreadId,
    at: Option<DateTime<Utc>>,
) -> Result<bool, Error> {
    let changed = sql::execute(
        tx,
        "UPDATE comment_thread SET settled_at = $2
         WHERE id = $1 AND (settled_at IS NULL) <> ($2 IS NULL)",
        [thread.0.into(), at.into()],
    )
    .await?;
    Ok(changed == 1)
}

/// Opens a thread again for everybody: its labeler has written in it.
pub async fn reopen_by_labeler(tx: &Tx, thread: CommentThreadId) -> Result<(), Error> {
    let update =
        "UPDATE comment_thread SET settled_at = NULL, released_settled_at = NULL WHERE id = $1";
    sql::execute(tx, update, [thread.0.into()]).await?;
    Ok(())
}

/// Notes which of a project's threads are settled, for those who are told as of a release.
pub async fn release(tx: &Tx, project: ProjectId) -> Result<(), Error> {
    let update = "UPDATE comment_thread SET released_settled_at = settled_at
        WHERE document_id IN (SELECT id FROM document WHERE project_id = $1)";
    sql::execute(tx, update, [project.0.into()]).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct ThreadRow {
    id: i64,
    number: i64,
    document_id: i64,
    document_name: String,
    project_id: i64,
    member_id: i64,
    start_at: Option<i64>,
    end_at: Option<i64>,
    is_marked: i32,
    settled_at: Option<DateTimeUtc>,
    released_settled_at: Option<DateTimeUtc>,
}

const THREADS: &str = "SELECT comment_thread.id, comment_thread.document_id,
        (SELECT COUNT(*) FROM comment_thread AS own
         WHERE own.document_id = comment_thread.document_id
         AND own.member_id = comment_thread.member_id AND own.id <= comment_thread.id) AS number,
        document.name AS document_name, document.project_id, comment_thread.member_id,
        comment_thread.start_at, comment_thread.end_at, comment_thread.settled_at,
        comment_thread.released_settled_at,
        CASE WHEN EXISTS (
            SELECT 1 FROM assignment JOIN span ON span.assignment_id = assignment.id
            WHERE assignment.document_id = comment_thread.document_id
            AND assignment.member_id = comment_thread.member_id
            AND span.start_at = comment_thread.start_at AND span.end_at = comment_thread.end_at
        ) THEN 1 ELSE 0 END AS is_marked
    FROM comment_thread JOIN document ON document.id = comment_thread.document_id";

fn thread(row: ThreadRow) -> Result<Thread, Error> {
    let range = match (row.start_at, row.end_at) {
        (Some(start), Some(end)) => Some(sql::range(start, end)?),
        _ => None,
    };
    Ok(Thread {
        id: CommentThreadId(row.id),
        number: CommentThreadId(row.number),
        document: DocumentId(row.document_id),
        document_name: row.document_name,
        project: ProjectId(row.project_id),
        member: MemberId(row.member_id),
        range,
        is_marked: row.is_marked != 0,
        settled_at: row.settled_at,
        released_settled_at: row.released_settled_at,
    })
}

/// The thread with this id.
pub async fn find(db: &impl Db, id: CommentThreadId) -> Result<Option<Thread>, Error> {
    let select = format!("{THREADS} WHERE comment_thread.id = $1");
    sql::row::<ThreadRow, _>(db, &select, [id.0.into()]).await?.map(thread).transpose()
}

/// The threads on a document, or those of one labeler on it, in order of position.
pub async fn of_document(
    db: &impl Db,
    document: DocumentId,
    member: Option<MemberId>,
) -> Result<Vec<Thread>, Error> {
    let select = format!(
        "{THREADS} WHERE comment_thread.document_id = $1
         AND ($2 = -1 OR comment_thread.member_id = $2)
         ORDER BY COALESCE(comment_thread.start_at, -1), comment_thread.end_at, comment_thread.id"
    );
    let values = [document.0.into(), member.map_or(-1, |member| member.0).into()];
    sql::rows::<ThreadRow, _>(db, &select, values).await?.into_iter().map(thread).collect()
}

/// The places on a document with open threads, one for each thread.
pub async fn open_places(db: &impl Db, document: DocumentId) -> Result<Vec<Range>, Error> {
    let rows: Vec<(i64, i64)> = sql::tuples(
        db,
        "SELECT start_at, end_at FROM comment_thread
         WHERE document_id = $1 AND start_at IS NOT NULL AND settled_at IS NULL
         ORDER BY start_at, end_at, id",
        [document.0.into()],
    )
    .await?;
    rows.into_iter().map(|(start, end)| sql::range(start, end)).collect()
}

/// A page of a project's threads, those that moved last first.
pub async fn of_project(
    db: &impl Db,
    project: ProjectId,
    filter: ThreadFilter,
    (page, size): (u64, u64),
    total: u64,
) -> Result<Page<Thread>, Error> {
    let limit = |n: u64| Value::from(i64::try_from(n).unwrap_or(i64::MAX));
    let wanted = match filter {
        ThreadFilter::Open => "AND comment_thread.settled_at IS NULL",
        ThreadFilter::Settled => "AND comment_thread.settled_at IS NOT NULL",
        ThreadFilter::All => "",
    };
    let select = format!(
        "{THREADS} WHERE document.project_id = $1 {wanted}
         ORDER BY comment_thread.moved_at DESC, comment_thread.id DESC LIMIT $2 OFFSET $3"
    );
    let values = [project.0.into(), limit(size), limit(page.saturating_mul(size))];
    let rows = sql::rows::<ThreadRow, _>(db, &select, values).await?;
    let rows = rows.into_iter().map(thread).collect::<Result<_, _>>()?;
    Ok(Page { rows, total, number: page, size })
}

/// How many threads of a project are open, and how many are settled.
pub async fn count(db: &impl Db, project: ProjectId) -> Result<(u64, u64), Error> {
    let (open, settled): (i64, i64) = sql::tuple(
        db,
        "SELECT COUNT(*) FILTER (WHERE comment_thread.settled_at IS NULL),
                COUNT(*) FILTER (WHERE comment_thread.settled_at IS NOT NULL)
         FROM comment_thread JOIN document ON document.id = comment_thread.document_id
         WHERE document.project_id = $1",
        [project.0.into()],
    )
    .await?
    .unwrap_or_default();
    Ok((sql::number(open)?, sql::number(settled)?))
}

/// How many threads a labeler has begun, in all and on one document.
pub async fn count_of_member(
    db: &impl Db,
    member: MemberId,
    document: DocumentId,
) -> Result<(u64, u64), Error> {
    let (all, on_document): (i64, i64) = sql::tuple(
        db,
        "SELECT COUNT(*), COUNT(*) FILTER (WHERE document_id = $2)
         FROM comment_thread WHERE member_id = $1",
        [member.0.into(), document.0.into()],
    )
    .await?
    .unwrap_or_default();
    Ok((sql::number(all)?, sql::number(on_document)?))
}

/// A page of what one labeler has begun, what moved last first: by their own words alone, so that
/// the order tells nothing of answers.
pub async fn of_member(
    db: &impl Db,
    member: MemberId,
    (page, size): (u64, u64),
    total: u64,
) -> Result<Page<Thread>, Error> {
    let limit = |n: u64| Value::from(i64::try_from(n).unwrap_or(i64::MAX));
    let select = format!(
        "{THREADS} WHERE comment_thread.member_id = $1
         ORDER BY comment_thread.id DESC LIMIT $2 OFFSET $3"
    );
    let values = [member.0.into(), limit(size), limit(page.saturating_mul(size))];
    let rows = sql::rows::<ThreadRow, _>(db, &select, values).await?;
    let rows = rows.into_iter().map(thread).collect::<Result<_, _>>()?;
    Ok(Page { rows, total, number: page, size })
}

#[derive(FromQueryResult)]
struct CommentRow {
    thread_id: i64,
    member_id: i64,
    role: String,
    words: String,
    written_at: DateTimeUtc,
}

/// The comments of threads, in the order in which they were written.
pub async fn list(db: &impl Db, threads: &[CommentThreadId]) -> Result<Vec<Comment>, Error> {
    let mut comments = Vec::new();
    for chunk in threads.chunks(crate::base::chunks::rows_per_statement(db, 1, 0)) {
        let select = format!(
            "SELECT comment.thread_id, comment.member_id, member.role, comment.words,
                    comment.written_at
             FROM comment JOIN member ON member.id = comment.member_id
             WHERE comment.thread_id IN ({}) ORDER BY comment.id",
            sql::placeholders(chunk.len())
        );
        let ids: Vec<_> = chunk.iter().map(|thread| thread.0.into()).collect();
        for row in sql::rows::<CommentRow, _>(db, &select, ids).await? {
            comments.push(Comment {
                thread: CommentThreadId(row.thread_id),
                member: MemberId(row.member_id),
                role: sql::word(&row.role)?,
                words: row.words,
                written_at: row.written_at,
            });
        }
    }
    Ok(comments)
}
