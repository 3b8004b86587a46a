//! The labelers' assignments.

use domain::{
    AssignmentCard, AssignmentId, DocumentId, ImportId, MemberId, ProjectId, RepeatId, Revision,
    StateCounts, UserId, WorkState, saturating,
};
use sea_orm::{ConnectionTrait, DbBackend};

use crate::{
    Neighbours,
    base::prelude::*,
    entity::{
        assignment::{self, Column, Entity},
        import_document, member,
    },
    work::flags::PUT_ASIDE,
};

/// An assignment as its labeler has it before them, with what is needed to decide who may do what with it.
/// Once it is to be repeated, state, revision and time are those of the repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub id: AssignmentId,
    pub document: DocumentId,
    pub document_name: String,
    /// The document's length in Unicode scalar values.
    pub characters: u32,
    pub project: ProjectId,
    pub member: MemberId,
    pub user: UserId,
    /// Whether its labeler was removed from the project.
    pub member_removed: bool,
    /// The second pass that stands in the place of the first.
    pub repeat: Option<RepeatId>,
    pub state: WorkState,
    pub revision: Revision,
    pub saved_at: Option<DateTime<Utc>>,
}

/// Gives labelers assignments. Those that they have stay as they are.
pub async fn insert_many(tx: &Tx, assignments: &[(DocumentId, MemberId)]) -> Result<(), Error> {
    let rows = assignments.iter().map(|(document, member)| assignment::ActiveModel {
        document_id: Set(document.0),
        member_id: Set(member.0),
        state: Set(WorkState::Open.name().to_owned()),
        ..Default::default()
    });
    let existing =
        OnConflict::columns([Column::DocumentId, Column::MemberId]).do_nothing().to_owned();
    chunks::insert_or(tx, rows.collect(), existing).await
}

/// Who has assignments to begin with of documents that an import has brought.
pub async fn labelers_given(db: &impl Db, import: ImportId) -> Result<Vec<UserId>, Error> {
    let open = Entity::find()
        .select_only()
        .column(Column::MemberId)
        .joined(Column::DocumentId, import_document::Entity, import_document::Column::DocumentId)
        .filter(import_document::Column::ImportId.eq(import.0))
        .filter(Column::State.eq(WorkState::Open.name()));
    let labelers = member::Entity::find()
        .select_only()
        .column(member::Column::UserId)
        .filter(member::Column::Id.in_subquery(open.into_query()))
        .filter(member::Column::RemovedAt.is_null());
    sql::all(db, labelers).await
}

/// How many assignments each of a project's labelers has, without those who were removed and those whom
/// nobody has claimed.
pub async fn loads(db: &impl Db, project: ProjectId) -> Result<Vec<(MemberId, u64)>, Error> {
    // SQL: counts over joins, in groups.
    sql::rows(
        db,
        "SELECT member.id, COUNT(assignment.id)
         FROM member
         JOIN user_account ON user_account.id = member.user_id
         LEFT JOIN assignment ON assignment.member_id = member.id
         WHERE member.project_id = $1 AND member.role = 'labeler' AND member.removed_at IS NULL
           AND NOT user_account.is_placeholder
         GROUP BY member.id ORDER BY member.id",
        [project.0.into()],
    )
    .await
}

/// The labelers whom [`loads`] counts for, in the same order.
pub async fn labelers(db: &impl Db, project: ProjectId) -> Result<Vec<MemberId>, Error> {
    // SQL: the rows of `loads`, without its counts.
    sql::rows(
        db,
        "SELECT member.id FROM member
         JOIN user_account ON user_account.id = member.user_id
         WHERE member.project_id = $1 AND member.role = 'labeler' AND member.removed_at IS NULL
           AND NOT user_account.is_placeholder
         ORDER BY member.id",
        [project.0.into()],
    )
    .await
}

/// An assignment, up to the condition that says which.
// SQL: `CASE` and `COALESCE` over joins that may be absent.
const SELECT: &str = "SELECT assignment.id, assignment.document_id, document.name AS document_name,
        document.characters, document.project_id, assignment.member_id, member.user_id,
        (member.removed_at IS NOT NULL OR user_account.erased_at IS NOT NULL) AS member_removed,
        repeat.id AS repeat_id,
        COALESCE(repeat.state, assignment.state) AS state,
        COALESCE(repeat.revision, assignment.revision) AS revision,
        CASE WHEN repeat.id IS NULL THEN assignment.saved_at ELSE repeat.saved_at END AS saved_at
     FROM assignment
     JOIN document ON document.id = assignment.document_id
     JOIN member ON member.id = assignment.member_id
     JOIN user_account ON user_account.id = member.user_id
     LEFT JOIN repeat ON repeat.assignment_id = assignment.id";

/// The assignment with this id.
pub async fn find(db: &impl Db, id: AssignmentId) -> Result<Option<Assignment>, Error> {
    // SQL: as above.
    sql::row(db, &format!("{SELECT} WHERE assignment.id = $1"), [id.0.into()]).await
}

/// The assignments with these ids, those that exist, to be saved in this transaction: no other moves them
/// on before it ends, and nobody erases whose they are.
pub async fn find_to_save(tx: &Tx, ids: &[AssignmentId]) -> Result<Vec<Assignment>, Error> {
    // SQLite has one writer at a time. The order keeps two who lock the same rows from waiting for each other.
    let lock = match tx.connection().get_database_backend() {
        DbBackend::Postgres => "FOR UPDATE OF assignment FOR KEY SHARE OF user_account",
        _ => "",
    };
    let wanted = sql::placeholders(ids.len());
    // SQL: as above.
    let select =
        format!("{SELECT} WHERE assignment.id IN ({wanted}) ORDER BY assignment.id {lock}");
    sql::rows(tx, &select, ids.iter().map(|id| id.0.into())).await
}

