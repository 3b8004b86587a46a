//! Which secret key goes with the database: its fingerprint, which gives nothing of it away.

use crate::{
    base::prelude::*,
    entity::secret_key::{self, Column, Entity},
};

/// The fingerprint of the key that goes with the database; none if nobody has said.
pub async fn fingerprint(db: &impl Db) -> Result<Option<String>, Error> {
    sql::one(db, Entity::find_by_id(ONLY).select_only().column(Column::Fingerprint)).await
}

/// The id of the only row.
const ONLY: i32 = 1;

/// Notes the key that goes with the database, unless one does.
pub async fn note(tx: &Tx, fingerprint: &str) -> Result<(), Error> {
    let row = secret_key::ActiveModel { id: Set(ONLY), fingerprint: Set(fingerprint.to_owned()) };
    let known = OnConflict::column(Column::Id).do_nothing().to_owned();
    sql::run(tx, Entity::insert(row).on_conflict(known)).await?;
    Ok(())
}

/// Notes another key in the place of the one that goes with the database.
pub async fn replace(tx: &Tx, fingerprint: &str) -> Result<(), Error> {
    sql::run(
        tx,
        Entity::update_many()
            .col_expr(Column::Fingerprint, fingerprint.into())
            .filter(Column::Id.eq(ONLY)),
    )
    .await?;
    Ok(())
}
