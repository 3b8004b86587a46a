//! Imports that have not ended, for whoever ends those that nobody carries out any more.

use domain::{ImportId, ImportState, ProjectId};

use super::imports::{ended, is_certain, is_open, runs};
use crate::{
    base::prelude::*,
    entity::{
        import::{self, Entity as Imports},
        shelf,
    },
};

/// An import that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unended {
    pub project: ProjectId,
    pub import: ImportId,
    pub made_at: DateTime<Utc>,
    /// When whoever carries it out last said so; never, if that is a server of a version that does not.
    pub alive_at: Option<DateTime<Utc>>,
    pub is_decided: bool,
}

/// The imports that run, or are decided and not all carried out.
pub async fn unended(db: &impl Db) -> Result<Vec<Unended>, Error> {
    use import::Column::{AliveAt, Id, MadeAt, ProjectId};
    let unended = Imports::find()
        .select_only()
        .columns([ProjectId, Id, MadeAt, AliveAt])
        .column_as(is_certain(), "is_decided")
        .filter(runs().or(is_certain()))
        .order_by_asc(Id);
    sql::all(db, unended).await
}

/// The imports that have ended and left something on their shelf.
pub async fn with_leftovers(db: &impl Db) -> Result<Vec<ImportId>, Error> {
    let of_import = Expr::col((shelf::Entity, shelf::Column::ImportId));
    let left = shelf::Entity::find()
        .select_only()
        .column(shelf::Column::Id)
        .filter(of_import.equals((Imports, import::Column::Id)));
    let ended = Imports::find()
        .select_only()
        .column(import::Column::Id)
        .filter(runs().not())
        .filter(is_certain().not())
        .filter(Expr::exists(left.into_query()));
    sql::all(db, ended).await
}

read_by_columns! {
    Unended { project: project_id, import: id, made_at, alive_at, is_decided }
}

/// As [`call_off`](super::imports::call_off), as failed, unless somebody has been at it since it was looked at.
pub async fn call_off_abandoned(
    tx: &Tx,
    found: &Unended,
    error: &domain::Error,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let alive_at = import::Column::AliveAt;
    let end = ended(ImportState::Failed, Some(error), now)?
        .filter(import::Column::Id.eq(found.import.0))
        .filter(is_open())
        .filter(found.alive_at.map_or_else(|| alive_at.is_null(), |at| alive_at.eq(at)));
    Ok(sql::run(tx, end).await? == 1)
}
