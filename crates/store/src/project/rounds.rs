//! The rounds of a project. Every document belongs to exactly one.

use domain::{ProjectId, Round, RoundId, UserId};

use crate::{
    account::users,
    base::prelude::*,
    entity::{
        document,
        round::{self, Column, Entity},
    },
};

/// A round to start.
#[derive(Clone, Copy, Debug)]
pub struct NewRow<'a> {
    pub title: &'a str,
    pub note: &'a str,
    pub guidelines_version: i64,
    /// None for the round that a project begins with.
    pub by: Option<UserId>,
    pub at: DateTime<Utc>,
}

/// Starts the project's next round, with no documents in it yet.
pub async fn insert(tx: &Tx, project: ProjectId, new: NewRow<'_>) -> Result<RoundId, Error> {
    let last = latest(project).column(Column::Number);
    let last: Option<i64> = sql::one(tx, last).await?;
    let row = round::ActiveModel {
        project_id: Set(project.0),
        number: Set(last.unwrap_or(0) + 1),
        title: Set(new.title.to_owned()),
        note: Set(new.note.to_owned()),
        guidelines_version: Set(new.guidelines_version),
        started_at: Set(new.at),
        started_by: Set(new.by.map(|user| user.0)),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// The round that was started last, without its columns.
fn latest(project: ProjectId) -> Select<Entity> {
    Entity::find()
        .select_only()
        .filter(Column::ProjectId.eq(project.0))
        .order_by_desc(Column::Number)
        .limit(1)
}

/// The documents of project `$1` that nobody has saved work on.
const UNTOUCHED: &str = "document.project_id = $1
    AND NOT EXISTS (SELECT 1 FROM assignment
                    WHERE assignment.document_id = document.id AND assignment.state <> 'open')
    AND NOT EXISTS (SELECT 1 FROM review
                    WHERE review.document_id = document.id AND review.state <> 'open')";

/// Moves the documents that nobody has saved work on into a round, and says how many.
pub async fn move_untouched(tx: &Tx, project: ProjectId, round: RoundId) -> Result<u64, Error> {
    // SQL: a condition that is a text in two statements.
    let update = format!("UPDATE document SET round_id = $2 WHERE {UNTOUCHED}");
    sql::execute(tx, &update, [project.0.into(), round.0.into()]).await
}

/// How many documents nobody has saved work on.
pub async fn count_untouched(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    // SQL: a condition that is a text in two statements.
    let count = format!("SELECT COUNT(*) FROM document WHERE {UNTOUCHED}");
    Ok(sql::row(db, &count, [project.0.into()]).await?.unwrap_or_default())
}

/// The round that is under way: the one started last.
pub async fn current(db: &impl Db, project: ProjectId) -> Result<RoundId, Error> {
    let current = sql::one(db, latest(project).column(Column::Id)).await?;
    current.ok_or_else(|| Error::unreadable(format!("project {project}, no round")))
}

/// A project's rounds, the first one first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Round>, Error> {
    use Column::{GuidelinesVersion, Id, Note, Number, StartedAt, StartedBy, Title};
    let documents = document::Entity::find()
        .select_only()
        .column_as(document::Column::Id.count(), "documents")
        .filter(Expr::col((document::Entity, document::Column::RoundId)).equals((Entity, Id)));
    let rounds = Entity::find()
        .select_only()
        .columns([Id, Number, Title, Note, GuidelinesVersion, StartedAt])
        .column_as(users::name_of(StartedBy), "started_by")
        .column_as(Expr::SubQuery(None, Box::new(documents.into_query().into())), "documents")
        .filter(Column::ProjectId.eq(project.0))
        .order_by_asc(Number);
    sql::all(db, rounds).await
}

read_by_columns! {
    Round { id, number, title, note, guidelines_version, started_at, started_by, documents }
}
