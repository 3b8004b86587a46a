//! From listening to the last answer.

mod link;

use std::{
    convert::Infallible,
    future::poll_fn,
    io::{self, ErrorKind},
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use axum::{Router, extract::ConnectInfo};
use domain::Network;
use http::{Request, Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use services::{
    Services,
    outside::backup::{Schedule, back_up_regularly},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    signal::unix::{SignalKind, signal},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use self::link::Link;
use crate::{
    Site,
    middleware::{access::host::Reached, limits::caps::too_many_connections},
    routes::router::router,
};

/// How long requests may take to end once the server is told to stop: with what is written at the end it
/// stays below five seconds, whatever a client holds open. Container runtimes kill after ten.
const LAST_ANSWERS: Duration = Duration::from_secs(4);

/// How long a connection may say nothing, and how long the head of a request may take.
const HEAD: Duration = Duration::from_secs(20);

/// What is read ahead of a connection, and written ahead to it: a head is never longer.
const BUFFER: usize = 16 * 1024;

/// How long, and how much, is still read of a connection whose request was answered before it had
/// ended: else the answer would be lost on its way.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 512 * 1024;

/// How many connections are told at the same time that they are too many.
const REFUSALS: usize = 32;

/// Files that are kept for everything but connections.
const OTHER_FILES: u64 = 128;

/// The most connections, if the system has no limit of its own.
const MOST_CONNECTIONS: u64 = 16_384;

type Body = axum::body::Body;

/// Serves until the site is shut down; then ends streams, finishes answers, and returns.
pub(crate) async fn serve(listener: TcpListener, site: &Arc<Site>) -> io::Result<()> {
    let shutdown = site.shutdown();
    let connections = TaskTracker::new();
    let server = Server {
        router: router(Arc::clone(site)),
        site: Arc::clone(site),
        all: Arc::new(Semaphore::new(most_connections())),
        refusals: Arc::new(Semaphore::new(REFUSALS)),
    };
    loop {
        tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => server.receive(&connections, stream, peer),
                Err(error) => wait_after(&error).await,
            },
        }
    }
    drop(listener);
    connections.close();
    if timeout(LAST_ANSWERS, connections.wait()).await.is_err() {
        tracing::warn!("some requests did not end in time and were cut off");
    }
    Ok(())
}

/// What all connections share.
struct Server {
    router: Router,
    site: Arc<Site>,
    all: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
}

impl Server {
    /// Talks with whoever has connected, if there is a place for them.
    fn receive(&self, connections: &TaskTracker, stream: TcpStream, peer: SocketAddr) {
        // Without it events wait for the acknowledgement of the ones before.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
        let shutdown = self.site.shutdown();
        let place = Arc::clone(&self.all).try_acquire_owned().ok();
        // A proxy has the connections of everybody.
        let entry = if self.site.is_trusted(peer.ip()) {
            Some(None)
        } else {
            self.site.connections.enter(Network::from(peer.ip())).map(Some)
        };
        if let (Some(place), Some(entry)) = (place, entry) {
            let router = self.router.clone();
            let reached = stream.local_addr().ok().map(|it| Reached(it.ip().to_canonical()));
            connections.spawn(async move {
                let answer = move |mut request: Request<Incoming>| {
                    request.extensions_mut().insert(ConnectInfo(peer));
                    if let Some(reached) = reached {
                        request.extensions_mut().insert(reached);
                    }
                    router.clone().oneshot(request)
                };
                serve_connection(stream, answer, shutdown, HEAD).await;
                drop((place, entry));
            });
        } else if let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() {
            connections.spawn(refuse(stream, shutdown, permit));
        }
    }
}

/// A connection that broke at once is nobody's any more; with too many files open, the next may be
/// accepted when some are closed.
async fn wait_after(error: &io::Error) {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(%error, "no connection can be accepted for now");
        sleep(Duration::from_millis(200)).await;
    }
}

/// Tells a connection that it is one too many.
async fn refuse(stream: TcpStream, shutdown: CancellationToken, permit: OwnedSemaphorePermit) {
    let answer = |_| async {
        let mut response = too_many_connections();
        let close = http::HeaderValue::from_static("close");
        response.headers_mut().insert(http::header::CONNECTION, close);
        Ok::<_, Infallible>(response)
    };
    serve_connection(stream, answer, shutdown, LINGER).await;
    drop(permit);
}

