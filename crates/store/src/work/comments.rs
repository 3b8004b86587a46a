//! What labelers write about places in documents, and what is answered.

use domain::{CommentThreadId, DocumentId, MemberId, Page, ProjectId, Range, Role, ThreadFilter};

use crate::{
    base::prelude::*,
    entity::{
        comment,
        comment_thread::{self, Column, Entity},
        member,
    },
    project,
};

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
    let row = comment_thread::ActiveModel {
        document_id: Set(document.0),
        member_id: Set(member.0),
        start_at: Set(range.map(|range| range.start.into())),
        end_at: Set(range.map(|range| range.end.into())),
        moved_at: Set(now),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// Changes a thread: says how.
fn change(thread: CommentThreadId, column: Column, value: impl Into<Expr>) -> UpdateMany<Entity> {
    Entity::update_many().col_expr(column, value.into()).filter(Column::Id.eq(thread.0))
}

/// Adds a comment to a thread.
pub async fn add(
    tx: &Tx,
    thread: CommentThreadId,
    member: MemberId,
    words: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let row = comment::ActiveModel {
        thread_id: Set(thread.0),
        member_id: Set(member.0),
        words: Set(words.to_owned()),
        written_at: Set(now),
        ..Default::default()
    };
    sql::run(tx, comment::Entity::insert(row)).await?;
    sql::run(tx, change(thread, Column::MovedAt, now)).await?;
    Ok(())
}

/// Settles a thread, or opens it again; false if it is so already.
pub async fn settle(
    tx: &Tx,
    thread: CommentThreadId,
    at: Option<DateTime<Utc>>,
) -> Result<bool, Error> {
    let settled = Column::SettledAt;
    let otherwise = if at.is_some() { settled.is_null() } else { settled.is_not_null() };
    Ok(sql::run(tx, change(thread, settled, at).filter(otherwise)).await? == 1)
}

/// Opens a thread again for everybody: its labeler has written in it.
pub async fn reopen_by_labeler(tx: &Tx, thread: CommentThreadId) -> Result<(), Error> {
    let never = Option::<DateTime<Utc>>::None;
    let reopen = change(thread, Column::SettledAt, never);
    sql::run(tx, reopen.col_expr(Column::ReleasedSettledAt, never.into())).await?;
    Ok(())
}

/// Notes which of a project's threads are settled, for those who are told as of a release.
pub async fn release(tx: &Tx, project: ProjectId) -> Result<(), Error> {
    let release = Entity::update_many()
        .col_expr(Column::ReleasedSettledAt, Expr::col(Column::SettledAt))
        .filter(Column::DocumentId.in_subquery(project::document_ids(project).into_query()));
    sql::run(tx, release).await?;
    Ok(())
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

/// The thread with this id.
pub async fn find(db: &impl Db, id: CommentThreadId) -> Result<Option<Thread>, Error> {
    Ok(select(db, "comment_thread.id = $1", [id.0.into()]).await?.pop())
}

/// Threads that meet a condition, in an order.
async fn select<const N: usize>(
    db: &impl Db,
    wanted: &str,
    values: [Value; N],
) -> Result<Vec<Thread>, Error> {
    // SQL: tables under second names, in a `CASE`.
    sql::rows(db, &format!("{THREADS} WHERE {wanted}"), values).await
}

read_by_columns! {
    Thread { id, number, document: document_id, document_name, project: project_id, member: member_id, range: (part_if_any start_at), is_marked: (is_true is_marked), settled_at, released_settled_at }
}

/// The threads on a document, or those of one labeler on it, in order of position.
pub async fn of_document(
    db: &impl Db,
    document: DocumentId,
    member: Option<MemberId>,
) -> Result<Vec<Thread>, Error> {
    let wanted = "comment_thread.document_id = $1 AND ($2 = -1 OR comment_thread.member_id = $2)
         ORDER BY COALESCE(comment_thread.start_at, -1), comment_thread.end_at, comment_thread.id";
    let member = member.map_or(-1, |member| member.0);
    select(db, wanted, [document.0.into(), member.into()]).await
}

/// The places on a document with open threads, one for each thread.
pub async fn open_places(db: &impl Db, document: DocumentId) -> Result<Vec<Range>, Error> {
    let open = Entity::find()
        .filter(Column::DocumentId.eq(document.0))
        .filter(Column::StartAt.is_not_null())
        .filter(Column::SettledAt.is_null())
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::Id);
    sql::all(db, open).await
}

/// A page of a project's threads, those that moved last first.
pub async fn of_project(
    db: &impl Db,
    project: ProjectId,
    filter: ThreadFilter,
    (page, size): (u64, u64),
    total: u64,
) -> Result<Page<Thread>, Error> {
    let wanted = match filter {
        ThreadFilter::Open => "AND comment_thread.settled_at IS NULL",
        ThreadFilter::Settled => "AND comment_thread.settled_at IS NOT NULL",
        ThreadFilter::All => "",
    };
    let wanted = format!(
        "document.project_id = $1 {wanted}
         ORDER BY comment_thread.moved_at DESC, comment_thread.id DESC LIMIT $2 OFFSET $3"
    );
    let offset = sql::signed(page.saturating_mul(size));
    let values = [project.0.into(), sql::signed(size).into(), offset.into()];
    Ok(Page { rows: select(db, &wanted, values).await?, total, number: page, size })
}

/// How many threads of a project are open, and how many are settled.
pub async fn count(db: &impl Db, project: ProjectId) -> Result<(u64, u64), Error> {
    // SQL: `COUNT` with `FILTER` over joins and groups.
    let counts = sql::row(
        db,
        "SELECT COUNT(*) FILTER (WHERE comment_thread.settled_at IS NULL),
                COUNT(*) FILTER (WHERE comment_thread.settled_at IS NOT NULL)
         FROM comment_thread JOIN document ON document.id = comment_thread.document_id
         WHERE document.project_id = $1",
        [project.0.into()],
    )
    .await?;
    Ok(counts.unwrap_or_default())
}

/// How many threads a labeler has begun, in all and on one document.
pub async fn count_of_member(
    db: &impl Db,
    member: MemberId,
    document: DocumentId,
) -> Result<(u64, u64), Error> {
    // SQL: `COUNT` with `FILTER` over joins and groups.
    let counts = sql::row(
        db,
        "SELECT COUNT(*), COUNT(*) FILTER (WHERE document_id = $2)
         FROM comment_thread WHERE member_id = $1",
        [member.0.into(), document.0.into()],
    )
    .await?;
    Ok(counts.unwrap_or_default())
}

/// A page of what one labeler has begun, what moved last first: by their own words alone, so that
/// the order tells nothing of answers.
pub async fn of_member(
    db: &impl Db,
    member: MemberId,
    (page, size): (u64, u64),
    total: u64,
) -> Result<Page<Thread>, Error> {
    let wanted = "comment_thread.member_id = $1 ORDER BY comment_thread.id DESC LIMIT $2 OFFSET $3";
    let offset = sql::signed(page.saturating_mul(size));
    let values = [member.0.into(), sql::signed(size).into(), offset.into()];
    Ok(Page { rows: select(db, wanted, values).await?, total, number: page, size })
}

/// The comments of threads, in the order in which they were written.
pub async fn list(db: &impl Db, threads: &[CommentThreadId]) -> Result<Vec<Comment>, Error> {
    let mut comments = Vec::new();
    for chunk in threads.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let written = comment::Entity::find()
            .joined(comment::Column::MemberId, member::Entity, member::Column::Id)
            .column(member::Column::Role)
            .filter(comment::Column::ThreadId.is_in(chunk.iter().map(|thread| thread.0)))
            .order_by_asc(comment::Column::Id);
        comments.append(&mut sql::all(db, written).await?);
    }
    Ok(comments)
}

read_by_columns! { Comment { thread: thread_id, member: member_id, role, words, written_at } }
