//! What stands beside copies: flags and skips of their labelers, and notes that copies came back
//! with.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, CopyFlag, CopyMarks, CopyNote, DocumentId, FlagKind, MemberId, NewFlag, Role,
    UserId,
};
use sea_orm::{FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks::rows_per_statement, sql},
};

/// A copy whose labeler has put aside the pass that is before them.
pub(crate) const PUT_ASIDE: &str = "EXISTS (SELECT 1 FROM copy_flag
    WHERE copy_flag.document_id = assignment.document_id
    AND copy_flag.member_id = assignment.member_id AND copy_flag.kind = 'skip')";

/// A copy that was put aside and is to be submitted.
pub(crate) const SKIPPED: &str = "(assignment.state <> 'submitted' AND EXISTS (
    SELECT 1 FROM copy_flag WHERE copy_flag.document_id = assignment.document_id
    AND copy_flag.member_id = assignment.member_id AND copy_flag.kind = 'skip'))";

/// A copy of which the labeler says that something is wrong with the document.
pub(crate) const FLAGGED: &str = "EXISTS (SELECT 1 FROM copy_flag
    WHERE copy_flag.document_id = assignment.document_id
    AND copy_flag.member_id = assignment.member_id AND copy_flag.kind = 'flag')";

/// Raises a flag or a skip, in the place of one of its kind.
pub async fn raise(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    flag: &NewFlag,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "INSERT INTO copy_flag (document_id, member_id, kind, reason, note, raised_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (document_id, member_id, kind) DO UPDATE
             SET reason = excluded.reason, note = excluded.note, raised_at = excluded.raised_at",
        [
            document.0.into(),
            member.0.into(),
            flag.kind.name().into(),
            flag.reason.name().into(),
            flag.note.as_str().into(),
            now.into(),
        ],
    )
    .await?;
    Ok(())
}

/// Takes a flag or a skip away; false if there is none.
pub async fn lower(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    kind: FlagKind,
) -> Result<bool, Error> {
    let lowered = sql::execute(
        tx,
        "DELETE FROM copy_flag WHERE document_id = $1 AND member_id = $2 AND kind = $3",
        [document.0.into(), member.0.into(), kind.name().into()],
    )
    .await?;
    Ok(lowered == 1)
}

/// Takes away what ends when a copy is submitted: that it was put aside, and the note that it came
/// back with.
pub async fn submitted(tx: &Tx, document: DocumentId, member: MemberId) -> Result<(), Error> {
    lower(tx, document, member, FlagKind::Skip).await?;
    sql::execute(
        tx,
        "DELETE FROM copy_note WHERE document_id = $1 AND member_id = $2",
        [document.0.into(), member.0.into()],
    )
    .await?;
    Ok(())
}

/// Notes what a copy comes back with, in the place of an earlier note.
pub async fn note(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    note: &CopyNote,
    by: UserId,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "INSERT INTO copy_note (document_id, member_id, note, written_by, role, written_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (document_id, member_id) DO UPDATE
             SET note = excluded.note, written_by = excluded.written_by, role = excluded.role,
                 written_at = excluded.written_at",
        [
            document.0.into(),
            member.0.into(),
            note.note.as_str().into(),
            by.0.into(),
            note.by.name().into(),
            note.written_at.into(),
        ],
    )
    .await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct FlagRow {
    document_id: i64,
    member_id: i64,
    kind: String,
    reason: String,
    note: String,
    raised_at: DateTimeUtc,
}

#[derive(FromQueryResult)]
struct NoteRow {
    document_id: i64,
    member_id: i64,
    note: String,
    role: String,
    written_at: DateTimeUtc,
}

/// What stands beside copies, by document and labeler.
pub type Marks = HashMap<(DocumentId, MemberId), CopyMarks>;

fn gather(flags: Vec<FlagRow>, notes: Vec<NoteRow>, marks: &mut Marks) -> Result<(), Error> {
    for row in flags {
        let copy = (DocumentId(row.document_id), MemberId(row.member_id));
        marks.entry(copy).or_default().flags.push(CopyFlag {
            kind: sql::word(&row.kind)?,
            reason: sql::word(&row.reason)?,
            note: row.note,
            raised_at: row.raised_at,
        });
    }
    for row in notes {
        let copy = (DocumentId(row.document_id), MemberId(row.member_id));
        marks.entry(copy).or_default().note = Some(CopyNote {
            note: row.note,
            by: sql::word::<Role>(&row.role)?,
            written_at: row.written_at,
        });
    }
    Ok(())
}

const FLAGS: &str = "SELECT document_id, member_id, kind, reason, note, raised_at FROM copy_flag";
const NOTES: &str = "SELECT document_id, member_id, note, role, written_at FROM copy_note";

