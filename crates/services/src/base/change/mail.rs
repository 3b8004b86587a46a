//! What people are written of, queued in the transaction of what has happened; nothing where the server sends
//! no mail.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{MailKind, ProjectId, UserId};
use store::{
    Tx,
    outside::mail::{NewMail, Recipient, enqueue, enqueue_one, recipients},
};

use crate::{Purpose, Result, Services};

/// For how many seconds news of a kind is gathered: people are written to once for all of it.
const GATHERED: i64 = 15 * 60;

/// What was begun in a stretch may be committed a little after it, and belongs to its mail.
const COMMITTED: TimeDelta = TimeDelta::minutes(1);

/// Has some people be written to of what is new in a project: once for everything within a quarter of an hour.
/// What the mail says is seen when it is sent.
pub(crate) async fn write_to(
    services: &Services,
    tx: &Tx,
    (kind, project): (MailKind, ProjectId),
    people: &[UserId],
    at: DateTime<Utc>,
) -> Result<()> {
    if services.mail.is_none() || people.is_empty() {
        return Ok(());
    }
    let stretch = at.timestamp().div_euclid(GATHERED);
    let ends_at = DateTime::from_timestamp(stretch.saturating_add(1).saturating_mul(GATHERED), 0);
    let due_at = ends_at.unwrap_or(at) + COMMITTED;
    write_once(services, tx, (kind, project), people, (&stretch.to_string(), due_at)).await
}

/// Has some people be written to of a project's `matter`, once.
pub(crate) async fn write_once(
    services: &Services,
    tx: &Tx,
    (kind, project): (MailKind, ProjectId),
    people: &[UserId],
    (matter, due_at): (&str, DateTime<Utc>),
) -> Result<()> {
    let new = |user| NewMail {
        kind,
        to: Recipient::Account(user),
        project: Some(project),
        key: format!("{kind} {project} {user} {matter}"),
        link: None,
        due_at,
    };
    let people = recipients(tx, kind, people).await?;
    Ok(enqueue(tx, people.into_iter().map(new).collect(), services.clock.now()).await?)
}

/// The key of a mail with a link.
pub(crate) fn key(kind: MailKind, matter: &str) -> String {
    format!("{kind} {matter}")
}

/// Has a link be sent whose token nobody else is told: it is stored sealed, and forgotten when it is sent. False
/// if what it is about was written of already, or the server sends no mail.
pub(crate) async fn send_link(
    services: &Services,
    tx: &Tx,
    (kind, project): (MailKind, Option<ProjectId>),
    to: Recipient,
    (matter, token): (&str, &str),
) -> Result<bool> {
    if services.mail.is_none() {
        return Ok(false);
    }
    let key = key(kind, matter);
    let link = services.key.seal(Purpose::MailLinks, &key, token)?;
    let now = services.clock.now();
    let mail = NewMail { kind, to, project, key, link: Some(link), due_at: now };
    Ok(enqueue_one(tx, mail, now).await?)
}
