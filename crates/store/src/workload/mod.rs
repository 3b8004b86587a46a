//! Who has which assignments, how far they are, and until when they are to be done.

pub mod batches;
pub mod pools;

use std::collections::{BTreeSet, HashMap};

use domain::{
    AssignmentQuery, AssignmentRow, DocumentId, DocumentLoad, FlagKind, LoadOrder, MemberId, Page,
    PersonLoad, PersonProgress, ProjectId, Role, Sorting, WorkState,
};

use crate::{
    base::{chunks::rows_per_statement, prelude::*},
    entity::member::{Column, Entity as Members},
    work::flags::{self, FLAGGED, SKIPPED},
};

/// An assignment, as far as giving work out needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    pub document: DocumentId,
    pub member: MemberId,
    pub state: WorkState,
    pub due_at: Option<DateTime<Utc>>,
    /// Whether its labeler has put it aside.
    pub skipped: bool,
}

/// Every assignment in a project that is or was worked on: those of people who were removed only with
/// work in them. In the order of documents, then members.
pub async fn holdings(db: &impl Db, project: ProjectId) -> Result<Vec<Holding>, Error> {
    held(db, "document.project_id = $1", project.0).await
}

/// As [`holdings`], of one document.
pub async fn holdings_of(db: &impl Db, document: DocumentId) -> Result<Vec<Holding>, Error> {
    held(db, "document.id = $1", document.0).await
}

async fn held(db: &impl Db, condition: &str, value: i64) -> Result<Vec<Holding>, Error> {
    // SQL: a condition that is a text in many queries.
    let select = format!(
        "SELECT assignment.document_id, assignment.member_id, assignment.state, assignment.due_at,
                CASE WHEN {SKIPPED} THEN 1 ELSE 0 END
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         WHERE {condition}
         AND (member.removed_at IS NULL OR assignment.state <> 'open')
         ORDER BY assignment.document_id, assignment.member_id"
    );
    let rows = sql::rows(db, &select, [value.into()]).await?;
    let holding = |(document, member, state, due_at, skipped): (_, _, _, _, i32)| Holding {
        document,
        member,
        state,
        due_at,
        skipped: skipped != 0,
    };
    Ok(rows.into_iter().map(holding).collect())
}

/// What moves on with every action in a project that changes who is to finish which documents: while it stays
/// the same, so does what [`given`] says.
pub async fn stamp(db: &impl Db, project: ProjectId) -> Result<(i64, i64), Error> {
    // SQL: two numbers of two tables. Every change of a project is in its audit trail, but for accounts that
    // are removed from the server.
    let stamp = "SELECT
        (SELECT COALESCE(MAX(place), 0) FROM audit WHERE chain = $1),
        (SELECT COUNT(*) FROM member WHERE project_id = $1 AND removed_at IS NOT NULL)";
    Ok(sql::row(db, stamp, [project.0.into()]).await?.unwrap_or_default())
}

/// How many labelers have finished each document of a project or are still to: not those who were
/// removed or have put it aside before they had.
pub async fn given(db: &impl Db, project: ProjectId) -> Result<Vec<(DocumentId, u64)>, Error> {
    // SQL: a condition that is a text in many queries. Nearly all documents have been given to equally many:
    // a row for each number is quicker to hand over than one for each document.
    let counted = given_where("document.project_id = $1");
    let select = format!(
        "SELECT given, string_agg(CAST(document_id AS TEXT), ' ') FROM ({counted}) AS counted
         GROUP BY given"
    );
    let rows: Vec<(u64, String)> = sql::rows(db, &select, [project.0.into()]).await?;
    let ids = rows.iter().flat_map(|(given, ids)| {
        let id = |id: &str| id.parse().map(|id| (DocumentId(id), *given));
        ids.split_ascii_whitespace().map(id)
    });
    ids.collect::<Result<_, _>>().map_err(Error::unreadable)
}

/// The documents of a project that one alone has before them or has worked on: of those who were removed, who
/// has work in them; without those who have put it aside.
pub async fn held_once(db: &impl Db, project: ProjectId) -> Result<BTreeSet<DocumentId>, Error> {
    // SQL: as above.
    let select = format!(
        "SELECT COALESCE(string_agg(CAST(document_id AS TEXT), ' '), '') FROM (
             SELECT assignment.document_id
             FROM document
             JOIN assignment ON assignment.document_id = document.id
             JOIN member ON member.id = assignment.member_id
             WHERE document.project_id = $1
             AND (member.removed_at IS NULL OR assignment.state <> 'open') AND NOT {SKIPPED}
             GROUP BY assignment.document_id HAVING COUNT(*) = 1
         ) AS alone"
    );
    let ids: Option<String> = sql::row(db, &select, [project.0.into()]).await?;
    let ids = ids.unwrap_or_default();
    let id = |id: &str| id.parse().map(DocumentId).map_err(Error::unreadable);
    ids.split_ascii_whitespace().map(id).collect()
}

