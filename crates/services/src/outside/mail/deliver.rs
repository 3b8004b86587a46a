//! Sends what is due: each mail is written, sent once at a time, and tried again until it is taken, refused or
//! given up.

use std::{collections::BTreeSet, sync::Arc};

use chrono::TimeDelta;
use domain::MailOutcome;
use futures::future::join_all;
use store::outside::mail::{Due, Ending, Recipient};
use tokio::time::{MissedTickBehavior, interval};

use super::{
    client::{self, Envelope, Failure},
    letter::{Letter, Piece},
    letters,
    settings::MailSettings,
    unsubscribe::token,
    week,
};
use crate::{
    Error, Result, Services,
    outside::tries::{INTERVAL, next_try},
};

/// How many are sent at the same time. No more are begun: what is begun does not wait for others.
const AT_ONCE: u64 = 4;

/// How long after the beginning of a try another server may try, since this one has stopped in the middle of it:
/// longer than a letter takes to be written and the mail server may take.
const TAKEN: TimeDelta = TimeDelta::minutes(10);

/// How long to wait after the beginning of each failed try but the last one: a server that puts strangers off
/// for a while, and one that is away for a day, are met again.
const BACK_OFF: [TimeDelta; 7] = [
    TimeDelta::minutes(1),
    TimeDelta::minutes(5),
    TimeDelta::minutes(15),
    TimeDelta::hours(1),
    TimeDelta::hours(4),
    TimeDelta::hours(12),
    TimeDelta::hours(24),
];

/// Sends what is due, for as long as it is polled; nothing where the server sends no mail.
pub(crate) async fn deliver_regularly(services: &Arc<Services>) {
    if services.mail.is_none() {
        return;
    }
    let mut tick = interval(INTERVAL);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut summarized = None;
    loop {
        tick.tick().await;
        match week::queue(services, summarized).await {
            Ok(done) => summarized = done,
            Err(error) => {
                tracing::warn!(%error, "weekly summaries could not be queued; trying again");
            }
        }
        if let Err(error) = deliver_due(services).await {
            tracing::warn!(%error, "mail could not be sent; trying again");
        }
    }
}

/// Queues the summaries that fall due by now.
pub async fn summarize_due(services: &Arc<Services>) -> Result<()> {
    week::queue(services, None).await.map(|_| ())
}

/// Sends what is due by now, and waits until it is sent.
pub async fn deliver_due(services: &Arc<Services>) -> Result<()> {
    let Some(settings) = &services.mail else { return Ok(()) };
    loop {
        let now = services.clock.now();
        let due = store::outside::mail::due(&services.store, now, AT_ONCE).await?;
        if due.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = due.iter().map(|due| due.id).collect();
        let tx = services.store.begin().await?;
        let claimed = store::outside::mail::claim(&tx, &ids, now, now + TAKEN).await?;
        tx.commit().await?;
        let claimed: BTreeSet<_> = claimed.into_iter().collect();
        // What is not there, another process has begun.
        let own = due.iter().filter(|due| claimed.contains(&due.id));
        let sending = own.map(|due| async move {
            if let Err(error) = try_once(services, settings, due).await {
                tracing::warn!(%error, mail = %due.id, "what became of a mail could not be noted");
            }
        });
        join_all(sending).await;
    }
}

/// What became of a try.
enum Tried {
    /// It was handed over, to this address.
    Sent(String),
    /// It was not taken at this address; it is tried again, if that is not final and not too often.
    Failed(String, Failure),
    /// It could not be written, and is tried again.
    Unwritten,
    /// Nobody is to be sent it any more.
    Dropped(MailOutcome),
}

