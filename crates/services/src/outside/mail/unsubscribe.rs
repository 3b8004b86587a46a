//! Wanting mail, or not: by the link at the end of each, without signing in, and on a page of one's own.

use std::{collections::BTreeSet, sync::Arc};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use domain::{Actor, AuditEvent, Error as Refusal, MailChoices, MailKind, Subscription, UserId};
use store::Tx;

use crate::{Purpose, Result, ServerKey, Services, account::audit};

/// What the link of a person and a kind is signed with.
fn signed(user: UserId, kind: MailKind) -> String {
    format!("{user}.{kind}")
}

/// The token of the link by which a person says that they want no more of a kind.
pub(super) fn token(key: &ServerKey, user: UserId, kind: MailKind) -> String {
    let signed = signed(user, kind);
    let mac = key.mac(Purpose::Unsubscribing, signed.as_bytes());
    format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac))
}

/// Whom and which kind a token is about, if it is ours.
fn read(key: &ServerKey, token: &str) -> Result<(UserId, MailKind), Refusal> {
    let read = || {
        let (signed, mac) = token.rsplit_once('.')?;
        let mac = BASE64_URL_SAFE_NO_PAD.decode(mac).ok()?;
        let is_ours = key.is_mac(Purpose::Unsubscribing, signed.as_bytes(), &mac);
        let (user, kind) = signed.split_once('.').filter(|_| is_ours)?;
        Some((user.parse().ok()?, kind.parse().ok()?))
    };
    read().ok_or(Refusal::NotFound)
}

/// What a link is about. Open to everybody who holds it.
pub async fn load_subscription(services: &Arc<Services>, token: &str) -> Result<Subscription> {
    let (user, kind) = read(&services.key, token)?;
    let refused = store::outside::mail::refused_by(&services.store, user).await?;
    Ok(Subscription { kind, is_wanted: !refused.contains(&kind) })
}

/// Sends no more of a kind to whoever a link belongs to. Open to everybody who holds it.
pub async fn unsubscribe(services: &Arc<Services>, token: &str) -> Result<()> {
    let (user, kind) = read(&services.key, token)?;
    let tx = services.store.begin().await?;
    if store::account::users::find(&tx, user).await?.is_none() {
        return Err(Refusal::NotFound.into());
    }
    if store::outside::mail::refuse(&tx, user, kind).await? {
        note(&tx, user, services.clock.now()).await?;
    }
    Ok(tx.commit().await?)
}

/// What whoever is asking wants to be written of.
pub async fn load_choices(services: &Arc<Services>, actor: &Actor) -> Result<MailChoices> {
    let person = actor.person()?;
    let refused = store::outside::mail::refused_by(&services.store, person.id).await?;
    let kinds = MailKind::choices().map(|kind| (kind, !refused.contains(&kind))).collect();
    Ok(MailChoices { is_on: services.mail.is_some(), address: person.email.clone(), kinds })
}

/// Has whoever is asking be written of these kinds, and of no others that they can do without.
pub async fn choose(
    services: &Arc<Services>,
    actor: &Actor,
    wanted: &BTreeSet<MailKind>,
) -> Result<()> {
    let person = actor.person()?.id;
    let tx = services.store.begin().await?;
    let refused = MailKind::choices().filter(|kind| !wanted.contains(kind)).collect();
    store::outside::mail::set_refused(&tx, person, &refused).await?;
    note(&tx, person, services.clock.now()).await?;
    Ok(tx.commit().await?)
}

/// Notes that somebody has changed what they want.
async fn note(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<()> {
    audit(tx, Some(user), now, AuditEvent::ChangeMail, user).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_good_for_one_person_and_one_kind() {
        let key = ServerKey::from([7; 32]);
        let own = token(&key, UserId(12), MailKind::WeeklySummary);
        assert_eq!(read(&key, &own), Ok((UserId(12), MailKind::WeeklySummary)));
        let mac = own.rsplit_once('.').unwrap().1;
        for other in [
            format!("13.weekly-summary.{mac}"),
            format!("12.alert.{mac}"),
            "12.weekly-summary.".to_owned(),
            "12.weekly-summary".to_owned(),
            String::new(),
            own.replace("12.", "012."),
        ] {
            assert_eq!(read(&key, &other), Err(Refusal::NotFound), "{other}");
        }
        assert_eq!(read(&ServerKey::from([8; 32]), &own), Err(Refusal::NotFound));
    }
}
