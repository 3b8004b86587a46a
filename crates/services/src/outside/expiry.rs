//! Forgets what nobody can need any more: answers to saves and commands, sessions and tokens that
//! have ended, what was moved long ago.

use std::time::Duration;

use chrono::TimeDelta;
use store::{Store, outside::audit::Notes};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Result, Services, account::KNOWN_FOR};

/// How often there is something to forget.
const EVERY: Duration = Duration::from_hours(1);

/// How long the same save, sent again, gets the same answer: a browser may have been offline.
const ANSWERS_KEPT: TimeDelta = TimeDelta::days(30);

/// How long the same request of a program gets the same answer.
const REQUESTS_KEPT: TimeDelta = TimeDelta::days(1);

/// How long a token that has expired is still shown to its owner.
const TOKENS_SHOWN: TimeDelta = TimeDelta::days(30);

/// How long a wrong password is remembered after the last one.
const FAILURES_KEPT: TimeDelta = TimeDelta::days(1);

/// How long it is known where failed sign-ins came from: also those at addresses without an account,
/// whose owners nobody can ask to be forgotten.
const PLACES_KEPT: TimeDelta = TimeDelta::days(90);

/// How long it is known what was sent to whom.
const MAIL_KEPT: TimeDelta = TimeDelta::days(90);

/// Cleans up at the start and once an hour, for as long as it is polled.
pub(crate) async fn clean_regularly(services: &Services) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = clean(services).await {
            tracing::warn!(%error, "nothing could be cleaned up; trying again in an hour");
        }
    }
}

/// Cleans up once.
async fn clean(services: &Services) -> Result<()> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let answers = store::work::save_keys::delete_older_than(&tx, now - ANSWERS_KEPT).await?;
    let requests =
        store::base::answered_requests::delete_older_than(&tx, now - REQUESTS_KEPT).await?;
    let sessions = store::account::sessions::delete_expired(&tx, now).await?;
    let tokens = store::account::tokens::delete_expired(&tx, now - TOKENS_SHOWN).await?;
    let failures =
        store::account::sign_in_failures::delete_older_than(&tx, now - FAILURES_KEPT).await?;
    let devices = store::account::devices::delete_older_than(&tx, now - KNOWN_FOR).await?;
    let links = store::account::password_resets::delete_expired(&tx, now).await?;
    let mail = store::outside::mail::delete_older_than(&tx, now - MAIL_KEPT).await?;
    let places = Notes::OfSignInsBefore(now - PLACES_KEPT);
    let places = store::outside::audit::erase(&tx, places).await?;
    let challenges = store::account::used_challenges::delete_expired(&tx, now).await?;
    tx.commit().await?;
    let feed = trim_feed(&services.store).await?;
    tracing::debug!(
        answers,
        requests,
        sessions,
        tokens,
        failures,
        devices,
        links,
        mail,
        places,
        challenges,
        feed,
        "cleaned up"
    );
    Ok(())
}

/// Forgets what nobody is told any more of what was moved, a little at a time: saves wait for each.
async fn trim_feed(store: &Store) -> Result<u64> {
    let mut forgotten = 0;
    loop {
        let tx = store.begin().await?;
        let some = store::agreement::feed::trim(&tx).await?;
        tx.commit().await?;
        if some == 0 {
            return Ok(forgotten);
        }
        forgotten += some;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    };

    use chrono::{DateTime, Utc};
    use store::{outside::audit::Refused, work::save_keys::NewSave};

    use super::*;
    use crate::{Clock, ServerKey};

    #[tokio::test]
    async fn answers_are_kept_for_a_month() {
        let day = Arc::new(AtomicI64::new(0));
        let today = Arc::clone(&day);
        let clock = Clock::from_fn(move || {
            DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(today.load(Ordering::Relaxed))
        });
        let store = store::testing::sqlite().await;
        let tx = store.begin().await.unwrap();
        let now = DateTime::UNIX_EPOCH;
        let user = store::account::users::create(&tx, "a@example.org", "A", "hash", false, now)
            .await
            .unwrap();
        let response = "{}".to_owned();
        let save = NewSave { user, key: "key", fingerprint: "print", response };
        store::work::save_keys::insert(&tx, vec![save], now).await.unwrap();
        tx.commit().await.unwrap();
        let services = Services::new(store.clone(), clock, None, ServerKey::from([7; 32]));

        for (at, is_kept) in [(29, true), (31, false)] {
            day.store(at, Ordering::Relaxed);
            clean(&services).await.unwrap();
            let found = store::work::save_keys::find(&*store, user, "key").await.unwrap();
            assert_eq!(found.is_some(), is_kept, "day {at}");
        }
    }

    #[tokio::test]
    async fn it_is_known_for_ninety_days_where_failed_sign_ins_came_from() {
        let day = Arc::new(AtomicI64::new(0));
        let today = Arc::clone(&day);
        let clock = Clock::from_fn(move || {
            DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(today.load(Ordering::Relaxed))
        });
        let store = store::testing::sqlite().await;
        let services = Services::new(store.clone(), clock, None, ServerKey::from([7; 32]));
        let refused = Refused::SignIn { account: None, why: "wrong password" };
        services.store.trail().refusals().count(refused, Some("192.0.2.1".to_owned()));
        services.note_refusals().await.unwrap();
        for (at, is_known) in [(89, true), (91, false)] {
            day.store(at, Ordering::Relaxed);
            clean(&services).await.unwrap();
            let rows = store::outside::audit::stretch(&*store, None, None, 10).await.unwrap();
            assert_eq!((rows[0].note().is_some(), rows[0].is_erased()), (is_known, !is_known));
        }
    }
}
