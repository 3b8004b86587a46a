//! Projects, their settings, and the revision that moves with everything that counts.

pub mod attributes;
pub mod guidelines;
pub mod label_details;
pub mod labels;
pub mod members;
pub mod placeholders;
pub mod reasons;
pub mod removal;
pub mod rounds;

use chrono::{DateTime, Utc};
use domain::{ProjectCard, ProjectId, ProjectSettings, ReleaseLevel, Revision, UserId};
use sea_orm::{
    ActiveValue::Set, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    prelude::*,
};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::project::{self, Column, Entity},
    project::{guidelines::Edit, rounds::NewRow},
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
        created_at: Set(now),
        ..Default::default()
    };
    let id = ProjectId(Entity::insert(row).exec(tx.connection()).await?.last_insert_id);
    let edit = Edit { author: None, note: "", at: now };
    guidelines::insert(tx, id, 1, guidelines, edit).await?;
    let first = NewRow { title: "", note: "", guidelines_version: 1, by: None, at: now };
    rounds::insert(tx, id, first).await?;
    Ok(id)
}

/// The project with this id.
pub async fn find(db: &impl Db, id: ProjectId) -> Result<Option<Project>, Error> {
    Entity::find_by_id(id.0).one(db.connection()).await?.map(project).transpose()
}

/// The oldest project of this name.
pub async fn find_by_name(db: &impl Db, name: &str) -> Result<Option<Project>, Error> {
    let row = Entity::find()
        .filter(Column::Name.eq(name))
        .order_by_asc(Column::Id)
        .one(db.connection())
        .await?;
    row.map(project).transpose()
}

/// Every project's id.
pub async fn list_ids(db: &impl Db) -> Result<Vec<ProjectId>, Error> {
    let ids: Vec<i64> = Entity::find()
        .select_only()
        .column(Column::Id)
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db.connection())
        .await?;
    Ok(ids.into_iter().map(ProjectId).collect())
}

#[derive(FromQueryResult)]
struct CardRow {
    id: i64,
    name: String,
    role: String,
    documents: i64,
    submitted: i64,
    assigned: i64,
}

/// The projects that a person is a member of, by name: those that are archived, or the others. A copy whose labeler was removed counts
/// only with work in it: nobody is going to do the rest. To a labeler a repeat counts in the place of what
/// it repeats, to everybody else it does not count.
pub async fn list_of_user(
    db: &impl Db,
    user: UserId,
    archived: bool,
) -> Result<Vec<ProjectCard>, Error> {
    let rows = sql::rows::<CardRow, _>(
        db,
        "SELECT project.id, project.name, own.role,
                (SELECT COUNT(*) FROM document WHERE document.project_id = project.id)
                    AS documents,
                COUNT(assignment.id) FILTER (
                    WHERE COALESCE(repeat.state, assignment.state) = 'submitted') AS submitted,
                COUNT(assignment.id) AS assigned
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
         GROUP BY project.id, project.name, own.role
         ORDER BY project.name, project.id",
        [user.0.into(), archived.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ProjectCard {
                id: ProjectId(row.id),
                name: row.name,
                role: sql::word(&row.role)?,
                documents: sql::number(row.documents)?,
                submitted: sql::number(row.submitted)?,
                assigned: sql::number(row.assigned)?,
            })
        })
        .collect()
}

/// Changes a project's settings; other guidelines are a new version of them.
pub async fn save_settings(
    tx: &Tx,
    id: ProjectId,
    settings: &ProjectSettings,
    edit: Edit<'_>,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "UPDATE project SET name = $2, release_level = $3, reviewers_see_names = $4,
             requires_second_factor = $5
         WHERE id = $1",
        [
            id.0.into(),
            settings.name.as_str().into(),
            settings.release_level.name().into(),
            settings.reviewers_see_names.into(),
            settings.requires_second_factor.into(),
        ],
    )
    .await?;
    guidelines::change(tx, id, &settings.guidelines, edit).await?;
    Ok(())
}

/// Moves the project's revision on and returns it. The row stays locked until the transaction
/// ends, so revisions become visible in their order. An archived project does not move.
pub async fn advance(tx: &Tx, id: ProjectId) -> Result<Revision, Error> {
    let revision: Option<i64> = sql::tuple(
        tx,
        "UPDATE project SET revision = revision + 1 WHERE id = $1 AND archived_at IS NULL
         RETURNING revision",
        [id.0.into()],
    )
    .await?;
    if let Some(revision) = revision {
        return Ok(Revision(revision));
    }
    removal::refuse_archived(tx, id).await?;
    Err(Error::Missing)
}

/// The revisions of these projects, for those that exist.
pub async fn revisions(
    db: &impl Db,
    projects: &[ProjectId],
) -> Result<Vec<(ProjectId, Revision)>, Error> {
    let rows: Vec<(i64, i64)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Revision])
        .filter(Column::Id.is_in(projects.iter().map(|project| project.0)))
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db.connection())
        .await?;
    Ok(rows.into_iter().map(|(id, revision)| (ProjectId(id), Revision(revision))).collect())
}

/// Notes when agreement was released to the labelers.
pub async fn set_released(tx: &Tx, id: ProjectId, now: DateTime<Utc>) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(Column::ReleasedAt, now.into())
        .filter(Column::Id.eq(id.0))
        .exec(tx.connection())
        .await?;
    Ok(())
}

fn project(row: project::Model) -> Result<Project, Error> {
    Ok(Project {
        id: ProjectId(row.id),
        settings: ProjectSettings {
            name: row.name,
            guidelines: row.guidelines,
            release_level: sql::word(&row.release_level)?,
            reviewers_see_names: row.reviewers_see_names,
            requires_second_factor: row.requires_second_factor,
        },
        guidelines_version: row.guidelines_version,
        revision: Revision(row.revision),
        released_at: row.released_at,
        archived_at: row.archived_at,
    })
}
