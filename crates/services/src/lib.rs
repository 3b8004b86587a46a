//! What people can do: one function an action, each of which permits, validates, transacts,
//! audits and publishes. Pages, REST and command line all call these.

mod access;
pub mod accounts;
pub mod admission;
pub mod administration;
pub mod agreement;
pub mod alerts;
pub mod annotating;
pub mod backup;
mod boundaries;
pub mod causes;
mod checksum;
mod cleaning;
mod clock;
pub mod comments;
pub mod comparing;
pub mod demo;
pub mod disagreements;
pub mod documents;
mod error;
pub mod exporting;
mod fitness;
pub mod flags;
pub mod focus;
pub mod gold;
pub mod guidelines;
pub mod history;
pub mod importing;
mod labelling;
mod live;
pub mod members;
mod names;
pub mod over_time;
mod own;
pub mod parts;
mod passes;
mod passwords;
pub mod positions;
pub mod projects;
mod quoting;
mod reading;
pub mod reasons;
pub mod repeats;
pub mod requests;
pub mod reviewing;
pub mod rounds;
mod saving;
pub mod second;
pub mod second_reviews;
pub mod server_key;
mod sorting;
mod suggesting;
mod turns;
pub mod verify;
pub mod walk;
pub mod webhooks;
pub mod work;
pub mod workload;

use std::sync::Arc;

pub use accounts::NewSession;
pub use clock::Clock;
pub use error::{Error, Result, told};
pub use server_key::{NotOurs, Purpose, ServerKey};
pub use store::{Connections, Store, held_for};

/// Everything that the actions need. One for a server; cheap to share.
pub struct Services {
    pub(crate) store: Store,
    pub(crate) live: live::Live,
    pub(crate) answers: agreement::Answers,
    pub(crate) timelines: over_time::Timelines,
    pub(crate) parts: parts::Parts,
    pub(crate) gold: gold::Sums,
    pub(crate) repeats: repeats::Known,
    pub(crate) dictionaries: suggesting::Known,
    pub(crate) clock: Clock,
    pub(crate) passwords: passwords::Passwords,
    pub(crate) webhooks: webhooks::Client,
    pub(crate) comparisons: turns::Turns,
    pub(crate) exports: exporting::Turns,
    pub(crate) imports: importing::Running,
    /// The demo's people and their passwords of this run; none on a real server.
    pub(crate) demo: Option<demo::Demo>,
    /// What seals and signs; it is not in the database.
    pub(crate) key: ServerKey,
}

impl Services {
    /// The services over a store. `demo` holds what [`demo::Demo::prepare`] made; `key` is the one
    /// that the store's servers share. Webhooks reach the internet, and nothing else.
    pub fn new(store: Store, clock: Clock, demo: Option<demo::Demo>, key: ServerKey) -> Arc<Self> {
        Self::reaching(store, clock, demo, key, webhooks::Destinations::default())
    }

    /// The services over a store, whose webhooks reach these destinations.
    pub fn reaching(
        store: Store,
        clock: Clock,
        demo: Option<demo::Demo>,
        key: ServerKey,
        destinations: webhooks::Destinations,
    ) -> Arc<Self> {
        Arc::new(Self {
            live: live::Live::default(),
            answers: agreement::Answers::default(),
            timelines: over_time::Timelines::default(),
            parts: parts::Parts::default(),
            gold: gold::Sums::default(),
            repeats: repeats::Known::default(),
            dictionaries: suggesting::Known::default(),
            passwords: passwords::Passwords::default(),
            webhooks: webhooks::Client::new(destinations),
            comparisons: turns::Turns::of(comparing::AT_ONCE),
            exports: exporting::Turns::default(),
            imports: importing::Running::default(),
            store,
            clock,
            demo,
            key,
        })
    }

    /// The time by this server's clock.
    pub fn now(&self) -> chrono::DateTime<chrono::Utc> {
        self.clock.now()
    }

    /// How many SQL statements have been run so far; for tests that count them.
    pub fn statements(&self) -> u64 {
        self.store.statements()
    }

    /// The connections to the database that are in use at this moment, and what for.
    pub fn connections(&self) -> Connections {
        self.store.connections()
    }

    /// Checks the tallies in memory against the database about once a second, for as long as it
    /// is polled: changes made by other processes are noticed here at the latest.
    pub async fn watch_database(self: Arc<Self>) {
        live::watch_database(&self).await;
    }

    /// Holds the limits on agreement against projects that have moved, about every ten seconds, for
    /// as long as it is polled.
    pub async fn watch_limits(self: Arc<Self>) {
        alerts::evaluate_regularly(&self).await;
    }

    /// Sends what is queued for webhooks, for as long as it is polled.
    pub async fn serve_webhooks(self: Arc<Self>) {
        webhooks::deliver_regularly(&self).await;
    }

    /// Forgets what nobody can need any more, now and every hour, for as long as it is polled.
    pub async fn clean_regularly(self: Arc<Self>) {
        cleaning::clean_regularly(&self).await;
    }
}
