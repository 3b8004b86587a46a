//! Takes rows of before there were chains into chains, and words of before there were notes out of them:
//! once in the life of a database.

use domain::{AuditEvent, ProjectId};
use sea_orm::DbBackend;
use serde_json::json;

use super::{Audit, Mac, amend::set_aside, append, chain, heads, stretch};
use crate::{
    Store,
    base::prelude::*,
    entity::audit::{Column, Entity},
};

/// How many rows are signed by one statement.
const STRETCH: usize = 500;

/// Servers that start at the same time wait for each other; any number that all take will do.
const LOCK: i64 = 0x636f_6e63_6f72_6401;

/// Signs the rows of a trail that has none signed yet, takes what is personal out of rows that were
/// noted with it, and notes in the trail that, and when, this was done. A trail in which some are
/// signed and others are not is nobody's doing but an intruder's: nothing of it is signed.
pub async fn begin(store: &Store, at: DateTime<Utc>) -> Result<(), Error> {
    let tx = store.begin().await?;
    if matches!(tx.connection().get_database_backend(), DbBackend::Postgres) {
        // SQL: a function of PostgreSQL.
        sql::execute(&tx, "SELECT pg_advisory_xact_lock($1)", [LOCK.into()]).await?;
    }
    let is_unsigned = exists(&tx, Column::Mac.is_null()).await?
        && !exists(&tx, Column::Mac.is_not_null()).await?;
    let (mut signed, mut notes) = (0_usize, 0_usize);
    for project in heads::chains(&tx).await? {
        if is_unsigned {
            signed += sign(&tx, project).await?;
        }
        notes += set_aside(&tx, project).await?;
    }
    if signed + notes == 0 {
        return Ok(());
    }
    let began = Audit {
        project: None,
        user: None,
        at,
        event: AuditEvent::BeginChains,
        subject: "server".to_owned(),
        detail: json!({ "rows": signed, "notes": notes }),
        revision: None,
    };
    append(&tx, began).await?;
    tx.commit().await
}

async fn exists(db: &impl Db, what: Expr) -> Result<bool, Error> {
    Ok(Entity::find().filter(what).one(db.connection()).await?.is_some())
}

/// Signs a whole chain; says how many rows it has.
async fn sign(tx: &Tx, project: Option<ProjectId>) -> Result<usize, Error> {
    let (signer, chain) = (tx.trail().signer()?, chain::chain_number(project));
    let (mut count, mut last, mut before) = (0, None, Mac::default());
    loop {
        let rows = stretch(tx, project, last, STRETCH).await?;
        if rows.is_empty() {
            return Ok(count);
        }
        let mut values: Vec<Value> = vec![chain.into()];
        let mut pairs = Vec::with_capacity(rows.len());
        for row in &rows {
            before = signer.sign(&row.link(chain).bytes(&before));
            last = Some(row.place);
            pairs.push(format!("({})", sql::placeholders_from(values.len() + 1, 2)));
            values.extend([row.place.into(), before.to_vec().into()]);
        }
        count += rows.len();
        // SQL: an update from rows in a `WITH`.
        let update = format!(
            "WITH signed(place, mac) AS (VALUES {})
             UPDATE audit
             SET mac = (SELECT signed.mac FROM signed WHERE signed.place = audit.place)
             WHERE chain = $1 AND place IN (SELECT place FROM signed)",
            pairs.join(", ")
        );
        sql::execute(tx, &update, values).await?;
    }
}