read_by_columns! {
    Assignment {
        id, document: document_id, document_name, characters, project: project_id, member: member_id,
        user: user_id, member_removed, repeat: repeat_id, state, revision, saved_at,
    }
    AssignmentCard { id, document_name, characters, spans, state, saved_at, due_at }
}

/// What a labeler has before them: while their work is paused, nothing that they have not begun.
pub(crate) const NOT_PUT_AWAY: &str = "(assignment.state <> 'open' OR NOT EXISTS (
    SELECT 1 FROM member WHERE member.id = assignment.member_id AND member.paused_at IS NOT NULL))";

/// A labeler's assignments as they have them before them, in the order of their documents, also those
/// that they have put aside: a repeat stands in the place of what it repeats, and looks like it did
/// at first.
pub async fn list_of_member(db: &impl Db, member: MemberId) -> Result<Vec<AssignmentCard>, Error> {
    // SQL: `CASE` and `COALESCE` over joins that may be absent.
    let select = format!(
        "SELECT assignment.id, document.name AS document_name, document.characters,
                CASE WHEN repeat.id IS NULL
                    THEN (SELECT COUNT(*) FROM span WHERE span.assignment_id = assignment.id)
                    ELSE (SELECT COUNT(*) FROM repeat_span WHERE repeat_span.repeat_id = repeat.id)
                    END AS spans,
                COALESCE(repeat.state, assignment.state) AS state,
                CASE WHEN repeat.id IS NULL THEN assignment.saved_at ELSE repeat.saved_at END
                    AS saved_at,
                assignment.due_at
         FROM assignment
         JOIN document ON document.id = assignment.document_id
         LEFT JOIN repeat ON repeat.assignment_id = assignment.id
         WHERE assignment.member_id = $1 AND {NOT_PUT_AWAY}
         ORDER BY assignment.document_id"
    );
    sql::rows(db, &select, [member.0.into()]).await
}

/// Where an assignment stands in its labeler's list; none if it is not theirs.
pub async fn neighbours(
    db: &impl Db,
    id: AssignmentId,
    member: MemberId,
) -> Result<Option<Neighbours<AssignmentId>>, Error> {
    // SQL: functions over a `WINDOW`.
    let select = format!(
        "SELECT previous_id, next_id, place, places FROM (
             SELECT id, LAG(id) OVER listed AS previous_id, LEAD(id) OVER listed AS next_id,
                    ROW_NUMBER() OVER listed AS place, COUNT(*) OVER () AS places
             FROM assignment
             WHERE member_id = $1 AND (({NOT_PUT_AWAY} AND NOT {PUT_ASIDE}) OR id = $2)
             WINDOW listed AS (ORDER BY document_id)
         ) AS placed WHERE id = $2"
    );
    sql::row(db, &select, [member.0.into(), id.0.into()]).await
}

/// What a labeler is to go on with after this assignment: what is due first, or else the next document
/// that they have not submitted, from the last one on to the first again.
pub async fn next_unfinished(
    db: &impl Db,
    id: AssignmentId,
    member: MemberId,
) -> Result<Option<AssignmentId>, Error> {
    // SQL: `COALESCE` over a join that may be absent, in an order of comparisons.
    let select = format!(
        "SELECT assignment.id FROM assignment
         LEFT JOIN repeat ON repeat.assignment_id = assignment.id
         WHERE assignment.member_id = $1 AND assignment.id <> $2
             AND COALESCE(repeat.state, assignment.state) <> 'submitted'
             AND {NOT_PUT_AWAY} AND NOT {PUT_ASIDE}
         ORDER BY assignment.due_at IS NULL, assignment.due_at,
             assignment.document_id < (SELECT this.document_id FROM assignment AS this
                                       WHERE this.id = $2),
             assignment.document_id
         LIMIT 1"
    );
    sql::row(db, &select, [member.0.into(), id.0.into()]).await
}

/// A labeler's assignment, if they have one and are still in the project.
pub async fn find_of(
    db: &impl Db,
    document: DocumentId,
    member: MemberId,
) -> Result<Option<Assignment>, Error> {
    let present = member::Entity::find_by_id(member.0)
        .select_only()
        .column(member::Column::Id)
        .filter(member::Column::RemovedAt.is_null());
    let own = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::DocumentId.eq(document.0))
        .filter(Column::MemberId.in_subquery(present.into_query()));
    match sql::one(db, own).await? {
        Some(id) => find(db, id).await,
        None => Ok(None),
    }
}

/// Moves assignments on from the revision that each is at to the next, in `state`; false if one of them
/// is not there any more: somebody was faster.
pub async fn save(
    tx: &Tx,
    bases: &[(AssignmentId, Revision)],
    state: WorkState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    let at = bases.iter().map(|(id, base)| (id.0, base.0));
    let save = Entity::update_many()
        .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
        .col_expr(Column::State, state.name().into())
        .col_expr(Column::SavedAt, now.into())
        .col_expr(Column::SubmittedAt, submitted_at.into())
        .filter(chunks::among([Column::Id, Column::Revision], at));
    Ok(sql::run(tx, save).await? == saturating::<u64>(bases.len()))
}

read_by_columns! { StateCounts { open, saved, submitted, skipped } }
