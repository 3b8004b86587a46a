//! Server functions for identities at providers.

use domain::IdentityId;
use leptos::prelude::*;

use crate::ApiError;

/// Removes an identity from one's own account.
#[server(prefix = "/fn", endpoint = "accounts/unlink_identity")]
pub async fn unlink_identity(id: IdentityId) -> Result<(), ApiError> {
    use crate::context::{answer_at, client, request};

    let (services, actor) = request()?;
    let done = services::account::unlink_identity(&services, &actor, &client(), id).await;
    answer_at(done, "/account?changed=unlinked")
}
