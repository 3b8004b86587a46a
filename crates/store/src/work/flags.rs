//! What stands beside assignments: flags and skips of their labelers, and notes that assignments came back
//! with.

use std::collections::{BTreeMap, HashMap};

use domain::{
    AssignmentId, AssignmentNotes, DocumentId, FlagKind, MemberId, NewFlag, RaisedFlag, ReturnNote,
    UserId,
};

use crate::{
    base::chunks::rows_per_statement,
    base::prelude::*,
    entity::{
        assignment,
        assignment_flag::{self, Entity as Flags},
        assignment_note::{self, Entity as Notes},
    },
};

/// An assignment whose labeler has put aside the pass that is before them.
pub(crate) const PUT_ASIDE: &str = "EXISTS (SELECT 1 FROM assignment_flag
    WHERE assignment_flag.document_id = assignment.document_id
    AND assignment_flag.member_id = assignment.member_id AND assignment_flag.kind = 'skip')";

/// An assignment that was put aside and is to be submitted.
pub(crate) const SKIPPED: &str = "(assignment.state <> 'submitted' AND EXISTS (
    SELECT 1 FROM assignment_flag WHERE assignment_flag.document_id = assignment.document_id
    AND assignment_flag.member_id = assignment.member_id AND assignment_flag.kind = 'skip'))";

/// An assignment of which the labeler says that something is wrong with the document.
pub(crate) const FLAGGED: &str = "EXISTS (SELECT 1 FROM assignment_flag
    WHERE assignment_flag.document_id = assignment.document_id
    AND assignment_flag.member_id = assignment.member_id AND assignment_flag.kind = 'flag')";

/// Raises a flag or a skip, in the place of one of its kind.
pub async fn raise(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    flag: &NewFlag,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    use assignment_flag::Column::{DocumentId, Kind, MemberId, Note, RaisedAt, Reason};
    let row = assignment_flag::ActiveModel {
        document_id: Set(document.0),
        member_id: Set(member.0),
        kind: Set(flag.kind.name().to_owned()),
        reason: Set(flag.reason.name().to_owned()),
        note: Set(flag.note.clone()),
        raised_at: Set(now),
    };
    let newer = OnConflict::columns([DocumentId, MemberId, Kind])
        .update_columns([Reason, Note, RaisedAt])
        .to_owned();
    sql::run(tx, Flags::insert(row).on_conflict(newer)).await?;
    Ok(())
}

/// Takes a flag or a skip away; false if there is none.
pub async fn lower(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    kind: FlagKind,
) -> Result<bool, Error> {
    let flag = (document.0, member.0, kind.name().to_owned());
    Ok(sql::run(tx, Flags::delete_by_id(flag)).await? == 1)
}

/// Takes away what ends when an assignment is submitted: that it was put aside, and the note that it came
/// back with.
pub async fn submitted(tx: &Tx, document: DocumentId, member: MemberId) -> Result<(), Error> {
    lower(tx, document, member, FlagKind::Skip).await?;
    sql::run(tx, Notes::delete_by_id((document.0, member.0))).await?;
    Ok(())
}

/// Notes what an assignment comes back with, in the place of an earlier note.
pub async fn note(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
    note: &ReturnNote,
    by: UserId,
) -> Result<(), Error> {
    use assignment_note::Column::{DocumentId, MemberId, Note, Role, WrittenAt, WrittenBy};
    let row = assignment_note::ActiveModel {
        document_id: Set(document.0),
        member_id: Set(member.0),
        note: Set(note.note.clone()),
        written_by: Set(Some(by.0)),
        role: Set(note.by.name().to_owned()),
        written_at: Set(note.written_at),
    };
    let newer = OnConflict::columns([DocumentId, MemberId])
        .update_columns([Note, WrittenBy, Role, WrittenAt])
        .to_owned();
    sql::run(tx, Notes::insert(row).on_conflict(newer)).await?;
    Ok(())
}

/// What stands beside assignments, by document and labeler.
pub type NotesByAssignment = HashMap<(DocumentId, MemberId), AssignmentNotes>;

/// What stands beside the assignments that meet a condition on flags, and the same on notes.
async fn gather(db: &impl Db, flags: Expr, notes: Expr) -> Result<NotesByAssignment, Error> {
    let mut by_assignment = NotesByAssignment::new();
    let flags = Flags::find().filter(flags).order_by_asc(assignment_flag::Column::Kind);
    for Beside(assignment, flag) in sql::all(db, flags).await? {
        by_assignment.entry(assignment).or_default().flags.push(flag);
    }
    for Beside(assignment, note) in sql::all(db, Notes::find().filter(notes)).await? {
        by_assignment.entry(assignment).or_default().note = Some(note);
    }
    Ok(by_assignment)
}

