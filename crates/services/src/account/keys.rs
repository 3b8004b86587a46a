//! The keys that somebody has given commands: theirs on every machine.

use std::sync::Arc;

use domain::{Actor, AuditEvent, OwnKeys};

use crate::{Result, Services};

/// The keys of whoever is asking.
pub async fn load_keys(services: &Arc<Services>, actor: &Actor) -> Result<OwnKeys> {
    Ok(store::account::users::keys(&services.store, actor.person()?.id).await?)
}

/// Changes the keys of whoever is asking, all of them.
pub async fn save_keys(services: &Arc<Services>, actor: &Actor, keys: &OwnKeys) -> Result<()> {
    let person = actor.person()?.id;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    super::hold(&tx, person).await?;
    store::account::users::set_keys(&tx, person, keys).await?;
    super::audit(&tx, Some(person), now, AuditEvent::ChangeKeys, person).await?;
    tx.commit().await?;
    Ok(())
}
