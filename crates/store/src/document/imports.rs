//! Imports of files, and what they bring: rows in great number, written a batch at a time.

use domain::{
    AssignmentId, AttributeId, DocumentId, Fact, ImportAs, ImportId, ImportRecord, ImportState,
    ImportSummary, LabelId, MemberId, ModelId, ProjectId, Range, Revision, Span, UserId, WorkState,
};
use sea_orm::DbBackend;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Store,
    account::users,
    base::prelude::*,
    entity::{
        assignment::{self, Column as AssignmentColumn, Entity as Assignments},
        document,
        import::{self, Entity as Imports},
        import_assignment, import_document, span,
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
    pub import_as: ImportAs,
    pub files: Vec<String>,
}

/// The labels, members, models and questions that an import made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub labels: Vec<LabelId>,
    pub members: Vec<MemberId>,
    #[serde(default)]
    pub models: Vec<ModelId>,
    #[serde(default)]
    pub questions: Vec<AttributeId>,
}

/// Notes that an import runs.
pub async fn insert(tx: &Tx, project: ProjectId, new: NewImport) -> Result<ImportId, Error> {
    let (count, mut files) = (new.files.len(), new.files);
    files.truncate(FILES);
    let row = import::ActiveModel {
        project_id: Set(project.0),
        made_by: Set(new.by.map(|by| by.0)),
        made_at: Set(new.at),
        state: Set(ImportState::Running.name().to_owned()),
        import_as: Set(sql::json(&new.import_as)?),
        files: Set(sql::json(&(count, files))?),
        alive_at: Set(Some(new.at)),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// Has PostgreSQL look at the tables that an import has filled, which it does by itself only a minute later or
/// so. Until it has, it takes them for as small as they were, and looks for a labeler's few assignments among
/// all. SQLite goes by the indexes alone.
pub async fn look_at_rows(store: &Store) -> Result<(), Error> {
    if store.connection().get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let tx = store.begin().await?;
    // SQL: a command of PostgreSQL.
    let analyze = "ANALYZE document, assignment, span, suggestion, assignment_version,
        import_document, import_assignment";
    sql::execute(&tx, analyze, []).await?;
    tx.commit().await
}

/// Forgets an import that came to nothing.
pub async fn forget(tx: &Tx, id: ImportId) -> Result<(), Error> {
    sql::run(tx, Imports::delete_by_id(id.0)).await?;
    Ok(())
}

/// Notes what an import that was decided has brought, in the transaction that brings the last of it; false if
/// it is not decided, or has ended.
pub async fn finish(
    tx: &Tx,
    id: ImportId,
    summary: &ImportSummary,
    made: &Made,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let done = ended(ImportState::Done, None, now)?
        .col_expr(import::Column::Decision, Option::<String>::None.into())
        .col_expr(import::Column::Summary, sql::json(summary)?.into())
        .col_expr(import::Column::Made, sql::json(made)?.into())
        .filter(import::Column::Id.eq(id.0))
        .filter(is_certain());
    Ok(sql::run(tx, done).await? == 1)
}

/// What is noted of imports that have ended.
pub(super) fn ended(
    state: ImportState,
    error: Option<&domain::Error>,
    now: DateTime<Utc>,
) -> Result<UpdateMany<Imports>, Error> {
    Ok(Imports::update_many()
        .col_expr(import::Column::State, state.name().into())
        .col_expr(import::Column::EndedAt, now.into())
        .col_expr(import::Column::Error, error.map(sql::json).transpose()?.into()))
}

/// Notes that nothing is there any more of an import, and that nothing of it comes.
pub async fn end_undone(tx: &Tx, id: ImportId, now: DateTime<Utc>) -> Result<(), Error> {
    let undone = ended(ImportState::Undone, None, now)?
        .col_expr(import::Column::Decision, Option::<String>::None.into())
        .filter(import::Column::Id.eq(id.0));
    sql::run(tx, undone).await?;
    Ok(())
}

/// Notes that an import has ended without bringing anything; false if it has ended already, or is certain
/// to bring what it has.
pub async fn call_off(
    tx: &Tx,
    id: ImportId,
    state: ImportState,
    error: Option<&domain::Error>,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let end = ended(state, error, now)?.filter(import::Column::Id.eq(id.0)).filter(is_open());
    Ok(sql::run(tx, end).await? == 1)
}

/// That an import runs, and that it is not certain yet that it brings something.
pub(super) fn is_open() -> Expr {
    runs().and(is_certain().not())
}

/// That an import runs, or is said to.
pub(super) fn runs() -> Expr {
    import::Column::State.eq(ImportState::Running.name())
}

/// That an import is decided and not all carried out, whatever its state says: a server of a version that
/// knows no decisions notes of all imports that run that they have failed, when it starts.
pub(super) fn is_certain() -> Expr {
    import::Column::Decision.is_not_null()
}

/// Notes that somebody carries an import out at this time; false if it has ended.
pub async fn keep_alive(tx: &Tx, id: ImportId, now: DateTime<Utc>) -> Result<bool, Error> {
    let alive = Imports::update_many()
        .col_expr(import::Column::AliveAt, now.into())
        .filter(import::Column::Id.eq(id.0))
        .filter(runs().or(is_certain()));
    Ok(sql::run(tx, alive).await? == 1)
}

/// Makes it certain that an import brings what is on its shelf, as was decided; false if it has ended.
pub async fn decide(
    tx: &Tx,
    id: ImportId,
    decision: &impl Serialize,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    Ok(sql::run(tx, decided(id, decision, now)?.filter(is_open())).await? == 1)
}

/// Notes how far what was decided has been carried out.
pub async fn keep_decision(
    tx: &Tx,
    id: ImportId,
    decision: &impl Serialize,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::run(tx, decided(id, decision, now)?).await?;
    Ok(())
}

fn decided(
    id: ImportId,
    decision: &impl Serialize,
    now: DateTime<Utc>,
) -> Result<UpdateMany<Imports>, Error> {
    Ok(Imports::update_many()
        .col_expr(import::Column::Decision, sql::json(decision)?.into())
        .col_expr(import::Column::AliveAt, now.into())
        .filter(import::Column::Id.eq(id.0)))
}

/// What was decided of an import and is not all carried out, with the project.
pub async fn decision<T: DeserializeOwned>(
    db: &impl Db,
    id: ImportId,
) -> Result<Option<(ProjectId, T)>, Error> {
    let open = Imports::find_by_id(id.0)
        .select_only()
        .columns([import::Column::ProjectId, import::Column::Decision])
        .filter(is_certain());
    let open: Option<(_, Json<T>)> = sql::one(db, open).await?;
    Ok(open.map(|(project, Json(decision))| (project, decision)))
}

/// Whether an import is decided and not all carried out.
pub async fn is_expected(db: &impl Db, id: ImportId) -> Result<bool, Error> {
    let open = Imports::find_by_id(id.0).select_only().column(import::Column::Id);
    Ok(sql::one::<ImportId>(db, open.filter(is_certain())).await?.is_some())
}

/// What an import has brought that was carried out.
pub async fn summary(db: &impl Db, id: ImportId) -> Result<Option<ImportSummary>, Error> {
    let done = Imports::find_by_id(id.0)
        .select_only()
        .column(import::Column::Summary)
        .filter(import::Column::Summary.is_not_null());
    let summary: Option<Json<_>> = sql::one(db, done).await?;
    Ok(summary.map(|Json(summary)| summary))
}

/// The first import into a project that is decided and not all carried out.
pub async fn decided_in(db: &impl Db, project: ProjectId) -> Result<Option<ImportId>, Error> {
    decided_in_any(db, &[project]).await
}

/// The first such import into any of these projects.
pub async fn decided_in_any(
    db: &impl Db,
    projects: &[ProjectId],
) -> Result<Option<ImportId>, Error> {
    let decided = Imports::find()
        .select_only()
        .column(import::Column::Id)
        .filter(import::Column::ProjectId.is_in(projects.iter().map(|project| project.0)))
        .filter(is_certain())
        .order_by_asc(import::Column::Id);
    sql::one(db, decided).await
}

/// The projects into which something is decided to come that is not all there.
pub async fn expecting(db: &impl Db) -> Result<Vec<ProjectId>, Error> {
    let decided = Imports::find()
        .select_only()
        .column(import::Column::ProjectId)
        .distinct()
        .filter(is_certain())
        .order_by_asc(import::Column::ProjectId);
    sql::all(db, decided).await
}

/// An import of a project.
pub async fn find(
    db: &impl Db,
    project: ProjectId,
    id: ImportId,
) -> Result<Option<ImportRecord>, Error> {
    sql::one(db, records(project).filter(import::Column::Id.eq(id.0))).await
}

/// A project's latest imports, the latest first.
pub async fn list(db: &impl Db, project: ProjectId, most: u64) -> Result<Vec<ImportRecord>, Error> {
    sql::all(db, records(project).order_by_desc(import::Column::Id).limit(most)).await
}

/// A project's imports, with the names of whoever made them.
fn records(project: ProjectId) -> Select<Imports> {
    use import::Column::{
        EndedAt, Error, Files, Id, ImportAs, MadeAt, MadeBy, ProjectId, State, Summary,
    };
    Imports::find()
        .select_only()
        .columns([Id, State, ImportAs, MadeAt, EndedAt, Files, Summary, Error])
        .column_as(users::name_of(MadeBy), "made_by")
        .column_as(is_certain(), "is_certain")
        .filter(ProjectId.eq(project.0))
}

impl FromRow for ImportRecord {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let Json((file_count, files)) = row.get("files")?;
        let Json(import_as) = row.get("import_as")?;
        let (is_certain, noted): (bool, ImportState) = (row.get("is_certain")?, row.get("state")?);
        let error: Option<Json<_>> = row.get("error")?;
        Ok(Self {
            id: row.get("id")?,
            state: if is_certain { ImportState::Running } else { noted },
            is_decided: is_certain || noted == ImportState::Done,
            import_as,
            made_by: row.get("made_by")?,
            made_at: row.get("made_at")?,
            ended_at: row.get::<Option<_>>("ended_at")?.filter(|_| !is_certain),
            files,
            file_count,
            progress: None,
            summary: row.get::<Option<Json<_>>>("summary")?.map(|Json(summary)| summary),
            error: error.filter(|_| !is_certain).map(|Json(error)| error),
        })
    }
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
    let known = document::Entity::find()
        .select_only()
        .columns([
            document::Column::Id,
            document::Column::ExternalId,
            document::Column::Name,
            document::Column::Sha256,
        ])
        .filter(document::Column::ProjectId.eq(project.0))
        .order_by_asc(document::Column::Id);
    sql::all(db, known).await
}

read_by_columns! {
    KnownDocument { id, external_id, name, sha256 }
    KnownAssignment { document: document_id, member: member_id, id, state, revision }
}

/// A labeler's assignment as an import finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAssignment {
    pub document: DocumentId,
    pub member: MemberId,
    pub id: AssignmentId,
    pub state: WorkState,
    pub revision: Revision,
}

