//! Sends what is queued for webhooks, again and again until it arrives or is given up.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use chrono::TimeDelta;
use futures::{StreamExt, stream};
use reqwest::{header::CONTENT_TYPE, redirect};
use store::deliveries::{Due, Tried};

use super::message::signature;
use crate::{Result, Services, told};

/// How often it is looked what is to be sent.
const INTERVAL: Duration = Duration::from_secs(5);

/// How many are sent at the same time, and how many of them in one go.
const AT_ONCE: usize = 4;
const IN_ONE_GO: u32 = 50;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long after a try a server that stopped in the middle of it lets others try.
const TAKEN: TimeDelta = TimeDelta::minutes(2);

/// How long to wait after each failed try but the last one: five tries within about half an hour.
const BACK_OFF: [TimeDelta; 4] =
    [TimeDelta::seconds(10), TimeDelta::minutes(1), TimeDelta::minutes(5), TimeDelta::minutes(25)];

/// The longest problem that is kept.
const LONGEST_PROBLEM: usize = 300;

/// The client that sends, made when something is to be sent for the first time.
#[derive(Default)]
pub(crate) struct Client(tokio::sync::OnceCell<reqwest::Client>);

impl Client {
    async fn get(&self) -> Result<&reqwest::Client, reqwest::Error> {
        let make = async || {
            reqwest::Client::builder()
                .user_agent(concat!("concord/", env!("CARGO_PKG_VERSION")))
                .timeout(PATIENCE)
                // Whoever answers "elsewhere" is told nothing more.
                .redirect(redirect::Policy::none())
                .build()
        };
        self.0.get_or_try_init(make).await
    }
}

/// Sends what is due, for as long as it is polled.
pub(crate) async fn deliver_regularly(services: &Arc<Services>) {
    let mut tick = tokio::time::interval(INTERVAL);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = deliver_due(services).await {
            tracing::warn!(%error, "webhooks could not be served; trying again");
        }
    }
}

/// Sends what is due by now.
pub async fn deliver_due(services: &Arc<Services>) -> Result<()> {
    let due = store::deliveries::due(&services.store, services.clock.now(), IN_ONE_GO).await?;
    let told: BTreeSet<_> = due.iter().map(|due| due.webhook).collect();
    let sent = stream::iter(due).map(|due| deliver(services, due)).buffer_unordered(AT_ONCE);
    sent.for_each(async |sent| {
        if let Err(error) = sent {
            tracing::warn!(%error, "a delivery could not be noted");
        }
    })
    .await;
    if told.is_empty() {
        return Ok(());
    }
    let tx = services.store.begin().await?;
    store::deliveries::forget_old(&tx, &told).await?;
    Ok(tx.commit().await?)
}

async fn deliver(services: &Services, due: Due) -> Result<()> {
    let begun = services.clock.now();
    let tx = services.store.begin().await?;
    let is_ours = store::deliveries::claim(&tx, &due, begun + TAKEN).await?;
    tx.commit().await?;
    if !is_ours {
        return Ok(());
    }
    let answer = send(services, &due, begun.timestamp()).await?;
    let now = services.clock.now();
    let (status, problem) = match answer {
        Ok(status) => (Some(status), None),
        Err(problem) => (None, Some(problem)),
    };
    let arrived = status.is_some_and(|status| (200..300).contains(&status));
    let wait = BACK_OFF.get(usize::try_from(due.attempts).unwrap_or(usize::MAX));
    let tried = Tried {
        delivered_at: arrived.then_some(now),
        next_at: wait.filter(|_| !arrived).map(|wait| now + *wait),
        status,
        problem,
    };
    let tx = services.store.begin().await?;
    store::deliveries::finish(&tx, due.id, &tried).await?;
    Ok(tx.commit().await?)
}

/// Sends once: the HTTP status of the answer, or why there was none.
async fn send(services: &Services, due: &Due, time: i64) -> Result<Result<u16, String>> {
    let signature = signature(&due.secret, time, &due.body)?;
    let client = match services.webhooks.get().await {
        Ok(client) => client,
        Err(error) => return Ok(Err(shortened(error))),
    };
    let answer = client
        .post(&due.url)
        .header(CONTENT_TYPE, "application/json")
        .header("concord-event", &due.event)
        .header("concord-delivery", due.id.to_string())
        .header("concord-timestamp", time.to_string())
        .header("concord-signature", signature)
        .body(due.body.clone())
        .send()
        .await;
    Ok(answer.map(|answer| answer.status().as_u16()).map_err(shortened))
}

/// What went wrong, for the manager to read.
fn shortened(error: reqwest::Error) -> String {
    told(&error.without_url()).chars().take(LONGEST_PROBLEM).collect()
}
