//! What people can do: one function an action, each of which permits, validates, transacts,
//! audits and publishes. Pages, REST and command line all call these.

pub mod account;
pub mod agreement;
pub mod base;
pub mod document;
pub mod outside;
pub mod overview;
pub mod project;
pub mod review;
pub mod work;
pub mod workload;

use std::{num::NonZeroU16, sync::Arc};

use domain::DemoSignIn;

pub use account::{Client, NewSession};
pub use base::clock::Clock;
pub use base::error::{Error, Result, error_chain};
pub use base::secrets::server_key::{NotOurs, Purpose, ServerKey};
pub use store::{Connections, Store, base::migrating as schema, held_for};

/// What whoever runs the server may want otherwise.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long people stay signed in.
    pub sessions: account::SessionTimes,
    /// Whether nobody gets in without a second factor.
    pub requires_second_factor: bool,
    /// Through whom people sign in beside.
    pub providers: Vec<account::ProviderSettings>,
    /// Whether nobody signs in but through them.
    pub only_providers: bool,
    /// How often passwords may be wrong, within ten minutes, from one network address.
    pub failures: NonZeroU16,
    /// Where webhooks may lead beside the internet.
    pub destinations: outside::webhooks::Destinations,
    /// How mail is sent; without it, people are given links.
    pub mail: Option<outside::mail::MailSettings>,
    /// How many bytes the tallies of projects may take in memory, about.
    pub live_memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sessions: account::SessionTimes::default(),
            requires_second_factor: false,
            providers: Vec::new(),
            only_providers: false,
            failures: account::FROM_ONE_PLACE,
            destinations: outside::webhooks::Destinations::default(),
            mail: None,
            live_memory: live::MEMORY,
        }
    }
}

/// How many lists of positions, and of disagreements, are remembered: with a million spans, each is tens of
/// megabytes.
const LISTS: usize = 2;

/// Everything that the actions need. One for a server; cheap to share.
pub struct Services {
    pub(crate) store: Store,
    pub(crate) live: live::Live<agreement::Rows>,
    pub(crate) saves: work::saving::together::Waiting,
    pub(crate) answers: agreement::Answers,
    pub(crate) timelines: agreement::over_time::Timelines,
    pub(crate) parts: agreement::breakdowns::Parts,
    pub(crate) models: agreement::KnownModels,
    pub(crate) conflicts: project::Conflicts,
    pub(crate) markdown: project::guidelines::MarkdownRenderer,
    pub(crate) gold: review::gold::Sums,
    pub(crate) disagreements: agreement::disagreements::Known,
    pub(crate) positions: agreement::positions::Known,
    pub(crate) consensus: review::consensus::Known,
    pub(crate) quorums: review::quorum::Known,
    pub(crate) groups: review::groups::Known,
    pub(crate) firsts: review::groups::Firsts,
    pub(crate) walks: review::walk::Known,
    pub(crate) queues: review::queue::Known,
    pub(crate) label_counts: Arc<review::walk::KeptLabelCounts>,
    pub(crate) singles: workload::double_annotation::Known,
    pub(crate) repeats: agreement::own::consistency::Known,
    pub(crate) dictionaries: work::suggestions::Known,
    pub(crate) clock: Clock,
    pub(crate) passwords: account::passwords::Passwords,
    pub(crate) failures: account::SignInFailures,
    /// What anybody may ask for without an account, a few at a time.
    pub(crate) resets: Arc<tokio::sync::Semaphore>,
    pub(crate) providers: account::Providers,
    pub(crate) webhooks: outside::webhooks::Client,
    pub(crate) mail: Option<outside::mail::MailSettings>,
    pub(crate) comparisons: base::access::concurrency::ConcurrencyLimit,
    pub(crate) exports: document::export::ConcurrencyLimit,
    pub(crate) person_files: base::access::concurrency::ConcurrencyLimit,
    pub(crate) imports: document::import::Running,
    pub(crate) readiness_check: outside::standing::ReadinessCheck,
    pub(crate) sessions: account::SessionTimes,
    pub(crate) requires_second_factor: bool,
    /// The demo's people and their passwords of this run; none on a real server.
    pub(crate) demo: Option<Vec<DemoSignIn>>,
    /// What seals and signs; it is not in the database.
    pub(crate) key: ServerKey,
}

impl Services {
    /// The services over a store. `demo` has the sign-ins of a demo's people; `key` is the one that
    /// the store's servers share. Webhooks reach the internet, and nothing else.
    pub fn new(
        store: Store,
        clock: Clock,
        demo: Option<Vec<DemoSignIn>>,
        key: ServerKey,
    ) -> Arc<Self> {
        Self::with(store, clock, demo, key, Settings::default())
    }