/// All assignments of these members.
pub async fn known_assignments(
    db: &impl Db,
    members: &[MemberId],
) -> Result<Vec<KnownAssignment>, Error> {
    let of_members = AssignmentColumn::MemberId.is_in(members.iter().map(|member| member.0));
    sql::all(db, Assignments::find().filter(of_members).order_by_asc(AssignmentColumn::Id)).await
}

/// All assignments of these documents.
pub async fn assignments_of(
    db: &impl Db,
    documents: &[DocumentId],
) -> Result<Vec<KnownAssignment>, Error> {
    let mut known = Vec::new();
    for chunk in documents.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let of_documents = AssignmentColumn::DocumentId.is_in(chunk.iter().map(|id| id.0));
        let found: Vec<KnownAssignment> =
            sql::all(db, Assignments::find().filter(of_documents)).await?;
        known.extend(found);
    }
    Ok(known)
}

/// The spans of these assignments, assignment by assignment.
pub async fn spans_of(
    db: &impl Db,
    assignments: &[AssignmentId],
) -> Result<Vec<(AssignmentId, Span)>, Error> {
    use span::Column::{AssignmentId, EndAt, LabelId, StartAt};
    let spans = span::Entity::find()
        .select_only()
        .columns([AssignmentId, StartAt, EndAt, LabelId])
        .filter(AssignmentId.is_in(assignments.iter().map(|assignment| assignment.0)))
        .order_by_asc(AssignmentId);
    let spans: Vec<sql::OwnedSpan<_>> = sql::all(db, spans).await?;
    let span = |(assignment, start, end, label)| {
        (assignment, Span { range: Range::new(start, end), label })
    };
    Ok(spans.into_iter().map(span).collect())
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
    chunks::insert_steadily(tx, rows.collect()).await
}

