//! Who has which copies, how far they are, and until when they are to be done.

pub mod batches;
pub mod pools;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, CopyQuery, CopyRow, DocumentId, DocumentLoad, FlagKind, LoadOrder, MemberId,
    Page, PersonLoad, ProjectId, Sorting, StateCounts, WorkState,
};
use sea_orm::{FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::sql,
    work::flags::{self, FLAGGED, SKIPPED},
};

/// A copy, as far as giving work out needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    pub document: DocumentId,
    pub member: MemberId,
    pub state: WorkState,
    pub due_at: Option<DateTime<Utc>>,
    /// Whether its labeler has put it aside.
    pub skipped: bool,
}

/// Every copy in a project that is or was worked on: those of people who were removed only with
/// work in them. In the order of documents, then members.
pub async fn holdings(db: &impl Db, project: ProjectId) -> Result<Vec<Holding>, Error> {
    let select = format!(
        "SELECT assignment.document_id, assignment.member_id, assignment.state, assignment.due_at,
                CASE WHEN {SKIPPED} THEN 1 ELSE 0 END
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         WHERE document.project_id = $1
         AND (member.removed_at IS NULL OR assignment.state <> 'open')
         ORDER BY assignment.document_id, assignment.member_id"
    );
    let rows: Vec<(i64, i64, String, Option<DateTimeUtc>, i32)> =
        sql::tuples(db, &select, [project.0.into()]).await?;
    rows.into_iter()
        .map(|(document, member, state, due_at, skipped)| {
            Ok(Holding {
                document: DocumentId(document),
                member: MemberId(member),
                state: sql::word(&state)?,
                due_at,
                skipped: skipped != 0,
            })
        })
        .collect()
}

/// What is counted of copies; `$2` is now. What was put aside waits for an answer and is not late.
fn counts() -> String {
    format!(
        "COUNT(assignment.id) FILTER (WHERE assignment.state = 'open' AND NOT {SKIPPED}) AS open,
         COUNT(assignment.id) FILTER (WHERE assignment.state = 'saved' AND NOT {SKIPPED}) AS saved,
         COUNT(assignment.id) FILTER (WHERE assignment.state = 'submitted') AS submitted,
         COUNT(assignment.id) FILTER (WHERE {SKIPPED}) AS skipped,
         COUNT(assignment.id) FILTER (WHERE {FLAGGED}) AS flagged,
         COUNT(assignment.id) FILTER (WHERE assignment.state <> 'submitted'
             AND assignment.due_at < $2 AND NOT {SKIPPED}) AS overdue"
    )
}

#[derive(FromQueryResult)]
struct LoadRow {
    id: i64,
    name: String,
    paused_at: Option<DateTimeUtc>,
    open: i64,
    saved: i64,
    submitted: i64,
    skipped: i64,
    flagged: i64,
    overdue: i64,
}

impl LoadRow {
    fn counts(&self) -> Result<StateCounts, Error> {
        Ok(StateCounts {
            open: sql::number(self.open)?,
            saved: sql::number(self.saved)?,
            submitted: sql::number(self.submitted)?,
            skipped: sql::number(self.skipped)?,
        })
    }
}

/// Every labeler's copies, in the order in which they joined, without those who were removed.
pub async fn people(
    db: &impl Db,
    project: ProjectId,
    now: DateTime<Utc>,
) -> Result<Vec<PersonLoad>, Error> {
    let counts = counts();
    let select = format!(
        "SELECT member.id, user_account.name, member.paused_at, {counts}
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         LEFT JOIN assignment ON assignment.member_id = member.id
         WHERE member.project_id = $1 AND member.role = 'labeler' AND member.removed_at IS NULL
         GROUP BY member.id, user_account.name, member.paused_at
         ORDER BY member.id"
    );
    let rows = sql::rows::<LoadRow, _>(db, &select, [project.0.into(), now.into()]).await?;
    rows.into_iter()
        .map(|row| {
            Ok(PersonLoad {
                member: MemberId(row.id),
                counts: row.counts()?,
                overdue: sql::number(row.overdue)?,
                flagged: sql::number(row.flagged)?,
                name: row.name,
                paused_at: row.paused_at,
            })
        })
        .collect()
}

/// A page of a project's documents with the counts of their copies.
pub async fn documents(
    db: &impl Db,
    project: ProjectId,
    sorting: Sorting<LoadOrder>,
    size: u64,
    now: DateTime<Utc>,
) -> Result<Page<DocumentLoad>, Error> {
    let total = crate::document::count(db, project).await?;
    // Most first, unless it is turned round; documents in the order of their import.
    let (column, most_first) = match sorting.order {
        LoadOrder::Name => ("document.id", false),
        LoadOrder::Open => ("open", true),
        LoadOrder::Saved => ("saved", true),
        LoadOrder::Submitted => ("submitted", true),
        LoadOrder::Overdue => ("overdue", true),
        LoadOrder::Skipped => ("skipped", true),
        LoadOrder::Flagged => ("flagged", true),
        LoadOrder::All => ("COUNT(assignment.id)", true),
    };
    let way = if most_first == sorting.descending { "ASC" } else { "DESC" };
    let counts = counts();
    let select = format!(
        "SELECT document.id, document.name, CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS paused_at,
                {counts}
         FROM document
         LEFT JOIN assignment ON assignment.document_id = document.id
             AND (assignment.state <> 'open' OR NOT EXISTS (
                 SELECT 1 FROM member
                 WHERE member.id = assignment.member_id AND member.removed_at IS NOT NULL))
         WHERE document.project_id = $1
         GROUP BY document.id, document.name
         ORDER BY {column} {way}, document.id
         LIMIT $3 OFFSET $4"
    );
    let limit = |n: u64| Value::from(i64::try_from(n).unwrap_or(i64::MAX));
    let offset = limit(sorting.page.saturating_mul(size));
    let values = [project.0.into(), now.into(), limit(size), offset];
    let rows = sql::rows::<LoadRow, _>(db, &select, values).await?;
    let rows = rows.into_iter().map(|row| {
        Ok(DocumentLoad {
            document: DocumentId(row.id),
            counts: row.counts()?,
            overdue: sql::number(row.overdue)?,
            flagged: sql::number(row.flagged)?,
            name: row.name,
        })
    });
    Ok(Page { rows: rows.collect::<Result<_, Error>>()?, total, number: sorting.page, size })
}

