//! Projects, their settings, and the revision that moves with everything that counts.

pub mod attributes;
pub mod guidelines;
pub mod label_details;
pub mod labels;
pub mod members;
pub mod models;
pub mod placeholders;
pub mod reasons;
pub mod removal;
pub mod rounds;

use domain::{
    FoundDocument, MemberId, ProjectCard, ProjectId, ProjectSettings, ReleaseLevel, Revision,
    UserId, Waiting,
};

use crate::{
    base::prelude::*,
    entity::{
        document,
        project::{self, Column, Entity},
    },
    project::{guidelines::Edit, rounds::NewRow},
    work::{assignments::NOT_PUT_AWAY, flags::PUT_ASIDE},
};

/// A project as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    pub settings: ProjectSettings,
    /// How often the guidelines were changed, counted from 1.
    pub guidelines_version: i64,
    pub revision: Revision,
    pub released_at: Option<DateTime<Utc>>,
    /// Since when nobody changes it.
    pub archived_at: Option<DateTime<Utc>>,
}

/// A project as one of its members starts from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnProject {
    pub card: ProjectCard,
    pub member: MemberId,
    pub release_level: ReleaseLevel,
    /// Without the conflicts, of which the rows know nothing.
    pub waiting: Waiting,
}

/// Creates a project with the settings that new projects have: its guidelines are empty, and its
/// first round begins now.
pub async fn create(tx: &Tx, name: &str, now: DateTime<Utc>) -> Result<ProjectId, Error> {
    create_with(tx, name, "", now).await
}

/// Creates a project that has guidelines from its start.
pub async fn create_with(
    tx: &Tx,
    name: &str,
    guidelines: &str,
    now: DateTime<Utc>,
) -> Result<ProjectId, Error> {
    let row = project::ActiveModel {
        name: Set(name.to_owned()),
        guidelines: Set(guidelines.to_owned()),
        release_level: Set(ReleaseLevel::default().name().to_owned()),
        reviewers_see_names: Set(false),
        reviewers_see_consensus: Set(false),
        created_at: Set(now),
        ..Default::default()
    };
    let id = sql::insert(tx, row).await?;
    let edit = Edit { author: None, note: "", at: now };
    guidelines::insert(tx, id, 1, guidelines, edit).await?;
    let first = NewRow { title: "", note: "", guidelines_version: 1, by: None, at: now };
    rounds::insert(tx, id, first).await?;
    Ok(id)
}

/// The project with this id.
pub async fn find(db: &impl Db, id: ProjectId) -> Result<Option<Project>, Error> {
    sql::one(db, Entity::find_by_id(id.0)).await
}

/// The oldest project of this name.
pub async fn find_by_name(db: &impl Db, name: &str) -> Result<Option<Project>, Error> {
    sql::one(db, Entity::find().filter(Column::Name.eq(name)).order_by_asc(Column::Id)).await
}

/// Every project's id.
pub async fn list_ids(db: &impl Db) -> Result<Vec<ProjectId>, Error> {
    sql::all(db, Entity::find().select_only().column(Column::Id).order_by_asc(Column::Id)).await
}

/// The ids of a project's documents.
pub(crate) fn document_ids(project: ProjectId) -> Select<document::Entity> {
    document::Entity::find()
        .select_only()
        .column(document::Column::Id)
        .filter(document::Column::ProjectId.eq(project.0))
}

/// The projects that a person is a member of, by name: those that are archived, or the others. An
/// assignment whose labeler was removed counts only with work in it: nobody is going to do the rest. To
/// a labeler a repeat counts in the place of what it repeats, to everybody else it does not count.
pub async fn list_of_user(
    db: &impl Db,
    user: UserId,
    archived: bool,
) -> Result<Vec<OwnProject>, Error> {
    // SQL: `COUNT` with `FILTER` over joins and groups.
    let waits = format!(
        "COALESCE(repeat.state, assignment.state) <> 'submitted' AND own.role = 'labeler'
         AND {NOT_PUT_AWAY} AND NOT {PUT_ASIDE}"
    );
    let select = format!(
        "SELECT project.id, project.name, own.role,
                (SELECT COUNT(*) FROM document WHERE document.project_id = project.id)
                    AS documents,
                COUNT(assignment.id) FILTER (
                    WHERE COALESCE(repeat.state, assignment.state) = 'submitted') AS submitted,
                COUNT(assignment.id) AS assigned,
                own.id AS member_id, project.release_level,
                COUNT(assignment.id) FILTER (WHERE {waits}) AS to_label,
                COUNT(assignment.id) FILTER (WHERE {waits} AND EXISTS (
                    SELECT 1 FROM assignment_note
                    WHERE assignment_note.document_id = assignment.document_id
                        AND assignment_note.member_id = own.id)) AS returned,
                (SELECT COUNT(*) FROM document
                 WHERE document.project_id = project.id AND own.role = 'reviewer'
                     AND EXISTS (SELECT 1 FROM assignment AS saved
                                 WHERE saved.document_id = document.id AND saved.state <> 'open')
                     AND NOT EXISTS (SELECT 1 FROM review
                                     WHERE review.document_id = document.id
                                         AND review.member_id = own.id
                                         AND review.state = 'submitted')) AS to_review
         FROM member AS own
         JOIN project ON project.id = own.project_id
         LEFT JOIN member AS labeler
             ON labeler.project_id = own.project_id
             AND (own.role <> 'labeler' OR labeler.id = own.id)
         LEFT JOIN assignment
             ON assignment.member_id = labeler.id
             AND (labeler.removed_at IS NULL OR assignment.state <> 'open')
         LEFT JOIN repeat
             ON repeat.assignment_id = assignment.id AND own.role = 'labeler'
         WHERE own.user_id = $1 AND own.removed_at IS NULL
             AND (project.archived_at IS NOT NULL) = $2
         GROUP BY project.id, project.name, project.release_level, own.id, own.role
         ORDER BY project.name, project.id"
    );
    sql::rows(db, &select, [user.0.into(), archived.into()]).await
}

