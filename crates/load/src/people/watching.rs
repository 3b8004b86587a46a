//! Dashboards: pages of the matrix that follow what moves, as `app/public/reading.js` does.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::{
    sync::{Notify, watch},
    time::sleep,
};

use crate::client::{Client, escaped};
use crate::{corpus::Random, latency::Latencies};

/// What dashboards do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Follow, load the page again, and connect again.
    Live,
    /// Keep the stream open, and count how it ends.
    Holding,
}

/// A revision that was seen, and when: in microseconds after the schedule began.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) revision: i64,
    pub(crate) at: u64,
}

/// What a dashboard has seen.
pub(crate) struct Watched {
    /// The place of its server.
    pub(crate) server: usize,
    pub(crate) events: Vec<Seen>,
    pub(crate) pages: Pages,
    /// How often its stream was lost.
    pub(crate) lost: u64,
    /// Whether the stream was ended, not broken off, when the server stopped.
    pub(crate) has_ended: bool,
}

/// What came of loading the page again.
#[derive(Default)]
pub(crate) struct Pages {
    pub(crate) seen: Vec<Seen>,
    pub(crate) loads: Latencies,
    pub(crate) failed: Vec<String>,
}

/// A dashboard whose stream is open.
pub(crate) struct Dashboard {
    server: usize,
    path: String,
    page: Client,
    stream: Client,
    /// The path of its events.
    events: String,
    body: Incoming,
}

impl Dashboard {
    /// What pages of the matrix follow, as the page of a project says in which nobody is yet.
    pub(crate) async fn followed(manager: &mut Client, project: i64) -> Result<String> {
        let path = format!("/projects/{project}/agreement");
        let page = manager.page(&path).await?;
        ensure!(page.status.is_success(), "{path}: {}", page.status);
        page.attribute("data-live").with_context(|| format!("{path} follows nothing"))
    }

    /// Opens the stream of a page that has been loaded.
    pub(crate) async fn open(
        person: &Client,
        project: i64,
        followed: &str,
        (place, server): (usize, SocketAddr),
    ) -> Result<Self> {
        let (page, mut stream) = (person.at(server), person.at(server));
        let path = format!("/projects/{project}/agreement");
        let events = format!("/events/revisions?of={}", escaped(followed));
        let body = stream.events(&events).await?;
        Ok(Self { server: place, path, page, stream, events, body })
    }

    /// Follows until the stream ends after the phase has changed. Only those that reload load their page
    /// again whenever something has moved.
    pub(crate) async fn follow(
        mut self,
        began: Instant,
        phase: watch::Receiver<Phase>,
        reloads: bool,
        mut random: Random,
    ) -> Watched {
        let moved = Arc::new(Notify::new());
        let loading = reloads.then(|| {
            let (page, path) = (self.page, self.path);
            tokio::spawn(load_again(page, path, began, phase.clone(), Arc::clone(&moved)))
        });
        let (mut events, mut lost, mut has_ended) = (Vec::new(), 0, false);
        loop {
            let ended = read(&mut self.body, |revision| {
                if *phase.borrow() == Phase::Live {
                    events.push(Seen { revision, at: micros(began) });
                    moved.notify_one();
                }
            });
            let ended = ended.await;
            if *phase.borrow() == Phase::Holding {
                has_ended = ended.is_ok();
                break;
            }
            lost += 1;
            // As the server asks for: each another time.
            sleep(Duration::from_millis(1_000 + random.below(3_000))).await;
            match self.stream.events(&self.events).await {
                Ok(body) => self.body = body,
                Err(_) if *phase.borrow() == Phase::Holding => break,
                Err(_) => {}
            }
        }
        let mut pages = Pages::default();
        if let Some(loading) = loading {
            pages = loading.await.unwrap_or_default();
        }
        Watched { server: self.server, events, pages, lost, has_ended }
    }
}

/// Loads the page whenever something has moved, one load after the other, until the phase changes.
async fn load_again(
    mut page: Client,
    path: String,
    began: Instant,
    mut phase: watch::Receiver<Phase>,
    moved: Arc<Notify>,
) -> Pages {
    let mut pages = Pages::default();
    loop {
        tokio::select! {
            _ = phase.wait_for(|phase| *phase == Phase::Holding) => return pages,
            () = moved.notified() => {}
        }
        let asked = Instant::now();
        // What is not there at the end is not waited for.
        let loaded = tokio::select! {
            _ = phase.wait_for(|phase| *phase == Phase::Holding) => return pages,
            loaded = load(&mut page, &path) => loaded,
        };
        match loaded {
            Ok(revision) => {
                pages.loads.add(asked.elapsed());
                pages.seen.push(Seen { revision, at: micros(began) });
            }
            Err(error) => pages.failed.push(format!("{error:#}")),
        }
    }
}

/// Loads a page, and says which revision it shows.
async fn load(page: &mut Client, path: &str) -> Result<i64> {
    let shown = page.page(path).await?;
    if !shown.status.is_success() {
        bail!("{path}: {}", shown.status);
    }
    let revision = shown.attribute("data-revision");
    Ok(revision.context("a page has no revision")?.parse()?)
}

/// Reads revisions from a stream until it ends.
async fn read(body: &mut Incoming, mut seen: impl FnMut(i64)) -> Result<()> {
    let mut text = String::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        text.push_str(std::str::from_utf8(&data)?);
        while let Some((event, rest)) = text.split_once("\n\n") {
            if let Some(revision) = revision(event) {
                seen(revision);
            }
            text = rest.to_owned();
        }
    }
    Ok(())
}

/// The revision that an event tells.
fn revision(event: &str) -> Option<i64> {
    let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
    data.split_once(' ')?.1.parse().ok()
}

/// Microseconds since the schedule began.
fn micros(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_read_from_what_stands_and_what_has_moved() {
        assert_eq!(revision("event: moved\ndata: 0 17"), Some(17));
        assert_eq!(revision("event: stands\ndata: 0 3"), Some(3));
        assert_eq!(revision("event: ended\ndata: 0"), None);
        assert_eq!(revision("retry: 1200"), None);
        assert_eq!(revision(":"), None);
    }
}
