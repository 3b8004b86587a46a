//! What was sent: for whoever administers the server.

use std::sync::Arc;

use domain::{Actor, MailId, MailLog};

use crate::{Result, Services, account::administration::permit};

/// How many mails a page shows.
const SHOWN: usize = 50;

/// The mails of the server, the latest first, from before this one on.
pub async fn load_log(
    services: &Arc<Services>,
    actor: &Actor,
    before: Option<MailId>,
) -> Result<MailLog> {
    permit(services, actor)?;
    let db = services.store.begin_read().await?;
    let more = domain::saturating::<u64>(SHOWN + 1);
    let mut rows = store::outside::mail::list(&db, before, more).await?;
    let goes_on = rows.len() > SHOWN;
    rows.truncate(SHOWN);
    Ok(MailLog { is_on: services.mail.is_some(), rows, goes_on })
}
