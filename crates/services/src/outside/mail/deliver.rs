//! Sends what is due: each mail is written, sent once at a time, and tried again until it is taken, refused or
//! given up.

use std::{collections::BTreeSet, sync::Arc};

use chrono::TimeDelta;
use domain::MailOutcome;
use futures::{StreamExt, stream};
use store::outside::mail::{Due, Recipient};
use tokio::time::{MissedTickBehavior, interval};

use super::{
    client::{self, Failure},
    letter::{Letter, Piece},
    letters,
    settings::MailSettings,
    unsubscribe::token,
    week,
};
use crate::{
    Error, Result, Services,
    outside::tries::{INTERVAL, TAKEN, next_try},
};

/// How many are sent at the same time.
const AT_ONCE: usize = 4;

/// How many are begun at a time.
const BEGUN: u64 = 32;

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
        let due = store::outside::mail::due(&services.store, now, BEGUN).await?;
        if due.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = due.iter().map(|due| due.id).collect();
        let tx = services.store.begin().await?;
        let claimed = store::outside::mail::claim(&tx, &ids, now, now + TAKEN).await?;
        tx.commit().await?;
        let claimed: BTreeSet<_> = claimed.into_iter().collect();
        // What is not there, another process has begun.
        let own: Vec<_> = due.into_iter().filter(|due| claimed.contains(&due.id)).collect();
        let sending = stream::iter(own).for_each_concurrent(AT_ONCE, |due| async move {
            if let Err(error) = try_once(services, settings, &due).await {
                tracing::warn!(%error, mail = %due.id, "what became of a mail could not be noted");
            }
        });
        sending.await;
    }
}

/// What became of a try.
enum Tried {
    Ended(MailOutcome, Option<String>),
    /// It is tried again, if it is not too often.
    Failed(String),
}

async fn try_once(services: &Services, settings: &MailSettings, due: &Due) -> Result<()> {
    let begun = services.clock.now();
    let tried = match attempt(services, settings, due).await {
        Ok(tried) => tried,
        Err(error) => {
            tracing::warn!(%error, mail = %due.id, kind = %due.kind, "a mail could not be written");
            Tried::Failed("it could not be written".to_owned())
        }
    };
    let tx = services.store.begin().await?;
    let outcome = match tried {
        Tried::Ended(outcome, problem) => {
            let now = services.clock.now();
            store::outside::mail::end(&tx, due.id, outcome, problem.as_deref(), now).await?;
            outcome.name()
        }
        Tried::Failed(problem) => {
            tracing::warn!(problem, mail = %due.id, kind = %due.kind, "a mail was not sent");
            if let Some(next_at) = next_try(begun, due.attempts, &BACK_OFF) {
                store::outside::mail::put_off(&tx, due.id, next_at, &problem).await?;
                "put-off"
            } else {
                let (now, outcome) = (services.clock.now(), MailOutcome::GivenUp);
                store::outside::mail::end(&tx, due.id, outcome, Some(&problem), now).await?;
                outcome.name()
            }
        }
    };
    tx.commit().await?;
    metrics::counter!("concord_mail_tries_total", "outcome" => outcome).increment(1);
    Ok(())
}

async fn attempt(services: &Services, settings: &MailSettings, due: &Due) -> Result<Tried> {
    let outdated = || Ok(Tried::Ended(MailOutcome::Outdated, None));
    let person = match &due.to {
        Recipient::Address(_) => None,
        Recipient::Account(user) => {
            let Some(person) = store::account::users::find_enabled(&services.store, *user).await?
            else {
                return outdated();
            };
            let refused = store::outside::mail::refused_by(&services.store, *user).await?;
            if due.kind.is_choice() && refused.contains(&due.kind) {
                return Ok(Tried::Ended(MailOutcome::Unsubscribed, None));
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
    Ok(match client::send(settings, due, address, &letter, unsubscribe.as_deref()).await {
        Ok(()) => Tried::Ended(MailOutcome::Sent, None),
        Err(Failure::ForGood(problem)) => Tried::Ended(MailOutcome::Refused, Some(problem)),
        Err(Failure::ForNow(problem)) => Tried::Failed(problem),
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