/// An assignment that gets work.
#[derive(Clone, Debug)]
pub struct NewWork {
    pub document: DocumentId,
    pub member: MemberId,
    /// The assignment with its revision, if there is one, without work.
    pub assignment: Option<(AssignmentId, Revision)>,
    pub spans: Vec<Span>,
    /// What is answered about the spans and the document, each question once.
    pub answers: Vec<Fact>,
}

/// What assignments get.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    pub import: ImportId,
    pub state: WorkState,
    pub now: DateTime<Utc>,
}

/// Makes assignments that are not there, and says with each which it is and the revision that it gets;
/// [`Error::Duplicate`] if somebody got one meanwhile.
pub async fn fill_assignments(
    tx: &Tx,
    work: &[NewWork],
    filling: Filling,
) -> Result<Vec<(AssignmentId, Revision)>, Error> {
    let Filling { import, state, now } = filling;
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    let new =
        work.iter().filter(|work| work.assignment.is_none()).map(|work| assignment::ActiveModel {
            document_id: Set(work.document.0),
            member_id: Set(work.member.0),
            state: Set(state.name().to_owned()),
            revision: Set(1),
            saved_at: Set(Some(now)),
            submitted_at: Set(submitted_at),
            ..Default::default()
        });
    let ids = chunks::insert_for_ids(tx, new.collect::<Vec<_>>(), AssignmentColumn::Id).await;
    let ids: Vec<AssignmentId> = ids.map_err(|error| error.unless_unique(&["document_id"]))?;
    let taken: Vec<i64> = work.iter().filter_map(|work| Some(work.assignment?.0.0)).collect();
    for chunk in taken.chunks(chunks::rows_per_statement(tx, 1, 5)) {
        let update = Assignments::update_many()
            .col_expr(AssignmentColumn::State, state.name().into())
            .col_expr(AssignmentColumn::Revision, Expr::col(AssignmentColumn::Revision).add(1))
            .col_expr(AssignmentColumn::SavedAt, now.into())
            .col_expr(AssignmentColumn::SubmittedAt, submitted_at.into())
            .filter(AssignmentColumn::Id.is_in(chunk.iter().copied()))
            .filter(AssignmentColumn::State.eq(WorkState::Open.name()));
        if usize::try_from(sql::run(tx, update).await?) != Ok(chunk.len()) {
            return Err(Error::Duplicate("assignment"));
        }
    }
    let mut new = ids.into_iter();
    let mut filled = Vec::with_capacity(work.len());
    for work in work {
        filled.push(if let Some((id, base)) = work.assignment {
            (id, base.next())
        } else {
            let id = new.next().ok_or_else(|| Error::unreadable("an assignment without an id"))?;
            (id, Revision(1))
        });
    }
    let kept =
        filled.iter().zip(work).map(|((id, revision), work)| import_assignment::ActiveModel {
            assignment_id: Set(id.0),
            import_id: Set(import.0),
            revision: Set(revision.0),
            was_there: Set(work.assignment.is_some()),
        });
    chunks::insert_steadily(tx, kept.collect()).await?;
    Ok(filled)
}

/// Adds spans to assignments that have none, and keeps what that changed.
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
