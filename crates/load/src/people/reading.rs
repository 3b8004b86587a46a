//! A manager who goes from page to page at all servers, while everybody saves.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tokio::{sync::watch, time::sleep};

use super::watching::Phase;
use crate::client::Client;
use crate::latency::Latencies;

/// How long somebody looks at a page.
const PAUSE: Duration = Duration::from_millis(200);

/// A page by its name, and how long it took.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    path: String,
    pub(crate) took: Latencies,
    pub(crate) failed: u64,
}

/// The pages that are asked for.
fn pages(project: i64) -> [Page; 3] {
    let page = |name, path| Page { name, path, took: Latencies::default(), failed: 0 };
    [
        page("matrix", format!("/projects/{project}/agreement")),
        page("overview", format!("/projects/{project}")),
        page("list of documents", format!("/projects/{project}/work/documents")),
    ]
}

/// Reads until the phase changes.
pub(crate) async fn read(
    manager: Client,
    servers: Vec<SocketAddr>,
    project: i64,
    phase: watch::Receiver<Phase>,
) -> [Page; 3] {
    let mut pages = pages(project);
    let mut clients: Vec<_> = servers.into_iter().map(|server| manager.at(server)).collect();
    if clients.is_empty() {
        return pages;
    }
    loop {
        for client in &mut clients {
            for page in &mut pages {
                if *phase.borrow() == Phase::Holding {
                    return pages;
                }
                let asked = Instant::now();
                match client.page(&page.path).await {
                    Ok(answer) if answer.status.is_success() => page.took.add(asked.elapsed()),
                    _ => page.failed += 1,
                }
                sleep(PAUSE).await;
            }
        }
    }
}