/// Answers the requests of a connection until either side ends it.
async fn serve_connection<A, F>(
    stream: TcpStream,
    answer: A,
    shutdown: CancellationToken,
    head: Duration,
) where
    A: Fn(Request<Incoming>) -> F + Unpin,
    F: Future<Output = Result<Response<Body>, Infallible>> + Send + 'static,
{
    let service = service_fn(move |request| -> Pin<Box<dyn Future<Output = _> + Send>> {
        Box::pin(answer(request))
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(Link::new(stream)), service);
    let mut stopping = pin!(shutdown.cancelled());
    let mut is_stopping = false;
    let ended = poll_fn(|context| {
        if !is_stopping && stopping.as_mut().poll(context).is_ready() {
            is_stopping = true;
            Pin::new(&mut connection).graceful_shutdown();
        }
        connection.poll_without_shutdown(context)
    })
    .await;
    match ended {
        Ok(()) => linger(connection.into_parts().io.into_inner().into_inner()).await,
        Err(error) => tracing::debug!(%error, "a connection was ended"),
    }
}

/// Ends a connection so that the last answer arrives.
async fn linger(mut stream: TcpStream) {
    let read_rest = async {
        stream.shutdown().await?;
        // On the heap: in the task of each connection it would be there as long as that lasts.
        let (mut rest, mut left) = (vec![0; 8 * 1024], LINGER_BYTES);
        loop {
            let read = stream.read(&mut rest).await?;
            left = left.saturating_sub(read);
            if read == 0 || left == 0 {
                return Ok::<_, io::Error>(());
            }
        }
    };
    // Whoever is gone, or goes on for longer, has lost it.
    drop(timeout(LINGER, read_rest).await);
}

/// How many connections there may be: each is an open file. A process may raise what it is given by
/// default.
fn most_connections() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(MOST_CONNECTIONS + OTHER_FILES);
    let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
    let has = limit.current.unwrap_or(u64::MAX);
    let files =
        if has < wanted && setrlimit(Resource::Nofile, raised).is_ok() { wanted } else { has };
    let connections = files.saturating_sub(OTHER_FILES).clamp(16, MOST_CONNECTIONS);
    usize::try_from(connections).unwrap_or(16)
}

/// Cancels `shutdown` when the process is told to stop.
pub(crate) fn stop_on_signals(shutdown: CancellationToken) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
        shutdown.cancel();
    });
    Ok(())
}

/// Has the log say what is being answered: whenever an answer is late, and when the process is asked
/// by SIGUSR1.
pub(crate) fn watch_answers(site: &Arc<Site>) -> io::Result<()> {
    site.in_flight.watch(&site.services)?;
    let mut asked = signal(SignalKind::user_defined1())?;
    let site = Arc::clone(site);
    tokio::spawn(async move {
        while asked.recv().await.is_some() {
            // Whoever asks is to be answered at the level that is usual.
            let (all, connections) = (site.in_flight.describe(), site.services.connections());
            tracing::warn!(all, %connections, "asked what is being answered");
        }
    });
    Ok(())
}

/// Starts what goes on besides requests; it ends with the process.
pub(crate) fn start_background(services: &Arc<Services>) {
    tokio::spawn(Arc::clone(services).watch_database());
    tokio::spawn(Arc::clone(services).clean_regularly());
    tokio::spawn(Arc::clone(services).watch_limits());
    tokio::spawn(Arc::clone(services).keep_failures());
    tokio::spawn(Arc::clone(services).serve_webhooks());
    tokio::spawn(Arc::clone(services).serve_mail());
    tokio::spawn(Arc::clone(services).watch_refusals());
    tokio::spawn(Arc::clone(services).watch_imports());
}

/// Starts making backups; that ends with the process, and what is half made has no backup's name.
pub(crate) fn start_backups(services: &Arc<Services>, schedule: Schedule) {
    if schedule.drills.is_none() {
        tracing::warn!("backups are made, but never restored to try them: see --backup-identity");
    }
    let services = Arc::clone(services);
    tokio::spawn(async move { back_up_regularly(&services, &schedule).await });
}
