//! Which secret key goes with the database; and what was said too much of deliveries, and kept too long of
//! answers, goes. Secrets of webhooks are sealed by the server, which has the key.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// What a try failed of told a manager what is at an address inside.
const SAY_LESS: &str = "UPDATE webhook_delivery SET status = NULL, problem = 'not delivered'
                        WHERE delivered_at IS NULL AND (status IS NOT NULL OR problem IS NOT NULL)";

/// Answers with the token of an invitation or the secret of a webhook: their keys stay taken.
const FORGET: &str = r#"UPDATE answered_request
    SET status = 410, headers = '[["content-type","application/problem+json"]]',
        body = '{"type":"about:blank","title":"Gone","status":410,"detail":"this was carried out; its answer held a secret, which is not shown again"}'
    WHERE body LIKE '%"/invitations/%' OR body LIKE '%"secret":"%'"#;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One row at most.
        let key =
            table("secret_key").col(integer("id").primary_key()).col(text("fingerprint")).take();
        manager.create_table(key).await?;
        for statement in [SAY_LESS, FORGET] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["secret_key"]).await
    }
}