/// The same of some documents.
pub async fn given_documents(
    db: &impl Db,
    documents: &[DocumentId],
) -> Result<Vec<(DocumentId, u64)>, Error> {
    // SQL: as above.
    let mut given = Vec::with_capacity(documents.len());
    for chunk in documents.chunks(rows_per_statement(db, 1, 0)) {
        let these = format!("document.id IN ({})", sql::placeholders(chunk.len()));
        let ids = chunk.iter().map(|id| id.0.into());
        given.extend(sql::rows::<(DocumentId, u64)>(db, &given_where(&these), ids).await?);
    }
    Ok(given)
}

fn given_where(documents: &str) -> String {
    format!(
        "SELECT assignment.document_id, COUNT(*) AS given
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         WHERE {documents}
         AND (assignment.state = 'submitted' OR (member.removed_at IS NULL AND NOT {SKIPPED}))
         GROUP BY assignment.document_id"
    )
}

/// What is counted of assignments; `$2` is now. What was put aside waits for an answer and is not late.
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

/// Every labeler's assignments, in the order in which they joined, without those who were removed.
pub async fn people(
    db: &impl Db,
    project: ProjectId,
    now: DateTime<Utc>,
) -> Result<Vec<PersonLoad>, Error> {
    // SQL: counts with `FILTER`, in a `WITH`.
    let select = format!(
        "WITH {OF_LABELERS}
         SELECT member.id, user_account.name, member.paused_at, of_labeler.*
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         JOIN of_labeler ON of_labeler.member_id = member.id
         ORDER BY member.id"
    );
    sql::rows(db, &select, [project.0.into(), now.into()]).await
}

/// How far a project's labelers and reviewers have come, repeats left out, in the order of the matrix, without
/// those who were removed. A reviewer has every document before them, so what is open to a
/// reviewer is what they have not begun.
pub async fn progress(db: &impl Db, project: ProjectId) -> Result<Vec<PersonProgress>, Error> {
    let labelers = people(db, project, DateTime::UNIX_EPOCH).await?;
    let labelers = labelers.into_iter().map(|PersonLoad { member, name, counts, .. }| {
        PersonProgress { member, name, role: Role::Labeler, counts }
    });
    // SQL: `COUNT` with `FILTER` over joins and groups.
    let reviewers = "SELECT member.id, user_account.name, member.role,
                (SELECT COUNT(*) FROM document WHERE document.project_id = $1)
                    - COUNT(review.id) FILTER (WHERE review.state <> 'open') AS open,
                COUNT(review.id) FILTER (WHERE review.state = 'saved') AS saved,
                COUNT(review.id) FILTER (WHERE review.state = 'submitted') AS submitted,
                CAST(0 AS BIGINT) AS skipped
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         LEFT JOIN review ON review.member_id = member.id
         WHERE member.project_id = $1 AND member.role = 'reviewer' AND member.removed_at IS NULL
         GROUP BY member.id, user_account.name, member.role
         ORDER BY member.id";
    let reviewers: Vec<_> = sql::rows(db, reviewers, [project.0.into()]).await?;
    Ok(labelers.chain(reviewers).collect())
}

read_by_columns! {
    PersonProgress { member: id, name, role, counts: (part) }
}

