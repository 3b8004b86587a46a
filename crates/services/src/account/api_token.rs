//! Tokens with which programs act for a person. A token looks like `concord_` and 49 characters: 256
//! random bits and a checksum, so that a typing error, or a find in somebody's files, is told without
//! asking the database.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    Actor, ApiToken, ApiTokenId, AuditEvent, Code, Error as Refusal, Grant, Model, ModelId,
    NewApiToken, ProjectId, Scope, UserId, base::policy::Reach,
};
use store::Tx;

use crate::{Result, Services};
use crate::{
    account::{audit, audit_of, by_person, hold},
    base::secrets::token,
};

/// What every token begins with.
const PREFIX: &str = "concord_";

/// How many characters of a token are its checksum.
const CHECKSUM: usize = 6;

/// The most tokens that a person has at a time.
const MOST: u64 = 50;

/// How long a request waits to note that a token is in use; see `TOUCH_WITHIN` of sessions.
const TOUCH_WITHIN: Duration = Duration::from_secs(1);

/// A new token.
fn generate() -> String {
    let secret = format!("{PREFIX}{}", token::generate());
    let checksum = checksum(&secret);
    secret + &checksum
}

fn checksum(secret: &str) -> String {
    token::hash(secret).chars().take(CHECKSUM).collect()
}

/// Whether this can be a token at all.
fn is_well_formed(token: &str) -> bool {
    let Some((secret, given)) =
        token.len().checked_sub(CHECKSUM).and_then(|at| token.split_at_checked(at))
    else {
        return false;
    };
    secret.starts_with(PREFIX) && checksum(secret) == given
}

/// The tokens of whoever is asking, the newest first.
pub async fn list_tokens(services: &Arc<Services>, actor: &Actor) -> Result<Vec<ApiToken>> {
    Ok(store::account::tokens::list_of_user(&services.store, by_person(actor)?.id).await?)
}

/// Makes a token. The answer is its secret; it is not kept.
pub async fn create_token(
    services: &Arc<Services>,
    actor: &Actor,
    new: NewApiToken,
) -> Result<String> {
    let user = by_person(actor)?.id;
    create(services, user, Some(user), (new.checked()?, None)).await
}

/// Makes a token of whoever is asking with which a program speaks for a model of a project, and does
/// nothing else. That they may is for the caller to know.
pub(crate) async fn create_model_token(
    services: &Services,
    actor: &Actor,
    (project, model): (ProjectId, &Model),
    days: u16,
) -> Result<String> {
    let user = by_person(actor)?.id;
    let new = NewApiToken {
        name: model.name.clone(),
        scopes: [Scope::Model].into(),
        projects: Some([project].into()),
        days,
    };
    create(services, user, Some(user), (new.checked_for_any()?, Some(model.id))).await
}

/// Ends a token of whoever is asking.
pub async fn revoke_token(services: &Arc<Services>, actor: &Actor, id: ApiTokenId) -> Result<()> {
    let user = by_person(actor)?.id;
    revoke(services, user, Some(user), id).await
}

/// The tokens of the account with this address, for whoever runs the server.
pub async fn list_tokens_of(services: &Arc<Services>, email: &str) -> Result<Vec<ApiToken>> {
    let user = find(services, email).await?;
    Ok(store::account::tokens::list_of_user(&services.store, user).await?)
}

/// Makes a token for the account with this address, by whoever runs the server.
pub async fn create_token_of(
    services: &Arc<Services>,
    email: &str,
    new: NewApiToken,
) -> Result<String> {
    let user = find(services, email).await?;
    create(services, user, None, (new.checked()?, None)).await
}

/// Ends a token of the account with this address, by whoever runs the server.
pub async fn revoke_token_of(services: &Arc<Services>, email: &str, id: ApiTokenId) -> Result<()> {
    let user = find(services, email).await?;
    revoke(services, user, None, id).await
}

