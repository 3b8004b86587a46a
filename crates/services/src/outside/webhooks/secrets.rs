//! Secrets of webhooks, sealed with the server's key wherever they are stored.

use std::sync::Arc;

use domain::{ProjectId, WebhookView};
use store::outside::{deliveries::Due, webhooks::Clear};

use crate::{NotOurs, Purpose, Result, ServerKey, Services};

/// What a secret is bound to: whoever writes another address into the database gets nothing signed.
fn context(project: ProjectId, url: &str) -> String {
    format!("project {project}: {url}")
}

/// The secret as it is stored.
pub(super) fn seal(key: &ServerKey, project: ProjectId, url: &str, secret: &str) -> Result<String> {
    key.seal(Purpose::WebhookSecrets, &context(project, url), secret)
}

/// The secret with which a delivery is signed.
pub(super) fn open(key: &ServerKey, due: &Due) -> Result<String, NotOurs> {
    key.open(Purpose::WebhookSecrets, &context(due.project, &due.url), &due.secret)
}

/// A webhook with its secret in clear, if that may be shown and can be opened.
pub(super) fn opened(key: &ServerKey, project: ProjectId, mut view: WebhookView) -> WebhookView {
    view.secret = view.secret.and_then(|sealed| {
        key.open(Purpose::WebhookSecrets, &context(project, &view.url), &sealed).ok()
    });
    view
}

/// Seals what an earlier version has stored in clear. Done before anything is sent.
pub async fn seal_old(services: &Arc<Services>) -> Result<()> {
    loop {
        let tx = services.store.begin().await?;
        let clear = store::outside::webhooks::in_clear(&tx).await?;
        if clear.is_empty() {
            return Ok(());
        }
        let sealed: Result<Vec<_>> = clear
            .into_iter()
            .map(|Clear { id, project, url, secret }| {
                Ok((id, seal(&services.key, project, &url, &secret)?))
            })
            .collect();
        store::outside::webhooks::set_sealed(&tx, &sealed?).await?;
        tx.commit().await?;
    }
}
