//! Labelers who save at any server, and send what had no answer again until it has one.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, bail, ensure};
use http::StatusCode;
use serde::Deserialize;
use tokio::{sync::watch, time::sleep};

use crate::{
    client::Client,
    corpus::{Random, Span},
    people::saving::{self, Labeler, drawn},
};

/// How long somebody waits for the answer to a save before they send it again, maybe elsewhere.
const ANSWER: Duration = Duration::from_secs(1);

/// How long a save may have no answer, however often it is sent.
const PATIENCE: Duration = Duration::from_secs(30);

/// From an answer to the next save, in milliseconds.
const PAUSE: u64 = 60;

/// A labeler with a connection to each server.
pub(crate) struct Worker {
    labeler: Labeler,
    clients: Vec<Client>,
    labels: Arc<[i64]>,
    /// Counts up with each save, so that no two are alike.
    time: u64,
}

/// What came of somebody's saves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Worked {
    pub(crate) acknowledged: u64,
    /// How many of them were sent more than once.
    pub(crate) sent_again: u64,
}

/// A labeler's assignment as its page is told.
#[derive(Deserialize)]
struct Opened {
    content: Content,
}

#[derive(Deserialize)]
struct Content {
    revision: i64,
    spans: Vec<Span<i64>>,
}

impl Worker {
    pub(crate) fn new(labeler: Labeler, servers: &[SocketAddr], labels: Arc<[i64]>) -> Self {
        let clients = servers.iter().map(|server| labeler.client.at(*server).wait_at_most(ANSWER));
        let clients = clients.collect();
        Self { labeler, clients, labels, time: 0 }
    }

    /// Saves until told to stop; then what was sent has been answered.
    pub(crate) async fn work(&mut self, seed: u64, stop: watch::Receiver<bool>) -> Result<Worked> {
        let mut random = Random::of(seed ^ self.labeler.number.wrapping_mul(0x9e37_79b9));
        let mut worked = Worked::default();
        while !*stop.borrow() {
            sleep(Duration::from_millis(random.below(PAUSE))).await;
            let times = self.save(&mut random).await?;
            worked.acknowledged += 1;
            worked.sent_again += u64::from(times > 1);
        }
        Ok(worked)
    }

    /// Saves once, however often it has to be sent; says how often it was.
    async fn save(&mut self, random: &mut Random) -> Result<u32> {
        let Self { labeler, clients, labels, time } = self;
        *time += 1;
        let assignment = one_of(&mut labeler.assignments, random)?;
        let change = saving::change(assignment, labels, (labeler.number, *time), random);
        let (began, mut times) = (Instant::now(), 0);
        loop {
            times += 1;
            let said = saving::send(one_of(clients, random)?, &change).await;
            let why = match said {
                Ok(answer) if answer.status.is_success() => {
                    let revision = assignment.revision;
                    let is_saved = saving::take_in(assignment, change, &answer, labels)?;
                    ensure!(is_saved, "assignment {}: a conflict with nobody", assignment.id);
                    ensure!(
                        assignment.revision == revision + 1,
                        "assignment {}: one save led from {revision} to {}",
                        assignment.id,
                        assignment.revision,
                    );
                    return Ok(times);
                }
                Ok(answer) => {
                    let may_help = answer.status.is_server_error()
                        || answer.status == StatusCode::TOO_MANY_REQUESTS;
                    let said = answer.text().unwrap_or_default();
                    let said = format!("{} {said}", answer.status);
                    ensure!(may_help, "assignment {}: {said}", assignment.id);
                    said
                }
                Err(error) => format!("{error:#}"),
            };
            if began.elapsed() > PATIENCE {
                bail!("assignment {}: no answer however often it was sent: {why}", assignment.id);
            }
            sleep(Duration::from_millis(20 + random.below(100))).await;
        }
    }

    /// Opens all assignments at any server: each has what was acknowledged, once, and nothing else.
    pub(crate) async fn check(&mut self, seed: u64) -> Result<Vec<String>> {
        let mut random = Random::of(seed ^ self.labeler.number);
        let mut problems = Vec::new();
        for assignment in &self.labeler.assignments {
            let client = one_of(&mut self.clients, &mut random)?;
            let id = assignment.id.to_string();
            let opened: Opened =
                client.call("annotating/load_assignment", &[("assignment", &id)]).await?;
            let Content { revision, spans } = opened.content;
            if revision != assignment.revision {
                let wanted = assignment.revision;
                problems.push(format!("assignment {id} is at {revision}, not at {wanted}"));
            } else if drawn(spans, &self.labels) != assignment.spans {
                problems.push(format!("assignment {id} has other spans than were saved"));
            }
        }
        Ok(problems)
    }
}

fn one_of<'a, T>(all: &'a mut [T], random: &mut Random) -> Result<&'a mut T> {
    let count = u64::try_from(all.len())?;
    let place = usize::try_from(random.below(count))?;
    all.get_mut(place).ok_or_else(|| anyhow::anyhow!("there is none to draw from"))
}
