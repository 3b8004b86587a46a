//! Browsers that somebody has signed in with before: other people's wrong passwords do not keep them
//! out. A token in a cookie of its own tells; it opens nothing.

use chrono::{DateTime, TimeDelta, Utc};
use domain::UserId;
use store::Tx;

use super::client::Client;
use crate::base::secrets::token;
use crate::{Result, Services};

/// How long a browser is known that nobody signs in with.
pub(crate) const KNOWN_FOR: TimeDelta = TimeDelta::days(180);

/// How many browsers a person is known by, the latest ones.
const MOST: u32 = 20;

/// The hash of the browser's token, if the account with this address was signed in with there.
pub(crate) async fn known(
    services: &Services,
    client: &Client,
    email: &str,
) -> Result<Option<String>> {
    let Some(device) = &client.device else { return Ok(None) };
    let hash = token::hash(device);
    let is_known = store::account::devices::is_known(&services.store, &hash, email).await?;
    Ok(is_known.then_some(hash))
}

/// Notes that somebody signs in with this browser. The answer is its token, a new one if it has none
/// that was made here.
pub(crate) async fn note(
    tx: &Tx,
    client: &Client,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<String> {
    let token = match &client.device {
        Some(own) if store::account::devices::exists(tx, &token::hash(own)).await? => own.clone(),
        _ => token::generate(),
    };
    store::account::devices::note(tx, &token::hash(&token), user, now, MOST).await?;
    Ok(token)
}
