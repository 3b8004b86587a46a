//! Second factors: what somebody signs in with beside their password.

mod app;
mod codes;
mod enrolling;
mod recovery;
mod recovery_codes;
mod step;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, Error as Refusal, SecondFactors, UserId};
use store::Tx;

use super::audit;
use crate::{Result, Services};

pub use app::{begin_app, confirm_app, load_new_app, remove_app};
pub use enrolling::SetUp;
pub use recovery::make_recovery_codes;
pub use step::{FurtherStep, load_step, take_step};

pub(super) use enrolling::{Enrolling, enrolling, finish, proven, removed};
pub(super) use step::{begin, enter};

/// What somebody has.
pub(super) async fn list(services: &Services, user: UserId) -> Result<SecondFactors> {
    let db = services.store.begin_read().await?;
    let app = store::account::second_factors::find_app(&db, user).await?;
    let passkeys = store::account::passkeys::list_of_user(&db, user).await?;
    let codes = store::account::second_factors::count_recovery_codes(&db, user).await?;
    Ok(SecondFactors {
        app_since: app.and_then(|app| app.confirmed).map(|(_, since)| since),
        passkeys: passkeys.into_iter().map(store::account::passkeys::Passkey::shown).collect(),
        recovery_codes: (codes.unused, codes.all),
        required: services.requires_second_factor,
    })
}

/// Takes all second factors from the account with this address and ends its sessions, by whoever
/// runs the server: for people who have lost theirs.
pub async fn remove_second_factors_of(services: &Arc<Services>, email: &str) -> Result<()> {
    let known = store::account::users::find_by_email(&services.store, email.trim()).await?;
    let user = known.ok_or(Refusal::NotFound)?.user.id;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    remove_all(&tx, user, now).await?;
    audit(&tx, None, now, AuditEvent::RemoveSecondFactors, user).await?;
    Ok(tx.commit().await?)
}

/// Takes all second factors from an account and ends its sessions.
pub(crate) async fn remove_all(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<()> {
    store::account::second_factors::delete_of_user(tx, user, now).await?;
    Ok(store::account::sessions::delete_of_user(tx, user, None).await?)
}
