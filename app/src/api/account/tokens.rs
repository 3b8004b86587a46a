//! Server functions for the tokens of programs.

use domain::{ApiTokenId, ProjectId, Scope};
use leptos::prelude::*;

use crate::ApiError;

/// Makes a token; the answer is its secret, and the page of tokens shows it this once. Without
/// projects it leads to all of one's own.
#[server(prefix = "/fn", endpoint = "tokens/create_token")]
pub async fn create_token(
    name: String,
    days: u16,
    #[server(default)] scopes: Vec<Scope>,
    #[server(default)] projects: Vec<ProjectId>,
) -> Result<String, ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    let projects = (!projects.is_empty()).then(|| projects.into_iter().collect());
    let scopes = scopes.into_iter().collect();
    let token = domain::NewApiToken { name, scopes, projects, days };
    let secret = answer(services::account::create_token(&services, &actor, token).await)?;
    lead_to_with_note("/tokens", &secret);
    Ok(secret)
}

/// Ends a token: what comes with it is refused from now on.
#[server(prefix = "/fn", endpoint = "tokens/revoke_token")]
pub async fn revoke_token(id: ApiTokenId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::account::revoke_token(&services, &actor, id).await;
    crate::context::answer_at(done, "/tokens")
}
