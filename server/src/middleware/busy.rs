//! What is said when more people ask than can be answered: come back, in so many seconds. And, for
//! whoever runs the server, what the connections are in use for.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderValue, StatusCode, header::RETRY_AFTER};

use crate::Site;

/// When to come back. Reads are short, and who waited in vain has waited already.
const COME_BACK: HeaderValue = HeaderValue::from_static("1");
/// The log is told at most so often.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Counts the answers that nobody could be given in time.
pub(crate) struct Busy {
    since: Instant,
    refused: AtomicU64,
    /// The whole intervals of [`TELL_EVERY`] after which the log was told last, and one.
    told: AtomicU64,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Self { since: Instant::now(), refused: AtomicU64::new(0), told: AtomicU64::new(0) }
    }

    /// How many answers were refused so far.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Counts one more; whether the log is to be told now.
    fn count(&self, now: Instant) -> bool {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let intervals = now.duration_since(self.since).as_secs() / TELL_EVERY.as_secs() + 1;
        self.told.fetch_max(intervals, Ordering::Relaxed) < intervals
    }
}

/// Says when to come back if what a request asks for could not be done now, and counts that.
pub(crate) async fn count_refused(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        if site.busy.count(Instant::now()) {
            let (connections, refused) = (site.services.connections(), site.busy.refused());
            tracing::warn!(%connections, refused, "busy: somebody was asked to come back");
        }
        response.headers_mut().entry(RETRY_AFTER).or_insert(COME_BACK);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_told_once_a_second_at_most_and_each_refusal_is_counted() {
        let busy = Busy::new();
        let at = |millis| busy.count(busy.since + Duration::from_millis(millis));
        let told: Vec<_> = [0, 10, 999, 1_000, 1_500, 2_900, 3_000].map(at).to_vec();
        assert_eq!(told, [true, false, false, true, false, true, true]);
        assert_eq!(busy.refused(), 7);
    }
}