    /// The same with other settings than the usual ones.
    pub fn with(
        store: Store,
        clock: Clock,
        demo: Option<Vec<DemoSignIn>>,
        key: ServerKey,
        settings: Settings,
    ) -> Arc<Self> {
        let store = store.signed_by(outside::audit::signer(&key));
        Arc::new(Self {
            live: live::Live::new(agreement::Rows(store.clone()), settings.live_memory),
            saves: work::saving::together::Waiting::default(),
            answers: agreement::Answers::default(),
            timelines: agreement::over_time::Timelines::default(),
            parts: agreement::breakdowns::Parts::default(),
            models: agreement::KnownModels::default(),
            conflicts: project::Conflicts::default(),
            markdown: project::guidelines::MarkdownRenderer::default(),
            gold: review::gold::Sums::default(),
            disagreements: agreement::disagreements::Known::of(LISTS),
            positions: agreement::positions::Known::of(LISTS),
            consensus: review::consensus::Known::of(LISTS),
            quorums: review::quorum::Known::default(),
            groups: review::groups::Known::default(),
            firsts: review::groups::Firsts::of(LISTS * 2),
            walks: review::walk::Known::of(LISTS * 2),
            queues: review::queue::Known::default(),
            label_counts: Arc::default(),
            singles: workload::double_annotation::Known::default(),
            repeats: agreement::own::consistency::Known::default(),
            dictionaries: work::suggestions::Known::default(),
            passwords: account::passwords::Passwords::default(),
            failures: account::SignInFailures::new(account::Pace::of(settings.failures)),
            resets: Arc::new(tokio::sync::Semaphore::new(account::MADE_AT_ONCE)),
            providers: account::Providers::new(settings.providers, settings.only_providers),
            webhooks: outside::webhooks::Client::new(settings.destinations),
            mail: settings.mail,
            comparisons: base::access::concurrency::ConcurrencyLimit::of(
                document::comparison::AT_ONCE,
                "comparing files",
            )
            .with_patience(document::comparison::MAX_WAIT),
            exports: document::export::ConcurrencyLimit::default(),
            person_files: base::access::concurrency::ConcurrencyLimit::of(
                account::administration::FILES_AT_ONCE,
                "collecting what is stored of people",
            ),
            imports: document::import::Running::default(),
            readiness_check: outside::standing::ReadinessCheck::default(),
            store,
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

    /// How many times this server has counted a project's rows so far, not counting what saves moved.
    pub fn counts(&self) -> u64 {
        self.live.counts()
    }

    /// The connections to the database that are in use at this moment, and what for.
    pub fn connections(&self) -> Connections {
        self.store.connections()
    }

    /// Has the tallies in memory follow what other servers of the database save, for as long as it is
    /// polled.
    pub async fn watch_database(self: Arc<Self>) {
        self.live.watch().await;
    }

    /// Holds the limits on agreement against projects that have moved, about every ten seconds, for
    /// as long as it is polled.
    pub async fn watch_limits(self: Arc<Self>) {
        agreement::alerts::evaluate_regularly(&self).await;
    }

    /// Stores failed sign-ins a moment after they were counted, for as long as it is polled.
    pub async fn keep_failures(self: Arc<Self>) {
        account::keep_failures(&self).await;
    }

    /// Stores the failed sign-ins that have not been, before the server ends.
    pub async fn store_failures(&self) -> Result<()> {
        account::store_failures(self).await
    }

    /// Sends what is queued for webhooks, for as long as it is polled.
    pub async fn serve_webhooks(self: Arc<Self>) {
        outside::webhooks::deliver_regularly(&self).await;
    }

    /// Sends what is queued for people, for as long as it is polled.
    pub async fn serve_mail(self: Arc<Self>) {
        outside::mail::deliver_regularly(&self).await;
    }

    /// Ends or carries on imports whose server is gone, for as long as it is polled.
    pub async fn watch_imports(self: Arc<Self>) {
        document::import::recover_regularly(&self).await;
    }

    /// Notes refusals in the audit trail soon after they happen, for as long as it is polled.
    pub async fn watch_refusals(self: Arc<Self>) {
        outside::audit::note_regularly(&self).await;
    }

    /// Notes the refusals that are not in the audit trail yet, such as before the server ends.
    pub async fn note_refusals(&self) -> Result<()> {
        outside::audit::note(self, true).await
    }

    /// Forgets what nobody can need any more, now and every hour, for as long as it is polled.
    pub async fn clean_regularly(self: Arc<Self>) {
        outside::expiry::clean_regularly(&self).await;
    }
}