/// What is counted of the assignments of each labeler of the project `$1` who was not removed, for a `WITH`;
/// `$2` is now. Who has many assignments has few flags: states are counted in an index alone, and what was put
/// aside is taken off.
const OF_LABELERS: &str = "flags AS (
        SELECT assignment.member_id,
               COUNT(*) FILTER (WHERE assignment_flag.kind = 'flag') AS flagged,
               COUNT(*) FILTER (WHERE assignment_flag.kind = 'skip' AND assignment.state = 'open')
                   AS open,
               COUNT(*) FILTER (WHERE assignment_flag.kind = 'skip' AND assignment.state = 'saved')
                   AS saved,
               COUNT(*) FILTER (WHERE assignment_flag.kind = 'skip'
                   AND assignment.state <> 'submitted' AND assignment.due_at < $2) AS overdue
        FROM member
        JOIN assignment_flag ON assignment_flag.member_id = member.id
        JOIN assignment ON assignment.document_id = assignment_flag.document_id
            AND assignment.member_id = assignment_flag.member_id
        WHERE member.project_id = $1
        GROUP BY assignment.member_id
    ),
    states AS (
        SELECT assignment.member_id,
               COUNT(*) FILTER (WHERE assignment.state = 'open') AS open,
               COUNT(*) FILTER (WHERE assignment.state = 'saved') AS saved,
               COUNT(*) FILTER (WHERE assignment.state = 'submitted') AS submitted,
               COUNT(*) FILTER (WHERE assignment.state <> 'submitted' AND assignment.due_at < $2)
                   AS overdue
        FROM member JOIN assignment ON assignment.member_id = member.id
        WHERE member.project_id = $1
        GROUP BY assignment.member_id
    ),
    of_labeler AS (
        SELECT member.id AS member_id,
               COALESCE(states.open, 0) - COALESCE(flags.open, 0) AS open,
               COALESCE(states.saved, 0) - COALESCE(flags.saved, 0) AS saved,
               COALESCE(states.submitted, 0) AS submitted,
               COALESCE(flags.open, 0) + COALESCE(flags.saved, 0) AS skipped,
               COALESCE(states.overdue, 0) - COALESCE(flags.overdue, 0) AS overdue,
               COALESCE(flags.flagged, 0) AS flagged
        FROM member
        LEFT JOIN states ON states.member_id = member.id
        LEFT JOIN flags ON flags.member_id = member.id
        WHERE member.project_id = $1 AND member.role = 'labeler' AND member.removed_at IS NULL
    )";

read_by_columns! {
    PersonLoad { member: id, name, counts: (part), overdue, flagged, paused_at }
}

read_by_columns! {
    DocumentLoad { document: id, name, counts: (part), overdue, flagged }
}

/// A page of a project's documents with the counts of their assignments.
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
    // In the order of their import, what is not on the page is not counted.
    let these = match sorting.order {
        LoadOrder::Name => format!(
            "(SELECT id, project_id, name FROM document WHERE project_id = $1
              ORDER BY id {way} LIMIT $3 OFFSET $4)"
        ),
        _ => "document".to_owned(),
    };
    let offset_of_page = match sorting.order {
        LoadOrder::Name => "",
        _ => "OFFSET $4",
    };
    // SQL: `COUNT` with `FILTER` over joins and groups.
    let counts = counts();
    let select = format!(
        "SELECT document.id, document.name, {counts}
         FROM {these} AS document
         LEFT JOIN assignment ON assignment.document_id = document.id
             AND (assignment.state <> 'open' OR NOT EXISTS (
                 SELECT 1 FROM member
                 WHERE member.id = assignment.member_id AND member.removed_at IS NOT NULL))
         WHERE document.project_id = $1
         GROUP BY document.id, document.name
         ORDER BY {column} {way}, document.id
         LIMIT $3 {offset_of_page}"
    );
    let offset = sql::signed(sorting.page.saturating_mul(size));
    let values = [project.0.into(), now.into(), sql::signed(size).into(), offset.into()];
    let rows = sql::rows(db, &select, values).await?;
    Ok(Page { rows, total, number: sorting.page, size })
}

