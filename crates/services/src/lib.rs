//! What people can do: one function an action, each of which permits, validates, transacts,
//! audits and publishes. Pages, REST and command line all call these.

mod access;
pub mod accounts;
pub mod administration;
pub mod admission;
pub mod agreement;
pub mod alerts;
pub mod annotating;
pub mod audit;
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

use std::{num::NonZeroU16, sync::Arc};

pub use accounts::{Client, NewSession};
pub use clock::Clock;
pub use error::{Error, Result, told};
pub use server_key::{NotOurs, Purpose, ServerKey};
pub use store::{Connections, Store, held_for};

/// What whoever runs the server may want otherwise.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long people stay signed in.
    pub sessions: accounts::SessionTimes,
    /// Whether nobody gets in without a second factor.
    pub requires_second_factor: bool,
    /// How often passwords may be wrong, within ten minutes, from one network address.
    pub failures: NonZeroU16,
    /// Where webhooks may lead beside the internet.
    pub destinations: webhooks::Destinations,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sessions: accounts::SessionTimes::default(),
            requires_second_factor: false,
            failures: accounts::FROM_ONE_PLACE,
            destinations: webhooks::Destinations::default(),
        }
    }
}

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
    pub(crate) failures: accounts::SignInFailures,
    pub(crate) webhooks: webhooks::Client,
    pub(crate) comparisons: turns::Turns,
    pub(crate) exports: exporting::Turns,
    pub(crate) imports: importing::Running,
    pub(crate) sessions: accounts::SessionTimes,
    pub(crate) requires_second_factor: bool,
    /// The demo's people and their passwords of this run; none on a real server.
    pub(crate) demo: Option<demo::Demo>,
    /// What seals and signs; it is not in the database.
    pub(crate) key: ServerKey,
}

impl Services {
    /// The services over a store. `demo` holds what [`demo::Demo::prepare`] made; `key` is the one
    /// that the store's servers share. Webhooks reach the internet, and nothing else.
    pub fn new(store: Store, clock: Clock, demo: Option<demo::Demo>, key: ServerKey) -> Arc<Self> {
        Self::with(store, clock, demo, key, Settings::default())
    }

    /// The same with other settings than the usual ones.
    pub fn with(
        store: Store,
        clock: Clock,
        demo: Option<demo::Demo>,
        key: ServerKey,
        settings: Settings,
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
            failures: accounts::SignInFailures::new(accounts::Pace::of(settings.failures)),
            webhooks: webhooks::Client::new(settings.destinations),
            comparisons: turns::Turns::of(comparing::AT_ONCE),
            exports: exporting::Turns::default(),
            imports: importing::Running::default(),
            store: store.signed_by(audit::signer(&key)),
            clock,
            demo,
            key,
            sessions: settings.sessions,
            requires_second_factor: settings.requires_second_factor,
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

    /// Stores failed sign-ins a moment after they were counted, for as long as it is polled.
    pub async fn keep_failures(self: Arc<Self>) {
        accounts::keep_failures(&self).await;
    }

    /// Stores the failed sign-ins that have not been, before the server ends.
    pub async fn store_failures(&self) -> Result<()> {
        accounts::store_failures(self).await
    }

    /// Sends what is queued for webhooks, for as long as it is polled.
    pub async fn serve_webhooks(self: Arc<Self>) {
        webhooks::deliver_regularly(&self).await;
    }

    /// Notes refusals in the audit trail soon after they happen, for as long as it is polled.
    pub async fn watch_refusals(self: Arc<Self>) {
        audit::note_regularly(&self).await;
    }

    /// Notes the refusals that are not in the audit trail yet, such as before the server ends.
    pub async fn note_refusals(&self) -> Result<()> {
        audit::note(self, true).await
    }

    /// Forgets what nobody can need any more, now and every hour, for as long as it is polled.
    pub async fn clean_regularly(self: Arc<Self>) {
        cleaning::clean_regularly(&self).await;
    }
}