/// The documents of a person's projects whose name has this text in it, at most so many: to a labeler those
/// that they have before them.
pub async fn search_documents(
    db: &impl Db,
    user: UserId,
    text: &str,
    most: u64,
) -> Result<Vec<FoundDocument>, Error> {
    // SQL: a pattern on a lower-case name, over a join that may be absent.
    let select = format!(
        "SELECT document.id AS document_id, assignment.id AS assignment_id, document.name,
                project.id AS project_id, project.name AS project_name, own.role
         FROM member AS own
         JOIN project ON project.id = own.project_id
         JOIN document ON document.project_id = project.id
         LEFT JOIN assignment
             ON assignment.document_id = document.id AND assignment.member_id = own.id
         WHERE own.user_id = $1 AND own.removed_at IS NULL AND project.archived_at IS NULL
             AND (own.role <> 'labeler' OR (assignment.id IS NOT NULL AND {NOT_PUT_AWAY}))
             AND LOWER(document.name) LIKE $2 ESCAPE '!'
         ORDER BY document.name, document.id LIMIT $3"
    );
    let pattern = sql::containing(&text.to_lowercase());
    sql::rows(db, &select, [user.0.into(), pattern.into(), sql::signed(most).into()]).await
}

read_by_columns! {
    FoundDocument {
        document: document_id, assignment: assignment_id, name, project: project_id, project_name,
        role,
    }
}

impl FromRow for OwnProject {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            card: row.part()?,
            member: row.get("member_id")?,
            release_level: row.get("release_level")?,
            waiting: Waiting {
                to_label: row.get("to_label")?,
                returned: row.get("returned")?,
                to_review: row.get("to_review")?,
                conflicts: None,
            },
        })
    }
}

read_by_columns! { ProjectCard { id, name, role, documents, submitted, assigned } }

/// Changes a project's settings; other guidelines are a new version of them.
pub async fn save_settings(
    tx: &Tx,
    id: ProjectId,
    settings: &ProjectSettings,
    edit: Edit<'_>,
) -> Result<(), Error> {
    let save = Entity::update_many()
        .col_expr(Column::Name, settings.name.as_str().into())
        .col_expr(Column::ReleaseLevel, settings.release_level.name().into())
        .col_expr(Column::ReviewersSeeNames, settings.reviewers_see_names.into())
        .col_expr(Column::ReviewersSeeConsensus, settings.reviewers_see_consensus.into())
        .col_expr(Column::RequiresSecondFactor, settings.requires_second_factor.into())
        .filter(Column::Id.eq(id.0));
    sql::run(tx, save).await?;
    guidelines::change(tx, id, &settings.guidelines, edit).await?;
    Ok(())
}

/// Moves the project's revision on and returns it. The row stays locked until the transaction
/// ends, so revisions become visible in their order. An archived project does not move.
pub async fn advance(tx: &Tx, id: ProjectId) -> Result<Revision, Error> {
    advance_by(tx, id, 1).await
}

/// As [`advance`], by so many.
pub(crate) async fn advance_by(tx: &Tx, id: ProjectId, by: usize) -> Result<Revision, Error> {
    let mut advance = moved(id, by).filter(Column::ArchivedAt.is_null());
    QueryTrait::query(&mut advance).returning_col(Column::Revision);
    if let Some(revision) = sql::one(tx, advance).await? {
        return Ok(revision);
    }
    removal::refuse_archived(tx, id).await?;
    Err(Error::Missing)
}

/// As [`advance`], also of an archived project: what was certain to come before it was archived.
pub async fn advance_always(tx: &Tx, id: ProjectId) -> Result<Revision, Error> {
    let mut advance = moved(id, 1);
    QueryTrait::query(&mut advance).returning_col(Column::Revision);
    sql::one(tx, advance).await?.ok_or(Error::Missing)
}

/// Moves a project's revision on.
fn moved(id: ProjectId, by: usize) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::Revision, Expr::col(Column::Revision).add(sql::signed(by)))
        .filter(Column::Id.eq(id.0))
}

/// Changes a column of a project that moves no numbers.
pub(crate) async fn set(
    tx: &Tx,
    id: ProjectId,
    column: Column,
    value: impl Into<Expr>,
) -> Result<(), Error> {
    let set = Entity::update_many().col_expr(column, value.into()).filter(Column::Id.eq(id.0));
    sql::run(tx, set).await?;
    Ok(())
}

/// The revisions of these projects, for those that exist.
pub async fn revisions(
    db: &impl Db,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, Revision)>, Error> {
    let found = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Revision])
        .filter(Column::Id.is_in(projects.iter().map(|project| project.0)))
        .order_by_asc(Column::Id);
    sql::all(db, found).await
}

/// Notes when agreement was released to the labelers.
pub async fn set_released(tx: &Tx, id: ProjectId, now: DateTime<Utc>) -> Result<(), Error> {
    set(tx, id, Column::ReleasedAt, now).await
}

read_by_columns! {
    ProjectSettings {
        name, guidelines, release_level, reviewers_see_names, reviewers_see_consensus,
        requires_second_factor,
    }
}

read_by_columns! {
    Project { id, settings: (part), guidelines_version, revision, released_at, archived_at }
}
