//! Projects that are archived, restored and deleted, and what administrators see of them.

use domain::{ImportId, ImportState, KeptProject, Page, ProjectId, SearchQuery};

use crate::{
    base::prelude::*,
    entity::{
        document, gold_version, import, member,
        project::{Column, Entity as Projects},
        user_account,
    },
};

/// Archives a project at this time, or takes it out of the archive again.
pub async fn set_archived(
    tx: &Tx,
    project: ProjectId,
    since: Option<DateTime<Utc>>,
) -> Result<(), Error> {
    sql::run(tx, super::moved(project, 1).col_expr(Column::ArchivedAt, since.into())).await?;
    Ok(())
}

/// Refuses to go on with a project that is archived, or that there is not.
pub async fn refuse_archived(tx: &Tx, project: ProjectId) -> Result<(), Error> {
    let archived = Projects::find_by_id(project.0).select_only().column(Column::ArchivedAt);
    let archived: Option<Option<DateTime<Utc>>> = sql::one(tx, archived).await?;
    match archived {
        Some(None) => Ok(()),
        Some(Some(_)) => Err(Error::Archived),
        None => Err(Error::Missing),
    }
}

/// The imports into a project that have begun and not ended.
pub async fn running_imports(db: &impl Db, project: ProjectId) -> Result<Vec<ImportId>, Error> {
    let running = import::Entity::find()
        .select_only()
        .column(import::Column::Id)
        .filter(import::Column::ProjectId.eq(project.0))
        .filter(import::Column::State.eq(ImportState::Running.name()));
    sql::all(db, running).await
}

/// Deletes a project with everything that belongs to it: what needs something else goes before it.
/// Its audit trail stays, in which everybody and everything is a number.
/// Accounts of people whose work was imported into it, and whom nobody has claimed to be, go, too.
pub async fn delete(tx: &Tx, project: ProjectId) -> Result<(), Error> {
    // Locks the project: nothing comes into it any more, of an import for example, while this takes it away.
    super::advance_always(tx, project).await?;
    let versions =
        gold_version::Entity::delete_many().filter(gold_version::Column::ProjectId.eq(project.0));
    sql::run(tx, versions).await?;
    let documents =
        document::Entity::delete_many().filter(document::Column::ProjectId.eq(project.0));
    sql::run(tx, documents).await?;
    sql::run(tx, Projects::delete_many().filter(Column::Id.eq(project.0))).await?;
    let places = member::Entity::find().select_only().column(member::Column::UserId);
    let unclaimed = user_account::Entity::delete_many()
        .filter(user_account::Column::IsPlaceholder.eq(true))
        .filter(user_account::Column::Id.not_in_subquery(places.into_query()));
    sql::run(tx, unclaimed).await?;
    Ok(())
}

/// The projects whose name has the text that is looked for, by name.
pub async fn list(db: &impl Db, query: &SearchQuery) -> Result<Page<KeptProject>, Error> {
    sql::search(db, query, ("project", SELECT, "LOWER(project.name) LIKE $1 ESCAPE '!'")).await
}

/// What is told of one project.
pub async fn find(db: &impl Db, project: ProjectId) -> Result<Option<KeptProject>, Error> {
    // SQL: it is the text of a search, with another condition.
    sql::row(db, &format!("{SELECT} WHERE project.id = $1"), [project.0.into()]).await
}

const SELECT: &str = "SELECT project.id, project.name, project.created_at, project.archived_at,
           (SELECT COUNT(*) FROM member
            WHERE member.project_id = project.id AND member.removed_at IS NULL) AS members,
           (SELECT COUNT(*) FROM document WHERE document.project_id = project.id) AS documents
    FROM project";

read_by_columns! { KeptProject { id, name, created_at, archived_at, members, documents } }
