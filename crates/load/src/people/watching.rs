//! Dashboards: pages of the matrix that are brought what changes on them, as `app/public/follow_worker.js`
//! does it.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde::Deserialize;
use tokio::{sync::watch, time::sleep};

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

/// What a page showed: by what it was brought, or by asking for all of it where that did not follow from what
/// it had.
#[derive(Default)]
pub(crate) struct Pages {
    pub(crate) seen: Vec<Seen>,
    pub(crate) loads: Latencies,
    pub(crate) failed: Vec<String>,
}

/// A dashboard whose stream is open.
pub(crate) struct Dashboard {
    server: usize,
    page: Page,
    stream: Client,
    /// The path of its events.
    address: String,
    events: Events,
}

impl Dashboard {
    /// What pages of the matrix follow, as the page of a project says in which nobody is yet.
    pub(crate) async fn followed(manager: &mut Client, project: i64) -> Result<String> {
        let path = format!("/projects/{project}/agreement");
        let page = manager.page(&path).await?;
        ensure!(page.status.is_success(), "{path}: {}", page.status);
        let of = page.attribute("data-live").with_context(|| format!("{path} follows nothing"))?;
        Ok(format!("{of}@{path}"))
    }

    /// Opens the stream of a page that has been loaded, and has its text.
    pub(crate) async fn open(
        person: &Client,
        project: i64,
        followed: &str,
        (place, server): (usize, SocketAddr),
    ) -> Result<Self> {
        let (asking, mut stream) = (person.at(server), person.at(server));
        let events = Events::of(stream.events(&address(followed)).await?);
        let path = format!("/events/projects/{project}/page?of={}", escaped(followed));
        let mut page = Page { asking, path, version: String::new() };
        // As browsers do within five seconds.
        page.load().await?;
        Ok(Self { server: place, page, stream, address: address(followed), events })
    }

    /// Follows until the stream ends after the phase has changed.
    pub(crate) async fn follow(
        mut self,
        began: Instant,
        phase: watch::Receiver<Phase>,
        mut random: Random,
    ) -> Watched {
        let (mut seen, mut pages, mut lost) = (Vec::new(), Pages::default(), 0);
        let has_ended = loop {
            let ended = loop {
                let event = match self.events.next().await {
                    Ok(Some(event)) => event,
                    ended => break ended,
                };
                if *phase.borrow() == Phase::Holding {
                    continue;
                }
                let revision = event.revision;
                seen.push(Seen { revision, at: micros(began) });
                match self.page.change(&event, &mut pages.loads).await {
                    Ok(()) => pages.seen.push(Seen { revision, at: micros(began) }),
                    Err(error) => pages.failed.push(format!("{error:#}")),
                }
            };
            if *phase.borrow() == Phase::Holding {
                break ended.is_ok();
            }
            lost += 1;
            // As the server asks for: each another time.
            sleep(Duration::from_millis(1_000 + random.below(3_000))).await;
            match self.stream.events(&self.address).await {
                Ok(body) => self.events = Events::of(body),
                Err(_) if *phase.borrow() == Phase::Holding => break false,
                Err(_) => {}
            }
        };
        Watched { server: self.server, events: seen, pages, lost, has_ended }
    }
}

/// The path of the events of what a page follows.
pub(crate) fn address(followed: &str) -> String {
    format!("/events/revisions?of={}", escaped(followed))
}

/// What a dashboard shows: its text is not kept, but the version of it is.
struct Page {
    asking: Client,
    path: String,
    version: String,
}

impl Page {
    /// Brings the page up to date by an event: all of it is asked for where edits do not follow from what is
    /// there.
    async fn change(&mut self, event: &Event, loads: &mut Latencies) -> Result<()> {
        if event.is_first {
            return Ok(());
        }
        if let Some(Change { from, to }) = &event.change
            && (self.version == *from || self.version == *to)
        {
            self.version.clone_from(to);
            return Ok(());
        }
        let asked = Instant::now();
        self.load().await?;
        loads.add(asked.elapsed());
        Ok(())
    }

    async fn load(&mut self) -> Result<()> {
        let answer = self.asking.page(&self.path).await?;
        ensure!(answer.status.is_success(), "{}: {}", self.path, answer.status);
        self.version = answer.version.unwrap_or_default();
        Ok(())
    }
}

/// What a stream tells.
pub(crate) struct Event {
    pub(crate) revision: i64,
    /// Where things stand as the stream begins: the page that was loaded shows that.
    is_first: bool,
    change: Option<Change>,
}

/// Which version of the page edits lead from, and to which.
#[derive(Deserialize)]
struct Change {
    from: String,
    to: String,
}

impl Event {
    fn read(text: &str) -> Option<Self> {
        let name = text.lines().find_map(|line| line.strip_prefix("event: "))?;
        let mut data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let revision = data.next()?.split_once(' ')?.1.parse().ok()?;
        let change = data.next().and_then(|change| serde_json::from_str(change).ok());
        Some(Self { revision, is_first: name == "stands", change })
    }
}

/// The events of a stream.
pub(crate) struct Events {
    body: Incoming,
    text: String,
}

impl Events {
    pub(crate) const fn of(body: Incoming) -> Self {
        Self { body, text: String::new() }
    }

    /// The next event that tells a revision; none at the end of the stream.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (Event::read(event), rest.to_owned());
                self.text = rest;
                if event.is_some() {
                    return Ok(event);
                }
            }
            let Some(frame) = self.body.frame().await else { return Ok(None) };
            let Ok(data) = frame?.into_data() else { continue };
            self.text.push_str(std::str::from_utf8(&data)?);
        }
    }
}

/// Microseconds since the schedule began.
fn micros(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read() {
        let event = |text| Event::read(text).map(|event| (event.revision, event.is_first));
        assert_eq!(event("event: moved\ndata: 0 17"), Some((17, false)));
        assert_eq!(event("event: stands\ndata: 0 3"), Some((3, true)));
        assert_eq!(event("event: ended\ndata: 0"), None);
        assert_eq!(event("retry: 1200"), None);
        assert_eq!(event(":"), None);
        let edited = "event: edited\ndata: 0 4\ndata: {\"edits\":[],\"from\":\"a\",\"to\":\"b\"}";
        let change = Event::read(edited).and_then(|event| event.change).unwrap();
        assert_eq!((change.from.as_str(), change.to.as_str()), ("a", "b"));
    }
}
