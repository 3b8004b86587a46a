//! The live streams, as server-sent events: of a project's matrix, and of a browser's pages.

mod browser;
mod event;

use std::{convert::Infallible, future::ready, pin::pin, sync::Arc, time::Duration};

use axum::{
    Extension,
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Actor, ProjectId, Revision, base::policy::Reach};
use futures::{Stream, StreamExt, stream};
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use rand::Rng;
use services::agreement::SharedSnapshot;
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, timeout},
};

pub(crate) use self::browser::{follow_pages, load_followed};
use self::event::Event;
use crate::{
    Site,
    middleware::access::session::Credential,
    rest::base::extract::{Path, Query, SwitchesQuery},
    site::problem::Problem,
};

/// How often something is sent on a quiet stream, so that nobody in between takes it for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Follow the matrix
///
/// Follows the matrix until the reader goes, the session or the membership ends, or the server
/// stops. Refusals are ordinary answers: the stream starts only for those who may see it.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/events", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery, ("Last-Event-ID" = Option<String>, Header, description = "The revision seen last.")),
    responses((status = 200, description = "Events `snapshot`, each with the matrix as JSON.", content_type = "text/event-stream", body = String)),
)]
pub(crate) async fn follow_agreement(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    credential: Option<Extension<Credential>>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let snapshots =
        services::agreement::follow(&site.services, &actor, project, switches.switches()).await?;
    let news = news(snapshots, last_event_id(&headers));
    Ok(sse_response(news, end(site, actor, credential.map(|Extension(credential)| credential))))
}

/// A stream of events that ends with `end`.
///
/// A task drives it. The body of a response is polled only while its reader takes what is sent: what
/// waits inside of it for a place, or holds a connection, would keep either from everybody else for as
/// long as the reader takes nothing.
fn sse_response(
    news: impl Stream<Item = Event> + Send + 'static,
    end: impl Future<Output = ()> + Send + 'static,
) -> Response {
    // The channel has room for many at once: boxed, that is small.
    let (sender, receiver) = mpsc::channel(1);
    let open = metrics::gauge!("concord_streams");
    tokio::spawn(async move {
        open.increment(1);
        tokio::select! {
            () = forward(news, &sender) => {}
            () = end => {}
            () = sender.closed() => {}
        }
        open.decrement(1);
    });
    let told = stream::unfold(receiver, async |mut receiver| {
        let event = timeout(KEEP_ALIVE, receiver.recv()).await;
        Some((event.unwrap_or_else(|_| Some(Box::new(Event::nothing())))?, receiver))
    });
    let news = stream::once(ready(Box::new(reconnect_later()))).chain(told);
    let pieces = news.flat_map(|event| stream::iter(event.pieces()));
    let mut response = Body::from_stream(pieces.map(Ok::<_, Infallible>)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// Sends the news on. None is begun before there is a place for it, and what is begun is made at one
/// go: whoever takes nothing costs nothing.
async fn forward(news: impl Stream<Item = Event>, to: &mpsc::Sender<Box<Event>>) {
    let told = metrics::counter!("concord_events_total");
    let mut news = pin!(news);
    while let Ok(place) = to.reserve().await {
        match news.next().await {
            Some(event) => {
                place.send(Box::new(event));
                told.increment(1);
            }
            None => return,
        }
    }
}

/// The snapshots, without the first one if the reader has it already. A snapshot that waits for
/// intervals has no id: whoever has seen only that is told again.
fn news(
    snapshots: impl Stream<Item = Arc<SharedSnapshot>>,
    seen: Option<Revision>,
) -> impl Stream<Item = Event> {
    snapshots
        .enumerate()
        .filter(move |(place, snapshot)| ready(*place > 0 || Some(snapshot.revision) != seen))
        .filter_map(async |(_, snapshot)| {
            let id = (snapshot.pending() == 0).then_some(snapshot.revision);
            Some(Event::new("snapshot", id, Json(snapshot.json().await.ok()?)))
        })
}

/// The JSON of a snapshot, the same bytes for all who are told it.
struct Json(Arc<str>);

impl AsRef<[u8]> for Json {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Tells the reader how long to wait before connecting again after a loss: each another time, so
/// that they do not all come at once when the server is back.
fn reconnect_later() -> Event {
    let wait = Duration::from_millis(rand::rng().random_range(1_000..4_000));
    Event::retry(wait)
}

/// The revision that the reader saw last, before the connection was lost.
fn last_event_id(headers: &HeaderMap) -> Option<Revision> {
    headers.get("last-event-id")?.to_str().ok()?.parse().ok()
}

/// Waits for the end of the server or of the session.
async fn end(site: Arc<Site>, actor: Actor, credential: Option<Credential>) {
    tokio::select! {
        () = site.shutdown.cancelled() => {}
        () = end_of_session(&site, &actor, credential) => {}
    }
}

/// Waits until the session or the token does not stand for the same person any more, or cannot be checked: then
/// the reader connects again and is told.
async fn end_of_session(site: &Site, actor: &Actor, credential: Option<Credential>) {
    let mut checks = interval(site.recheck);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        checks.tick().await;
        let Some(credential) = &credential else { return };
        // Boxed, it takes no room between the checks, which is nearly always.
        let now = Box::pin(credential.actor(&site.services, Reach::Read)).await;
        if !now.is_ok_and(|now| is_same_person(&now, actor)) {
            return;
        }
    }
}

fn is_same_person(one: &Actor, other: &Actor) -> bool {
    one.person().is_ok_and(|one| other.person().is_ok_and(|other| one.id == other.id))
}

#[cfg(test)]
mod tests {
    use std::future::{pending, poll_fn};

    use tokio::{sync::Semaphore, time::sleep};

    use super::*;

    /// News that take the only place there is while they are made.
    fn news(place: Arc<Semaphore>) -> impl Stream<Item = Event> + Send + 'static {
        stream::unfold(place, async |place| {
            let held = place.acquire().await.unwrap();
            sleep(Duration::from_millis(1)).await;
            drop(held);
            Some((Event::nothing(), place))
        })
    }

    #[tokio::test]
    async fn a_stream_that_nobody_reads_keeps_no_other_waiting() {
        let place = Arc::new(Semaphore::new(1));
        let told =
            || sse_response(news(Arc::clone(&place)), pending()).into_body().into_data_stream();
        let mut unread = told();
        // Polled until the place is taken, and never again.
        while poll_fn(|context| std::task::Poll::Ready(unread.poll_next_unpin(context).is_ready()))
            .await
        {}
        let read = told().take(20).collect::<Vec<_>>();
        let read = timeout(Duration::from_secs(5), read).await;
        assert_eq!(read.map(|pieces| pieces.len()), Ok(20));
        drop(unread);
    }

    #[tokio::test]
    async fn nothing_goes_on_for_a_reader_who_is_gone() {
        let place = Arc::new(Semaphore::new(1));
        let body = sse_response(news(Arc::clone(&place)), pending()).into_body();
        drop(body);
        let gone = async {
            while Arc::strong_count(&place) > 1 {
                sleep(Duration::from_millis(1)).await;
            }
        };
        assert!(timeout(Duration::from_secs(5), gone).await.is_ok());
    }
}
