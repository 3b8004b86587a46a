//! What a monitoring server asks for, on an address of its own, in the text format of Prometheus:
//! numbers of the whole server, nothing of anybody.

use std::{convert::Infallible, future::IntoFuture, io, sync::Arc, time::Duration};

use axum::{Router, extract::State, routing::get};
use domain::{MailOutcome, saturating, to_f64};
use http::{HeaderName, StatusCode, header::CONTENT_TYPE};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use services::{
    base::access::storage_space::storage_space,
    outside::standing::{Waiting, backlog, ready, standing},
};
use tokio::{net::TcpListener, time::interval};
use tokio_util::sync::CancellationToken;

use crate::Site;

/// Up to how many seconds things take, by which they are counted.
const SECONDS: [f64; 13] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// How often what was measured is put into its bucket, where nobody asks for it: until then each takes memory.
const UPKEEP: Duration = Duration::from_secs(5);

/// What kind of number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It only grows.
    Counter,
    Gauge,
    /// How long things take, in seconds.
    Seconds,
}

/// Every number of the server's own, with what it says. Those of its process begin with `process_`.
const NUMBERS: [(&str, Kind, &str); 32] = [
    ("concord_build_info", Kind::Gauge, "The version that runs."),
    ("concord_request_seconds", Kind::Seconds, "Answering requests, but for sending what is long."),
    (
        "concord_requests_in_flight",
        Kind::Gauge,
        "Requests that are being answered or sent, streams included.",
    ),
    (
        "concord_busy_answers_total",
        Kind::Counter,
        "Requests that were asked to come back, because no connection was free in time.",
    ),
    ("concord_streams", Kind::Gauge, "Streams of live pages and of programs that are open."),
    ("concord_events_total", Kind::Counter, "Events sent on streams."),
    (
        "concord_pages_followed",
        Kind::Gauge,
        "Different pages that are kept up to date for whoever follows them.",
    ),
    (
        "concord_page_render_seconds",
        Kind::Seconds,
        "Making a followed page once for all who follow it.",
    ),
    (
        "concord_saves_total",
        Kind::Counter,
        "Saves of labelers and reviewers: done, or in conflict with a newer state.",
    ),
    ("concord_sign_ins_total", Kind::Counter, "Sessions that were started by signing in."),
    ("concord_sign_ins_refused_total", Kind::Counter, "Sign-ins that were refused, by reason."),
    (
        "concord_password_hash_seconds",
        Kind::Seconds,
        "Hashing a password, without waiting for a turn.",
    ),
    (
        "concord_passwords_waiting",
        Kind::Gauge,
        "Passwords that are being hashed or checked, or wait for a turn.",
    ),
    ("concord_live_projects", Kind::Gauge, "Projects whose agreement is in memory."),
    ("concord_live_projects_followed", Kind::Gauge, "Those of them that somebody looks at."),
    (
        "concord_live_bytes",
        Kind::Gauge,
        "Memory that the agreement of projects takes, about, in bytes.",
    ),
    (
        "concord_live_counts_total",
        Kind::Counter,
        "Times that the rows of a project were counted: when it is first looked at, and after changes that are more than saves.",
    ),
    ("concord_live_count_seconds", Kind::Seconds, "Counting the rows of a project."),
    (
        "concord_live_projects_behind",
        Kind::Gauge,
        "Projects in memory that others had moved on from at the last look, ten times a second.",
    ),
    (
        "concord_live_feed_lag_seconds",
        Kind::Gauge,
        "For how long it has not been known here what other servers have saved.",
    ),
    ("concord_live_feed_seconds", Kind::Seconds, "Taking in what other servers have saved."),
    (
        "concord_live_feed_changes_total",
        Kind::Counter,
        "Changes that other servers have saved and that were taken in.",
    ),
    ("concord_database_connections", Kind::Gauge, "Connections to the database in use."),
    (
        "concord_database_connections_max",
        Kind::Gauge,
        "Connections to the database that there may be.",
    ),
    ("concord_database_statements_total", Kind::Counter, "SQL statements run."),
    ("concord_database_statement_seconds", Kind::Seconds, "Running SQL statements."),
    (
        "concord_database_slow_statements_total",
        Kind::Counter,
        "SQL statements that took longer than half a second.",
    ),
    ("concord_database_up", Kind::Gauge, "Whether the database answers."),
    ("concord_ready", Kind::Gauge, "Whether this server can read and write."),
    (
        "concord_database_connections_replaced_total",
        Kind::Counter,
        "Connections to SQLite that were closed because an error left a transaction open on them.",
    ),
    (
        "concord_storage_free_bytes",
        Kind::Gauge,
        "Free space on the volume of SQLite's database, in bytes.",
    ),
    ("concord_storage_bytes", Kind::Gauge, "The size of that volume, in bytes."),
];

