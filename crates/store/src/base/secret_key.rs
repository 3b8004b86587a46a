//! Which secret key goes with the database: its fingerprint, which gives nothing of it away.

use crate::{Db, Error, Tx, base::sql};

/// The fingerprint of the key that goes with the database; none if nobody has said.
pub async fn fingerprint(db: &impl Db) -> Result<Option<String>, Error> {
    let row = sql::try_tuple(db, "SELECT fingerprint FROM secret_key WHERE id = 1", []).await?;
    Ok(row.map(|(fingerprint,): (String,)| fingerprint))
}

/// Notes the key that goes with the database, unless one does.
pub async fn note(tx: &Tx, fingerprint: &str) -> Result<(), Error> {
    let statement =
        "INSERT INTO secret_key (id, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING";
    sql::execute(tx, statement, [fingerprint.into()]).await?;
    Ok(())
}

/// Notes another key in the place of the one that goes with the database.
pub async fn replace(tx: &Tx, fingerprint: &str) -> Result<(), Error> {
    sql::execute(tx, "UPDATE secret_key SET fingerprint = $1 WHERE id = 1", [fingerprint.into()])
        .await?;
    Ok(())
}