async fn try_once(services: &Services, settings: &MailSettings, due: &Due) -> Result<()> {
    let begun = services.clock.now();
    let tried = attempt(services, settings, due).await.unwrap_or_else(|error| {
        tracing::warn!(%error, mail = %due.id, kind = %due.kind, "a mail could not be written");
        Tried::Unwritten
    });
    if let Tried::Failed(_, Failure { code, problem, .. }) = &tried {
        // What a mail server says names people.
        let why = code.as_ref().unwrap_or(problem);
        tracing::warn!(why, mail = %due.id, kind = %due.kind, "a mail was not sent");
    }
    let next_at = next_try(begun, due.attempts, &BACK_OFF);
    let (outcome, address, problem) = match &tried {
        Tried::Sent(address) => (Some(MailOutcome::Sent), Some(&**address), None),
        Tried::Dropped(outcome) => (Some(*outcome), None, None),
        Tried::Failed(address, failure) => {
            let end = if failure.is_final { MailOutcome::Refused } else { MailOutcome::GivenUp };
            let is_over = failure.is_final || next_at.is_none();
            (is_over.then_some(end), Some(&**address), Some(&*failure.problem))
        }
        Tried::Unwritten => {
            let is_over = next_at.is_none();
            (is_over.then_some(MailOutcome::GivenUp), None, Some("it could not be written"))
        }
    };
    let tx = services.store.begin().await?;
    let at = services.clock.now();
    let is_noted = if let Some(outcome) = outcome {
        let ending = Ending { outcome, address, problem, at };
        store::outside::mail::end(&tx, due, ending).await?
    } else {
        let problem = problem.unwrap_or_default();
        store::outside::mail::put_off(&tx, due, next_at.unwrap_or(at), problem).await?
    };
    tx.commit().await?;
    if !is_noted {
        tracing::warn!(mail = %due.id, "a mail took so long that another server has begun with it");
    }
    let outcome = outcome.map_or("put-off", MailOutcome::name);
    metrics::counter!("concord_mail_tries_total", "outcome" => outcome).increment(1);
    Ok(())
}

async fn attempt(services: &Services, settings: &MailSettings, due: &Due) -> Result<Tried> {
    let outdated = || Ok(Tried::Dropped(MailOutcome::Outdated));
    let person = match &due.to {
        Recipient::Address(_) => None,
        Recipient::Account(user) => {
            let Some(person) = store::account::users::find_enabled(&services.store, *user).await?
            else {
                return outdated();
            };
            let refused = store::outside::mail::refused_by(&services.store, *user).await?;
            if due.kind.is_choice() && refused.contains(&due.kind) {
                return Ok(Tried::Dropped(MailOutcome::Unsubscribed));
            }
            Some(person)
        }
    };
    let letter = match letters::write(services, settings, due, person.as_ref()).await {
        Ok(letter) => letter,
        // There is nothing to say, or its reader may not read it any more.
        Err(error @ Error::Refused(_)) if !error.may_pass() => return outdated(),
        Err(error) => return Err(error),
    };
    let address = match (&due.to, &person) {
        (Recipient::Address(address), _) => address.as_str(),
        (_, Some(person)) => person.email.as_str(),
        (_, None) => return outdated(),
    };
    let unsubscribe = person.as_ref().filter(|_| due.kind.is_choice()).map(|person| {
        let token = token(&services.key, person.id, due.kind);
        format!("{}/unsubscribe/{token}", settings.site)
    });
    let letter = with_foot(letter, settings, due, unsubscribe.as_deref());
    let id = format!("mail.{}.{}", due.id, due.created_at.timestamp_micros());
    let envelope = Envelope { id: &id, address, unsubscribe: unsubscribe.as_deref() };
    let address = address.to_owned();
    Ok(match client::send(settings, envelope, &letter).await {
        Ok(()) => Tried::Sent(address),
        Err(failure) => Tried::Failed(address, failure),
    })
}

/// With where it comes from, and how to have no more of it, at its end.
fn with_foot(
    mut letter: Letter,
    settings: &MailSettings,
    due: &Due,
    unsubscribe: Option<&str>,
) -> Letter {
    if let Some(address) = unsubscribe {
        letter.pieces.push(Piece::Small(format!("{} from {}", due.kind.words(), settings.site)));
        letter.pieces.push(Piece::Link("Unsubscribe", address.to_owned()));
    }
    letter
}