/// Those of what is carried out beside requests.
const NUMBERS_BESIDE: [(&str, Kind, &str); 17] = [
    ("concord_imports_running", Kind::Gauge, "Imports that are being carried out here."),
    (
        "concord_imports_unended",
        Kind::Gauge,
        "Imports of all servers that have not ended: under way, or waiting for a server to carry them on.",
    ),
    ("concord_imports_unended_seconds", Kind::Gauge, "How long ago the first of them was begun."),
    ("concord_imports_total", Kind::Counter, "Imports that have ended, by how."),
    (
        "concord_webhook_delivery_seconds",
        Kind::Seconds,
        "Sending something to a webhook once, by what came of it.",
    ),
    ("concord_webhook_deliveries_waiting", Kind::Gauge, "What is due to be sent to webhooks."),
    (
        "concord_webhook_deliveries_wait_seconds",
        Kind::Gauge,
        "For how long the first of it has been due.",
    ),
    ("concord_mail_waiting", Kind::Gauge, "Mail that is due to be sent."),
    ("concord_mail_wait_seconds", Kind::Gauge, "For how long the first of it has been due."),
    (
        "concord_mail_tries_total",
        Kind::Counter,
        "Mail that was tried, by outcome: sent, refused by the mail server, put off, given up, unsubscribed, or outdated before it was sent.",
    ),
    (
        "concord_backups_total",
        Kind::Counter,
        "Scheduled backups that were begun here, by outcome: done or failed.",
    ),
    (
        "concord_backup_timestamp_seconds",
        Kind::Gauge,
        "When the last scheduled backup was begun, or what has changed since was last stored; at first, when this server was started.",
    ),
    ("concord_backup_every_seconds", Kind::Gauge, "The time between scheduled backups."),
    (
        "concord_backup_drills_total",
        Kind::Counter,
        "Restore drills that were begun here, by outcome: sound, failed, or undone where the backup is not to blame.",
    ),
    (
        "concord_backup_drill_timestamp_seconds",
        Kind::Gauge,
        "When a restore drill last made a sound database of a backup; before the first, since when there is one to try.",
    ),
    ("concord_backup_drill_every_seconds", Kind::Gauge, "The time between restore drills."),
    (
        "concord_alerts_judged_total",
        Kind::Counter,
        "Limits on agreement that were held against a project that had moved.",
    ),
];

/// Counters that are there before the first of their kind: its coming is a change, too.
const FROM_THE_BEGINNING: [&str; 6] = [
    "concord_events_total",
    "concord_sign_ins_total",
    "concord_live_feed_changes_total",
    "concord_database_slow_statements_total",
    "concord_database_connections_replaced_total",
    "concord_alerts_judged_total",
];

/// Counts what this process does. There is one in a process.
pub(crate) struct Metrics {
    written: PrometheusHandle,
    process: Collector,
}

