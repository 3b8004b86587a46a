//! Where chains end: what is told to the outside, so that a tail that is cut off is missed.

use domain::ProjectId;

use super::{Mac, chain};
use crate::base::prelude::*;

/// The end of a chain at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// None for the server's chain.
    pub project: Option<ProjectId>,
    /// The last row's place.
    pub place: i64,
    /// The last row's signature.
    pub mac: Mac,
}

/// One look into the index for each chain, not at its rows.
const CHAINS: &str = "WITH RECURSIVE chains(chain) AS (
        SELECT (SELECT MIN(chain) FROM audit)
        UNION ALL
        SELECT (SELECT MIN(chain) FROM audit WHERE chain > chains.chain)
        FROM chains WHERE chains.chain IS NOT NULL
    )";

/// Whose chains there are: also those of projects that are gone.
pub async fn chains(db: &impl Db) -> Result<Vec<Option<ProjectId>>, Error> {
    // SQL: a recursive `WITH`.
    let select = format!("{CHAINS} SELECT chain FROM chains WHERE chain IS NOT NULL");
    let rows = sql::rows(db, &select, []).await?;
    Ok(rows.into_iter().map(chain::project).collect())
}

/// The end of every chain.
pub async fn heads(db: &impl Db) -> Result<Vec<Head>, Error> {
    // SQL: a recursive `WITH`.
    let select = format!(
        "{CHAINS} SELECT audit.chain, audit.place, audit.mac
         FROM chains JOIN audit
             ON audit.chain = chains.chain
             AND audit.place = (SELECT MAX(place) FROM audit WHERE audit.chain = chains.chain)
         ORDER BY audit.chain"
    );
    let head =
        |(chain, place, mac)| Head { project: chain::project(chain), place, mac: chain::mac(mac) };
    Ok(sql::rows(db, &select, []).await?.into_iter().map(head).collect())
}