/// What stands beside an assignment.
struct Beside<T>((DocumentId, MemberId), T);

impl<T: FromRow> FromRow for Beside<T> {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self((row.get("document_id")?, row.get("member_id")?), row.part()?))
    }
}

read_by_columns! {
    RaisedFlag { kind, reason, note, raised_at }
    ReturnNote { note, by: role, written_at }
}

/// What stands beside the assignments of these documents.
pub async fn of_documents(
    db: &impl Db,
    documents: &[DocumentId],
) -> Result<NotesByAssignment, Error> {
    let mut found = NotesByAssignment::new();
    for chunk in documents.chunks(rows_per_statement(db, 1, 0)) {
        let ids = || chunk.iter().map(|document| document.0);
        let flags = assignment_flag::Column::DocumentId.is_in(ids());
        found.extend(gather(db, flags, assignment_note::Column::DocumentId.is_in(ids())).await?);
    }
    Ok(found)
}

/// What stands beside one assignment.
pub async fn of_assignment(
    db: &impl Db,
    document: DocumentId,
    member: MemberId,
) -> Result<AssignmentNotes, Error> {
    let flags = assignment_flag::Column::DocumentId.eq(document.0);
    let notes = assignment_note::Column::DocumentId.eq(document.0);
    let flags = flags.and(assignment_flag::Column::MemberId.eq(member.0));
    let notes = notes.and(assignment_note::Column::MemberId.eq(member.0));
    Ok(gather(db, flags, notes).await?.remove(&(document, member)).unwrap_or_default())
}

/// What stands beside a labeler's assignments, by assignment; what of it is of no assignment any more is left out.
pub async fn of_member(
    db: &impl Db,
    member: MemberId,
) -> Result<BTreeMap<AssignmentId, AssignmentNotes>, Error> {
    let flags = assignment_flag::Column::MemberId.eq(member.0);
    let notes = assignment_note::Column::MemberId.eq(member.0);
    let mut by_assignment = gather(db, flags, notes).await?;
    if by_assignment.is_empty() {
        return Ok(BTreeMap::new());
    }
    let documents: Vec<_> = by_assignment.keys().map(|(document, _)| document.0).collect();
    let mut found = BTreeMap::new();
    for chunk in documents.chunks(rows_per_statement(db, 1, 1)) {
        let assignments = assignment::Entity::find()
            .select_only()
            .columns([assignment::Column::Id, assignment::Column::DocumentId])
            .filter(assignment::Column::MemberId.eq(member.0))
            .filter(assignment::Column::DocumentId.is_in(chunk.iter().copied()));
        let assignments: Vec<(_, DocumentId)> = sql::all(db, assignments).await?;
        found.extend(assignments.into_iter().filter_map(|(assignment, document)| {
            Some((assignment, by_assignment.remove(&(document, member))?))
        }));
    }
    Ok(found)
}

/// Who has skipped a document and has no assignment of it any more: it is not to be given to them again
/// unless somebody names them.
pub async fn turned_down(
    db: &impl Db,
    project: domain::ProjectId,
) -> Result<Vec<(DocumentId, MemberId)>, Error> {
    // SQL: `NOT EXISTS` by two columns.
    sql::rows(
        db,
        "SELECT assignment_flag.document_id, assignment_flag.member_id FROM assignment_flag
         JOIN document ON document.id = assignment_flag.document_id
         WHERE document.project_id = $1 AND assignment_flag.kind = 'skip'
         AND NOT EXISTS (SELECT 1 FROM assignment
                         WHERE assignment.document_id = assignment_flag.document_id
                         AND assignment.member_id = assignment_flag.member_id)
         ORDER BY assignment_flag.document_id, assignment_flag.member_id",
        [project.0.into()],
    )
    .await
}

/// Forgets that these documents were skipped by these people: they are given them anew.
pub async fn forget_skips(tx: &Tx, assignments: &[(DocumentId, MemberId)]) -> Result<(), Error> {
    let columns = [assignment_flag::Column::DocumentId, assignment_flag::Column::MemberId];
    for chunk in assignments.chunks(rows_per_statement(tx, 2, 1)) {
        let wanted = chunk.iter().map(|(document, member)| (document.0, member.0));
        let forget = Flags::delete_many()
            .filter(assignment_flag::Column::Kind.eq(FlagKind::Skip.name()))
            .filter(chunks::among(columns, wanted));
        sql::run(tx, forget).await?;
    }
    Ok(())
}