#[derive(FromQueryResult)]
struct CopyRowRow {
    total: i64,
    copy_id: i64,
    document_id: i64,
    document_name: String,
    place: i64,
    member_id: i64,
    name: String,
    state: String,
    saved_at: Option<DateTimeUtc>,
    due_at: Option<DateTimeUtc>,
    overdue: i32,
}

/// A page of the copies that are asked for, in the order of documents, then members.
pub async fn copies(
    db: &impl Db,
    project: ProjectId,
    query: CopyQuery,
    size: u64,
    now: DateTime<Utc>,
) -> Result<Page<CopyRow>, Error> {
    let limit = |n: u64| Value::from(i64::try_from(n).unwrap_or(i64::MAX));
    let wanted = match query.flag {
        None => String::new(),
        Some(FlagKind::Flag) => format!("AND {FLAGGED}"),
        Some(FlagKind::Skip) => format!("AND {SKIPPED}"),
    };
    // What is not asked for is -1, '' or 0, which no row has.
    let select = format!(
        "SELECT COUNT(*) OVER () AS total, assignment.id AS copy_id,
                assignment.document_id, document.name AS document_name,
                (SELECT COUNT(*) FROM document AS listed WHERE listed.project_id = $1
                 AND listed.id <= assignment.document_id) AS place,
                assignment.member_id, user_account.name, assignment.state, assignment.saved_at,
                assignment.due_at,
                CASE WHEN assignment.state <> 'submitted' AND assignment.due_at < $2
                    AND NOT {SKIPPED} THEN 1 ELSE 0 END AS overdue
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         JOIN user_account ON user_account.id = member.user_id
         WHERE document.project_id = $1
         AND (member.removed_at IS NULL OR assignment.state <> 'open')
         AND ($3 = -1 OR assignment.member_id = $3)
         AND ($4 = -1 OR assignment.document_id = $4)
         AND ($5 = '' OR (assignment.state = $5 AND NOT {SKIPPED}))
         AND ($6 = 0 OR (assignment.state <> 'submitted' AND assignment.due_at < $2
                         AND NOT {SKIPPED}))
         {wanted}
         ORDER BY assignment.document_id, assignment.member_id
         LIMIT $7 OFFSET $8"
    );
    let rows = sql::rows::<CopyRowRow, _>(
        db,
        &select,
        [
            project.0.into(),
            now.into(),
            query.member.map_or(-1, |member| member.0).into(),
            query.document.map_or(-1, |document| document.0).into(),
            query.state.map_or("", WorkState::name).into(),
            i64::from(query.overdue).into(),
            limit(size),
            limit(query.page.saturating_mul(size)),
        ],
    )
    .await?;
    let total = rows.first().map_or(Ok(0), |row| sql::number(row.total))?;
    let documents: BTreeSet<_> = rows.iter().map(|row| DocumentId(row.document_id)).collect();
    let documents: Vec<_> = documents.into_iter().collect();
    let mut marks = flags::of_documents(db, &documents).await?;
    let rows = rows.into_iter().map(|row| {
        let copy = (DocumentId(row.document_id), MemberId(row.member_id));
        Ok(CopyRow {
            copy: AssignmentId(row.copy_id),
            place: sql::number(row.place)?,
            marks: marks.remove(&copy).unwrap_or_default(),
            document: DocumentId(row.document_id),
            document_name: row.document_name,
            member: MemberId(row.member_id),
            name: row.name,
            state: sql::word(&row.state)?,
            saved_at: row.saved_at,
            due_at: row.due_at,
            overdue: row.overdue != 0,
        })
    });
    Ok(Page { rows: rows.collect::<Result<_, Error>>()?, total, number: query.page, size })
}

/// Pauses a labeler's work, or lets it go on; false if the project has no such labeler, or it is so
/// already.
pub async fn pause(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    since: Option<DateTime<Utc>>,
) -> Result<bool, Error> {
    let changed = sql::execute(
        tx,
        "UPDATE member SET paused_at = $3
         WHERE id = $2 AND project_id = $1 AND role = 'labeler' AND removed_at IS NULL
         AND (paused_at IS NULL) <> ($3 IS NULL)",
        [project.0.into(), member.0.into(), since.into()],
    )
    .await?;
    Ok(changed == 1)
}

/// Whether a member's work is paused.
pub async fn is_paused(db: &impl Db, member: MemberId) -> Result<bool, Error> {
    let found: Option<(i64,)> = sql::tuple(
        db,
        "SELECT COUNT(*) FROM member WHERE id = $1 AND paused_at IS NOT NULL",
        [member.0.into()],
    )
    .await?;
    Ok(found.is_some_and(|(n,)| n > 0))
}
