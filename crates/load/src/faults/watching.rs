//! What servers show: the matrix when it is asked for, and the revision that their streams tell.

use std::{
    net::SocketAddr,
    slice::from_ref,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use tokio::{task::JoinHandle, time::sleep};

use crate::{
    client::Client,
    people::watching::{self, Events},
};

/// How long a reader waits for a page.
const ANSWER: Duration = Duration::from_secs(1);

/// How long a page that has lost its stream waits before it asks again.
const AGAIN: Duration = Duration::from_millis(300);

/// A page of the matrix at one server.
pub(crate) struct Watcher {
    client: Client,
    path: String,
    /// The newest revision that the stream has told.
    told: Arc<AtomicI64>,
    following: JoinHandle<()>,
}

impl Watcher {
    /// Opens the page at a server and follows what moves there, for as long as it is there.
    pub(crate) fn open(
        manager: &Client,
        server: SocketAddr,
        (project, followed): (i64, &str),
    ) -> Self {
        let told = Arc::new(AtomicI64::new(0));
        let events = watching::address(followed);
        let following = tokio::spawn(follow(manager.at(server), events, Arc::clone(&told)));
        let path = format!("/api/v1/projects/{project}/agreement");
        Self { client: manager.at(server).wait_at_most(ANSWER), path, told, following }
    }

    /// What the server shows now.
    pub(crate) async fn read_shown(&mut self) -> Result<Shown> {
        let mut shown: Shown = self.client.json(&self.path).await?;
        // Intervals come when they are known, and are none of what was counted.
        for cell in &mut shown.cells {
            cell.as_object_mut().context("a cell has parts")?.remove("confidence");
        }
        Ok(shown)
    }

    /// The revision that its stream has told last.
    pub(crate) fn told_revision(&self) -> i64 {
        self.told.load(Ordering::Relaxed)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.following.abort();
    }
}

/// The numbers of a matrix, and of which revision they are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Shown {
    pub(crate) revision: i64,
    raters: Vec<Value>,
    cells: Vec<Value>,
    last_change: Value,
}

impl Shown {
    /// What is not the same in another one, by its name, in both.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let pairs = |own: &[Value], others: &[Value], name| {
            let both = own.iter().zip(others).filter(|(own, other)| own != other);
            let told = both.map(|(own, other)| format!("{name}: {own} and {other}"));
            told.collect::<Vec<_>>()
        };
        let mut told = pairs(&self.raters, &other.raters, "rater");
        told.extend(pairs(&self.cells, &other.cells, "cell"));
        let (own, others) = (from_ref(&self.last_change), from_ref(&other.last_change));
        told.extend(pairs(own, others, "last change"));
        told
    }
}

/// Reads a stream, and the next one when it has ended.
async fn follow(mut client: Client, events: String, told: Arc<AtomicI64>) {
    loop {
        if let Ok(body) = client.events(&events).await {
            let mut events = Events::of(body);
            // However it ends, the page asks again.
            while let Ok(Some(event)) = events.next().await {
                told.store(event.revision, Ordering::Relaxed);
            }
        }
        sleep(AGAIN).await;
    }
}