/// Whose token this is, for a request that needs a scope to reach so far; nobody's, if it has ended.
pub async fn actor_of_token(services: &Arc<Services>, token: &str, needed: Reach) -> Result<Actor> {
    if !is_well_formed(token) {
        return Ok(Actor::Anonymous);
    }
    let now = services.clock.now();
    let found = store::account::tokens::find(&services.store, &token::hash(token), now).await?;
    let Some((user, token)) = found else { return Ok(Actor::Anonymous) };
    if token.last_used_on.is_none_or(|day| day < now.date_naive()) {
        let touched =
            tokio::time::timeout(TOUCH_WITHIN, touch(services, user.id, token.id, now)).await;
        if let Ok(touched) = touched {
            touched?;
        }
    }
    let ApiToken { id, scopes, projects, model, .. } = token;
    Ok(Actor::Token(user, Grant { token: id, scopes, projects, model, needed }))
}

/// Notes the first use of a day.
async fn touch(
    services: &Services,
    user: UserId,
    id: ApiTokenId,
    now: DateTime<Utc>,
) -> Result<()> {
    let tx = services.store.begin().await?;
    if store::account::tokens::touch(&tx, id, now).await? {
        let subject = format!("token {id}");
        audit_of(&tx, Some(user), now, AuditEvent::UseToken, subject).await?;
    }
    Ok(tx.commit().await?)
}

async fn find(services: &Services, email: &str) -> Result<UserId> {
    let known = store::account::users::find_by_email(&services.store, email.trim()).await?;
    Ok(known.ok_or(Refusal::NotFound)?.user.id)
}

async fn create(
    services: &Services,
    user: UserId,
    by: Option<UserId>,
    (new, model): (NewApiToken, Option<ModelId>),
) -> Result<String> {
    let now = services.clock.now();
    let secret = generate();
    let tx = services.store.begin().await?;
    hold(&tx, user).await?;
    check_projects(&tx, user, &new).await?;
    if store::account::tokens::count_of_user(&tx, user).await? >= MOST {
        let why = "you have 50 tokens, the maximum; revoke one first";
        return Err(Code::LimitReached.of("name", why).into());
    }
    let expires_at = now + TimeDelta::days(new.days.into());
    let hash = token::hash(&secret);
    store::account::tokens::create(&tx, user, &hash, (&new, model), now, expires_at).await?;
    audit(&tx, by, now, AuditEvent::CreateToken, user).await?;
    tx.commit().await?;
    Ok(secret)
}

/// Refuses projects that the person is not in: what a token is for is not to be a matter of luck.
async fn check_projects(tx: &Tx, user: UserId, new: &NewApiToken) -> Result<()> {
    let Some(projects) = &new.projects else { return Ok(()) };
    let own: BTreeSet<_> = store::project::list_of_user(tx, user, false)
        .await?
        .iter()
        .map(|own| own.card.id)
        .collect();
    if projects.is_subset(&own) {
        return Ok(());
    }
    Err(Code::Unsuitable.of("projects", "you are not a member of all these projects").into())
}

async fn revoke(
    services: &Services,
    user: UserId,
    by: Option<UserId>,
    id: ApiTokenId,
) -> Result<()> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if !store::account::tokens::delete(&tx, user, id).await? {
        return Err(Refusal::NotFound.into());
    }
    audit(&tx, by, now, AuditEvent::RevokeToken, user).await?;
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_shows_what_it_is_and_a_wrong_letter_shows() {
        let token = generate();
        assert!(token.starts_with("concord_") && token.len() == 8 + 43 + 6, "{token}");
        assert!(is_well_formed(&token));
        let at = 20;
        let other = if token.as_bytes()[at] == b'x' { "y" } else { "x" };
        let wrong = format!("{}{other}{}", &token[..at], &token[at + 1..]);
        assert!(!is_well_formed(&wrong));
        for strange in ["", "concord_", "ü", "concord_üüüüü", &token[1..]] {
            assert!(!is_well_formed(strange), "{strange}");
        }
    }
}
