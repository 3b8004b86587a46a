//! From listening to the last answer.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, serve::ListenerExt};
use services::Services;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use crate::Site;

/// How long requests may take to end once the server is told to stop.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// Serves until `shutdown` is cancelled; then ends streams, finishes answers, and returns.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let listener = listener.tap_io(|connection| {
        // Without it events wait for the acknowledgement of the ones before.
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
    });
    let stopping = shutdown.clone().cancelled_owned();
    let router = router.into_make_service_with_connect_info::<SocketAddr>();
    let served = axum::serve(listener, router).with_graceful_shutdown(stopping);
    let too_late = async {
        shutdown.cancelled().await;
        sleep(LAST_ANSWERS).await;
    };
    tokio::select! {
        served = served => served,
        () = too_late => {
            tracing::warn!("some requests did not end in time and were cut off");
            Ok(())
        }
    }
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
    tokio::spawn(Arc::clone(services).serve_webhooks());
}
