//! When work on files ends although it is not done.

use std::{
    io::{self, Read},
    time::{Duration, Instant},
};

use tokio_util::sync::{CancellationToken, DropGuard};

/// The time that work on files may take: until a moment, and as long as somebody waits for it. The
/// default has no end. Work asks for it between documents, since nothing can interrupt a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeLimit {
    until: Option<Instant>,
    cancelled: CancellationToken,
}

impl TimeLimit {
    /// A limit that ends after this time from now.
    pub(crate) fn of(time: Duration) -> Self {
        Self { until: Instant::now().checked_add(time), cancelled: CancellationToken::new() }
    }

    /// Ends the limit when the guard is dropped.
    #[must_use]
    pub(crate) fn cancel_on_drop(&self) -> DropGuard {
        self.cancelled.clone().drop_guard()
    }

    /// Whether the work is to end now.
    pub(crate) fn is_over(&self) -> bool {
        self.cancelled.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }
    /// The same content, which cannot be read any more when the work is to end.
    pub(crate) fn limited(&self, content: impl Read) -> impl Read {
        LimitedRead { content, limit: self.clone() }
    }
}

struct LimitedRead<R> {
    content: R,
    limit: TimeLimit,
}

impl<R: Read> Read for LimitedRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.limit.is_over() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.content.read(buffer)
    }
}
