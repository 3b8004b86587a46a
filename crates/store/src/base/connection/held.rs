//! Which connections are in use and by whom: what an operator wants to know when none is free.

use domain::saturating;
use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::{DatabaseConnection, DbBackend};

use crate::base::answered_requests::RequestKey;

tokio::task_local! {
    /// What the present task is doing.
    static PURPOSE: Arc<str>;
}

/// Runs `work`; connections that it holds are said to be held for `purpose`.
pub async fn held_for<F: Future>(purpose: Arc<str>, work: F) -> F::Output {
    PURPOSE.scope(purpose, work).await
}

/// Carries the purpose and the request of the present task over to a task that it starts with `work`.
pub fn continue_in_task<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let (purpose, request) = (purpose(), RequestKey::of_present_task());
    let work = async move {
        match request {
            Some(request) => request.carry_out(work).await,
            None => work.await,
        }
    };
    held_for(purpose, work)
}

/// What the present task holds connections for.
fn purpose() -> Arc<str> {
    PURPOSE.try_with(Arc::clone).unwrap_or_else(|_| "the server itself".into())
}

/// The connections of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InUse {
    pub used: u32,
    pub most: u32,
}

/// The connections at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    pub reading: InUse,
    pub writing: InUse,
    /// What transactions are under way for, and for how long; the longest first.
    pub held: Vec<(Arc<str>, Duration)>,
}

impl fmt::Display for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reading, writing, held } = self;
        write!(f, "{} of {} reading, ", reading.used, reading.most)?;
        write!(f, "{} of {} writing", writing.used, writing.most)?;
        for (purpose, since) in held {
            write!(f, "; {purpose} for {:.1} s", since.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The transactions that are under way.
#[derive(Debug, Default)]
pub(crate) struct Held {
    next: AtomicU64,
    held: Mutex<BTreeMap<u64, (Arc<str>, Instant)>>,
}

/// A transaction's entry, for as long as it holds its connection.
#[derive(Debug)]
pub(crate) struct Hold {
    held: Arc<Held>,
    number: u64,
}

impl Held {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, (Arc<str>, Instant)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the present task holds a connection from now on.
    pub(crate) fn enter(self: &Arc<Self>) -> Hold {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(number, (purpose(), Instant::now()));
        Hold { held: Arc::clone(self), number }
    }

    /// What connections are held for; the longest first.
    pub(crate) fn list(&self) -> Vec<(Arc<str>, Duration)> {
        let held = self.lock();
        held.values().map(|(purpose, since)| (Arc::clone(purpose), since.elapsed())).collect()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.held.lock().remove(&self.number);
    }
}

/// How many connections of a pool are in use.
pub(crate) fn in_use(pool: &DatabaseConnection) -> InUse {
    let (size, idle, most) = if pool.get_database_backend() == DbBackend::Postgres {
        let pool = pool.get_postgres_connection_pool();
        (pool.size(), pool.num_idle(), pool.options().get_max_connections())
    } else {
        let pool = pool.get_sqlite_connection_pool();
        (pool.size(), pool.num_idle(), pool.options().get_max_connections())
    };
    InUse { used: size.saturating_sub(saturating::<u32>(idle)), most }
}