/// A page of the assignments that are asked for, in the order of documents, then members.
pub async fn assignments(
    db: &impl Db,
    project: ProjectId,
    query: AssignmentQuery,
    size: u64,
    now: DateTime<Utc>,
) -> Result<Page<AssignmentRow>, Error> {
    // SQL: conditions that are texts in many queries, for a count and for a page.
    let wanted = match query.flag {
        None => String::new(),
        Some(FlagKind::Flag) => format!("AND {FLAGGED}"),
        Some(FlagKind::Skip) => format!("AND {SKIPPED}"),
    };
    let state = match query.state {
        None => String::new(),
        Some(state) => format!("AND assignment.state = '{}' AND NOT {SKIPPED}", state.name()),
    };
    let mut values: Vec<Value> = vec![project.0.into()];
    let mut asked = |column: &str, id: Option<i64>| match id {
        None => String::new(),
        Some(id) => {
            values.push(id.into());
            format!("AND assignment.{column} = ${}", values.len())
        }
    };
    let of_member = asked("member_id", query.member.map(|member| member.0));
    let of_document = asked("document_id", query.document.map(|document| document.0));
    let next = values.len() + 1;
    let late = format!(
        "assignment.state <> 'submitted' AND assignment.due_at < ${next} AND NOT {SKIPPED}"
    );
    let overdue = if query.overdue { format!("AND {late}") } else { String::new() };
    let found = format!(
        "FROM assignment
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         WHERE document.project_id = $1
         AND (member.removed_at IS NULL OR assignment.state <> 'open')
         {of_member} {of_document} {state} {overdue} {wanted}"
    );
    let counted = values.iter().cloned().chain(query.overdue.then(|| now.into()));
    let total = sql::row(db, &format!("SELECT COUNT(*) {found}"), counted).await?;
    // The page first, then what is said of its rows.
    let (limit, offset) = (next + 1, next + 2);
    let select = format!(
        "SELECT assignment.id AS assignment_id,
                assignment.document_id, document.name AS document_name,
                assignment.member_id, user_account.name, assignment.state, assignment.saved_at,
                assignment.due_at, CASE WHEN {late} THEN 1 ELSE 0 END AS overdue
         FROM (
             SELECT assignment.id {found}
             ORDER BY assignment.document_id, assignment.member_id
             LIMIT ${limit} OFFSET ${offset}
         ) AS page
         JOIN assignment ON assignment.id = page.id
         JOIN document ON document.id = assignment.document_id
         JOIN member ON member.id = assignment.member_id
         JOIN user_account ON user_account.id = member.user_id
         ORDER BY assignment.document_id, assignment.member_id"
    );
    let skipped = sql::signed(query.page.saturating_mul(size));
    values.extend([now.into(), sql::signed(size).into(), skipped.into()]);
    let mut rows: Vec<AssignmentRow> = sql::rows(db, &select, values).await?;
    let documents: BTreeSet<_> = rows.iter().map(|row| row.document).collect();
    let documents: Vec<_> = documents.into_iter().collect();
    let places = places(db, project, &documents).await?;
    let mut notes = flags::of_documents(db, &documents).await?;
    for row in &mut rows {
        row.place = places.get(&row.document).copied().unwrap_or_default();
        row.notes = notes.remove(&(row.document, row.member)).unwrap_or_default();
    }
    Ok(Page { rows, total: total.unwrap_or_default(), number: query.page, size })
}

/// Where documents, in order, stand in the list of their project.
async fn places(
    db: &impl Db,
    project: ProjectId,
    documents: &[DocumentId],
) -> Result<HashMap<DocumentId, u64>, Error> {
    let (Some(first), Some(last)) = (documents.first(), documents.last()) else {
        return Ok(HashMap::new());
    };
    // SQL: a number from an index, and a window over what lies between the first and the last.
    let these = sql::placeholders_from(4, documents.len());
    let select = format!(
        "SELECT id, place FROM (
             SELECT id, ROW_NUMBER() OVER (ORDER BY id)
                 + (SELECT COUNT(*) FROM document WHERE project_id = $1 AND id < $2) AS place
             FROM document WHERE project_id = $1 AND id BETWEEN $2 AND $3
         ) AS placed WHERE id IN ({these})"
    );
    let ids = documents.iter().map(|document| document.0);
    let values = [project.0, first.0, last.0].into_iter().chain(ids).map(Value::from);
    Ok(sql::rows(db, &select, values).await?.into_iter().collect())
}

read_by_columns! {
    AssignmentRow { assignment: assignment_id, place: (none), notes: (none), document: document_id, document_name, member: member_id, name, state, saved_at, due_at, overdue: (is_true overdue) }
}

/// Pauses a labeler's work, or lets it go on; false if the project has no such labeler, or it is so
/// already.
pub async fn pause(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    since: Option<DateTime<Utc>>,
) -> Result<bool, Error> {
    let paused = Column::PausedAt;
    let otherwise = if since.is_some() { paused.is_null() } else { paused.is_not_null() };
    let pause = Members::update_many()
        .col_expr(paused, since.into())
        .filter(Column::Id.eq(member.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Role.eq(Role::Labeler.name()))
        .filter(Column::RemovedAt.is_null())
        .filter(otherwise);
    Ok(sql::run(tx, pause).await? == 1)
}

/// Whether a member's work is paused.
pub async fn is_paused(db: &impl Db, member: MemberId) -> Result<bool, Error> {
    let paused = Members::find_by_id(member.0).filter(Column::PausedAt.is_not_null());
    Ok(paused.one(db.connection()).await?.is_some())
}