/// What stands beside the copies of these documents.
pub async fn of_documents(db: &impl Db, documents: &[DocumentId]) -> Result<Marks, Error> {
    let mut marks = Marks::new();
    for chunk in documents.chunks(rows_per_statement(db, 1, 0)) {
        let among = sql::placeholders(chunk.len());
        let ids = || chunk.iter().map(|document| document.0.into()).collect::<Vec<_>>();
        let flags = format!("{FLAGS} WHERE document_id IN ({among}) ORDER BY kind");
        let notes = format!("{NOTES} WHERE document_id IN ({among})");
        gather(
            sql::rows(db, &flags, ids()).await?,
            sql::rows(db, &notes, ids()).await?,
            &mut marks,
        )?;
    }
    Ok(marks)
}

/// What stands beside one copy.
pub async fn of_copy(
    db: &impl Db,
    document: DocumentId,
    member: MemberId,
) -> Result<CopyMarks, Error> {
    let ids = || [document.0.into(), member.0.into()];
    let flags = format!("{FLAGS} WHERE document_id = $1 AND member_id = $2 ORDER BY kind");
    let notes = format!("{NOTES} WHERE document_id = $1 AND member_id = $2");
    let mut marks = Marks::new();
    gather(sql::rows(db, &flags, ids()).await?, sql::rows(db, &notes, ids()).await?, &mut marks)?;
    Ok(marks.remove(&(document, member)).unwrap_or_default())
}

/// What stands beside a labeler's copies, by copy; what of it is of no copy any more is left out.
pub async fn of_member(
    db: &impl Db,
    member: MemberId,
) -> Result<BTreeMap<AssignmentId, CopyMarks>, Error> {
    let flags = format!("{FLAGS} WHERE member_id = $1 ORDER BY kind");
    let notes = format!("{NOTES} WHERE member_id = $1");
    let id = || [member.0.into()];
    let mut marks = Marks::new();
    gather(sql::rows(db, &flags, id()).await?, sql::rows(db, &notes, id()).await?, &mut marks)?;
    if marks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let copies: Vec<(i64, i64)> = sql::tuples(
        db,
        "SELECT id, document_id FROM assignment WHERE member_id = $1
         AND (EXISTS (SELECT 1 FROM copy_flag WHERE copy_flag.document_id = assignment.document_id
                      AND copy_flag.member_id = $1)
              OR EXISTS (SELECT 1 FROM copy_note
                         WHERE copy_note.document_id = assignment.document_id
                         AND copy_note.member_id = $1))",
        id(),
    )
    .await?;
    let found = copies.into_iter().filter_map(|(copy, document)| {
        Some((AssignmentId(copy), marks.remove(&(DocumentId(document), member))?))
    });
    Ok(found.collect())
}

/// Who has skipped a document and has no copy of it any more: it is not to be given to them again
/// unless somebody names them.
pub async fn turned_down(
    db: &impl Db,
    project: domain::ProjectId,
) -> Result<Vec<(DocumentId, MemberId)>, Error> {
    let rows: Vec<(i64, i64)> = sql::tuples(
        db,
        "SELECT copy_flag.document_id, copy_flag.member_id FROM copy_flag
         JOIN document ON document.id = copy_flag.document_id
         WHERE document.project_id = $1 AND copy_flag.kind = 'skip'
         AND NOT EXISTS (SELECT 1 FROM assignment
                         WHERE assignment.document_id = copy_flag.document_id
                         AND assignment.member_id = copy_flag.member_id)
         ORDER BY copy_flag.document_id, copy_flag.member_id",
        [project.0.into()],
    )
    .await?;
    Ok(rows
        .into_iter()
        .map(|(document, member)| (DocumentId(document), MemberId(member)))
        .collect())
}

/// Forgets that these documents were skipped by these people: they are given them anew.
pub async fn forget_skips(tx: &Tx, copies: &[(DocumentId, MemberId)]) -> Result<(), Error> {
    for chunk in copies.chunks(rows_per_statement(tx, 2, 0)) {
        let among: Vec<_> = (0..chunk.len())
            .map(|n| format!("(document_id = ${} AND member_id = ${})", 2 * n + 1, 2 * n + 2))
            .collect();
        let ids = chunk.iter().flat_map(|(document, member)| [document.0.into(), member.0.into()]);
        let delete =
            format!("DELETE FROM copy_flag WHERE kind = 'skip' AND ({})", among.join(" OR "));
        sql::execute(tx, &delete, ids.collect::<Vec<_>>()).await?;
    }
    Ok(())
}