impl Metrics {
    /// Begins to count.
    pub(crate) fn install() -> Result<Self, BuildError> {
        let written = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
            .install_recorder()?;
        for (name, kind, help) in NUMBERS.into_iter().chain(NUMBERS_BESIDE) {
            match kind {
                Kind::Counter => describe_counter!(name, help),
                Kind::Gauge => describe_gauge!(name, help),
                Kind::Seconds => describe_histogram!(name, Unit::Seconds, help),
            }
        }
        gauge!("concord_streams").set(0);
        gauge!("concord_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
        for name in FROM_THE_BEGINNING {
            counter!(name).absolute(0);
        }
        for outcome in ["done", "conflict"] {
            counter!("concord_saves_total", "outcome" => outcome).absolute(0);
        }
        for outcome in MailOutcome::ALL.iter().map(|outcome| outcome.name()).chain(["put-off"]) {
            counter!("concord_mail_tries_total", "outcome" => outcome).absolute(0);
        }
        for outcome in ["done", "failed"] {
            counter!("concord_backups_total", "outcome" => outcome).absolute(0);
        }
        for outcome in ["sound", "failed", "undone"] {
            counter!("concord_backup_drills_total", "outcome" => outcome).absolute(0);
        }
        let process = Collector::default();
        process.describe();
        Ok(Self { written, process })
    }

    /// Answers `/metrics` until the server stops.
    pub(crate) async fn serve(
        self,
        listener: TcpListener,
        site: Arc<Site>,
        shutdown: CancellationToken,
    ) -> io::Result<()> {
        let metrics = Arc::new(self);
        let state = (Arc::clone(&metrics), site);
        let router = Router::new().route("/metrics", get(load)).with_state(state);
        let answering =
            axum::serve(listener, router).with_graceful_shutdown(shutdown.cancelled_owned());
        tokio::select! {
            ended = answering.into_future() => ended,
            never = metrics.keep_up() => match never {},
        }
    }

    async fn keep_up(&self) -> Infallible {
        let mut tick = interval(UPKEEP);
        loop {
            tick.tick().await;
            self.written.run_upkeep();
        }
    }
}

type Answer = (StatusCode, [(HeaderName, &'static str); 1], String);

async fn load(State((metrics, site)): State<(Arc<Metrics>, Arc<Site>)>) -> Answer {
    measure(&site).await;
    metrics.process.collect();
    let kind = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (StatusCode::OK, kind, metrics.written.render())
}

/// Notes what is known only when it is asked for.
async fn measure(site: &Site) {
    counter!("concord_busy_answers_total").absolute(site.busy.refused());
    gauge!("concord_requests_in_flight").set(amount(site.in_flight.count()));
    gauge!("concord_pages_followed").set(amount(site.live_pages.count()));
    let standing = standing(&site.services);
    let connections = standing.connections;
    for (purpose, of) in [("reading", connections.reading), ("writing", connections.writing)] {
        gauge!("concord_database_connections", "for" => purpose).set(of.used);
        gauge!("concord_database_connections_max", "for" => purpose).set(of.most);
    }
    counter!("concord_database_statements_total").absolute(standing.statements);
    counter!("concord_live_counts_total").absolute(standing.counts);
    gauge!("concord_live_projects").set(amount(standing.live.projects));
    gauge!("concord_live_projects_followed").set(amount(standing.live.followed));
    gauge!("concord_live_bytes").set(to_f64(standing.live.bytes));
    gauge!("concord_live_feed_lag_seconds").set(standing.lag);
    gauge!("concord_imports_running").set(amount(standing.imports));
    gauge!("concord_passwords_waiting").set(amount(standing.passwords));
    let backlog = backlog(&site.services).await.inspect_err(|error| {
        tracing::warn!(%error, "the database does not answer");
    });
    gauge!("concord_database_up").set(u8::from(backlog.is_ok()));
    gauge!("concord_ready").set(u8::from(ready(&site.services).await.is_ok()));
    if let Some(space) = storage_space(&site.services).await {
        gauge!("concord_storage_free_bytes").set(to_f64(space.free));
        gauge!("concord_storage_bytes").set(to_f64(space.total));
    }
    if let Ok(backlog) = backlog {
        let Waiting { count, seconds } = backlog.deliveries;
        gauge!("concord_webhook_deliveries_waiting").set(to_f64(count));
        gauge!("concord_webhook_deliveries_wait_seconds").set(to_f64(seconds));
        let Waiting { count, seconds } = backlog.mail;
        gauge!("concord_mail_waiting").set(to_f64(count));
        gauge!("concord_mail_wait_seconds").set(to_f64(seconds));
        let Waiting { count, seconds } = backlog.imports;
        gauge!("concord_imports_unended").set(to_f64(count));
        gauge!("concord_imports_unended_seconds").set(to_f64(seconds));
    }
}

fn amount(count: usize) -> u32 {
    saturating(count)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    #[test]
    fn each_number_has_a_name_of_its_own_that_says_its_kind_and_a_word_of_help() {
        let mut names = BTreeSet::new();
        for (name, kind, help) in NUMBERS.into_iter().chain(NUMBERS_BESIDE) {
            assert!(names.insert(name), "{name} twice");
            assert!(name.starts_with("concord_") && help.ends_with('.'), "{name}");
            assert_eq!(name.ends_with("_total"), kind == Kind::Counter, "{name}");
            assert!(kind != Kind::Seconds || name.ends_with("_seconds"), "{name}");
        }
        assert!(names.len() > 30);
    }

    /// The numbers that a text speaks of, without what Prometheus adds to their names.
    fn spoken_of(text: &str) -> BTreeSet<&str> {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        let words = text.split(|sign| !is_part(sign)).filter(|word| word.starts_with("concord_"));
        let added = ["_bucket", "_count", "_sum"];
        words
            .map(|word| added.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word))
            .collect()
    }

    #[test]
    fn alerts_and_dashboard_ask_for_nothing_that_is_not_counted() {
        let known: BTreeSet<_> =
            NUMBERS.into_iter().chain(NUMBERS_BESIDE).map(|(name, ..)| name).collect();
        for text in [
            include_str!("../../../deploy/prometheus/alerts.yml"),
            include_str!("../../../deploy/grafana/concord.json"),
        ] {
            let spoken_of = spoken_of(text);
            assert!(spoken_of.len() > 5);
            let unknown: Vec<_> = spoken_of.difference(&known).collect();
            assert!(unknown.is_empty(), "{unknown:?}");
        }
    }

    #[test]
    fn everything_that_is_counted_is_described_and_the_other_way_round() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut counted = BTreeSet::new();
        let mut folders = vec![root.join("server/src"), root.join("crates")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let text = fs::read_to_string(&path).unwrap();
                    for macro_name in ["counter!(", "gauge!(", "histogram!("] {
                        for rest in text.split(macro_name).skip(1) {
                            let rest = rest.trim_start();
                            let name =
                                rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
                            let name = name.filter(|name| name.starts_with("concord_"));
                            counted.extend(name.map(str::to_owned));
                        }
                    }
                }
            }
        }
        let described = NUMBERS.into_iter().chain(NUMBERS_BESIDE);
        let described: BTreeSet<_> = described.map(|(name, ..)| name.to_owned()).collect();
        assert_eq!(counted, described);
    }
}
