//! The guidelines of a project, version by version.

use domain::{GuidelinesVersion, ProjectId, UserId};

use crate::{
    account::users,
    base::prelude::*,
    entity::{
        guideline_version::{self, Column, Entity},
        project::{Column as Project, Entity as Projects},
    },
};

/// Who changes guidelines, why and when.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// None for what the server did by itself.
    pub author: Option<UserId>,
    pub note: &'a str,
    pub at: DateTime<Utc>,
}

/// Gives a project these guidelines, and says which version of them it has now. The text that is
/// there already is no new version.
pub async fn change(tx: &Tx, project: ProjectId, text: &str, edit: Edit<'_>) -> Result<i64, Error> {
    let mut change = Projects::update_many()
        .col_expr(Project::Guidelines, text.into())
        .col_expr(Project::GuidelinesVersion, Expr::col(Project::GuidelinesVersion).add(1))
        .filter(Project::Id.eq(project.0))
        .filter(Project::Guidelines.ne(text));
    QueryTrait::query(&mut change).returning_col(Project::GuidelinesVersion);
    if let Some(number) = sql::one(tx, change).await? {
        insert(tx, project, number, text, edit).await?;
        return Ok(number);
    }
    let present = Projects::find_by_id(project.0).select_only().column(Project::GuidelinesVersion);
    let present = sql::one(tx, present).await?;
    present.ok_or_else(|| Error::unreadable(format!("no project {project}")))
}

/// Stores a version.
pub(crate) async fn insert(
    tx: &Tx,
    project: ProjectId,
    number: i64,
    text: &str,
    edit: Edit<'_>,
) -> Result<(), Error> {
    let row = guideline_version::ActiveModel {
        project_id: Set(project.0),
        number: Set(number),
        text: Set(text.to_owned()),
        note: Set(edit.note.to_owned()),
        author_id: Set(edit.author.map(|author| author.0)),
        created_at: Set(edit.at),
        ..Default::default()
    };
    sql::run(tx, Entity::insert(row)).await?;
    Ok(())
}

/// A project's versions, the newest first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<GuidelinesVersion>, Error> {
    let versions = Entity::find()
        .select_only()
        .columns([Column::Number, Column::Note, Column::CreatedAt])
        .column_as(users::name_of(Column::AuthorId), "author")
        .filter(Column::ProjectId.eq(project.0))
        .order_by_desc(Column::Number);
    sql::all(db, versions).await
}

read_by_columns! { GuidelinesVersion { number, note, author, created_at } }

/// The text of a version; none if the project has no such version.
pub async fn text(db: &impl Db, project: ProjectId, number: i64) -> Result<Option<String>, Error> {
    let text = Entity::find()
        .select_only()
        .column(Column::Text)
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Number.eq(number));
    sql::one(db, text).await
}
