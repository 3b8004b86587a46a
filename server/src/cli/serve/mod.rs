//! `concord serve`: opens what is stored, says where it is, and answers until it is told to stop.

pub(super) mod mail;

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    num::{NonZeroU16, NonZeroU32, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
};

use clap::Args;
use demo::GeneratedSize;
use domain::DemoSignIn;
use reqwest::Url;
use serde::Serialize;
use services::{
    Clock, Services, Settings,
    account::{self, ProviderSettings, SessionTimes},
    base::change::idempotency,
    outside::{
        backup,
        mail::MailSettings,
        webhooks::{self, Allowed, Destinations},
    },
};
use tokio::net::TcpListener;

use self::mail::MailOptions;
use super::{
    Error,
    backup::ScheduledBackups,
    base::{
        output::{say, table},
        span::Span,
    },
    database::Database,
};
use crate::{
    Assets, PublicUrl, Site, TrustedProxy,
    monitoring::{
        heads::HeadsFile,
        log::{self, LogFormat},
        metrics::Metrics,
        traces::Traces,
    },
    serving,
    site::{CONNECTIONS, STREAMS, limits::rate_limit::REQUESTS_A_MINUTE},
};

#[expect(clippy::struct_excessive_bools, reason = "these are its options")]
#[derive(Args)]
pub(super) struct Serve {
    /// Address and port to listen on; port 0 picks a free one.
    #[arg(long, env = "CONCORD_BIND", default_value = "127.0.0.1:3000")]
    bind: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// Public address of the site, such as `https://concord.example.org`. With https, cookies are
    /// sent over secure connections only.
    #[arg(long, env = "CONCORD_PUBLIC_URL")]
    public_url: Option<PublicUrl>,
    /// Address or network of a proxy in front whose `X-Forwarded-For` or `Forwarded` is trusted.
    /// Repeatable.
    #[arg(
        long = "trusted-proxy",
        env = "CONCORD_TRUSTED_PROXIES",
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    trusted_proxies: Vec<TrustedProxy>,
    /// Also allow webhooks to this address, network such as 10.0.0.0/8, or host name outside the
    /// internet. Repeatable.
    #[arg(long, env = "CONCORD_WEBHOOK_ALLOW", value_name = "ADDRESS", value_delimiter = ',')]
    webhook_allow: Vec<Allowed>,
    #[command(flatten)]
    mail: MailOptions,
    /// Continue without the database's secret key, with the one in the file or a new one. Secrets
    /// encrypted with the lost key, such as those of webhooks, stay lost.
    #[arg(long)]
    new_secret_key: bool,
    /// Add sample projects and people. Their passwords are shown to everyone who can reach the
    /// server.
    #[arg(long, conflicts_with = "require_second_factor")]
    demo: bool,
    /// Allow the demo, with its passwords, on a public address.
    #[arg(long, requires = "demo")]
    demo_in_public: bool,
    /// Also add a generated project of labelers x documents x spans per assignment, such as
    /// 20x500x20, to test the server under load.
    #[arg(long, requires = "demo", value_name = "SIZE")]
    demo_size: Option<GeneratedSize>,
    /// REST requests per minute allowed for each token and each person.
    #[arg(long, env = "CONCORD_API_REQUESTS", value_name = "NUMBER", default_value_t = REQUESTS_A_MINUTE)]
    api_requests: NonZeroU32,
    /// Serve metrics for monitoring at `/metrics` on this address, which only the monitoring server
    /// should reach. Default: off.
    #[arg(long, env = "CONCORD_METRICS", value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Simultaneous connections per address; behind a trusted proxy, simultaneous requests. A class
    /// may share one address.
    #[arg(
        long, env = "CONCORD_CONNECTIONS_PER_ADDRESS", value_name = "NUMBER",
        default_value_t = CONNECTIONS
    )]
    connections_per_address: NonZeroUsize,
    /// Live pages open at the same time per session.
    #[arg(
        long, env = "CONCORD_STREAMS_PER_SESSION", value_name = "NUMBER", default_value_t = STREAMS
    )]
    streams_per_session: NonZeroUsize,
    /// Sign out after this time without a visit, such as 14d, 12h or 30m.
    #[arg(long, env = "CONCORD_SESSION_IDLE", value_name = "TIME", default_value_t = Span::days(14))]
    session_idle: Span,
    /// Sign out after this time in any case.
    #[arg(long, env = "CONCORD_SESSION_MAX", value_name = "TIME", default_value_t = Span::days(90))]
    session_max: Span,
    /// Require a second factor; accounts without one set it up at sign-in.
    #[arg(long, env = "CONCORD_REQUIRE_SECOND_FACTOR")]
    require_second_factor: bool,
    /// A provider that people sign in through, as JSON; in a file a table below
    /// `[[provider]]`. Repeatable.
    #[arg(long = "provider", value_name = "JSON")]
    providers: Vec<ProviderSettings>,
    /// Let people sign in through providers only: passwords and passkeys are off.
    #[arg(long, env = "CONCORD_ONLY_PROVIDERS", conflicts_with = "demo")]
    only_providers: bool,
    /// Wrong passwords and requests for reset links allowed within ten minutes per network address, not
    /// counting wrong passwords in browsers their owner has signed in with before.
    #[arg(long, env = "CONCORD_SIGN_IN_FAILURES", value_name = "NUMBER", default_value_t = Settings::default().failures)]
    sign_in_failures: NonZeroU16,
    /// MiB of memory for the agreement of projects that are being looked at. Beyond it, those looked at
    /// longest ago are counted again when they are next opened.
    #[arg(long, env = "CONCORD_LIVE_MEMORY", value_name = "MIB", default_value_t = Settings::default().live_memory >> 20)]
    live_memory: u64,
    /// File to append the audit trail's heads to, at start, hourly and at the end, so that `concord
    /// verify` detects truncation. Best on another machine. Default: `audit-heads.jsonl` beside the
    /// SQLite file, or in the data folder with PostgreSQL.
    #[arg(long, env = "CONCORD_AUDIT_HEADS", value_name = "FILE")]
    audit_heads: Option<PathBuf>,
    #[command(flatten)]
    backups: ScheduledBackups,
    /// Log level (standard error): error, warn, info, debug, trace, or a tracing filter.
    #[arg(long, env = "CONCORD_LOG", default_value = "warn")]
    log: String,
    /// How the log is written: lines for people, or JSON, a line for each event, with the request that it
    /// belongs to.
    #[arg(long, env = "CONCORD_LOG_FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,
    /// Send traces of requests to this OpenTelemetry collector, by OTLP over HTTP, such as
    /// `http://127.0.0.1:4318`. Default: off.
    #[arg(long, env = "CONCORD_OTLP", value_name = "URL", value_parser = collector)]
    otlp: Option<Url>,
    /// Take the front end's files from this folder as they are at the time, in place of those that the
    /// program carries: `cargo xtask serve` builds them while the server runs.
    #[arg(long, value_name = "FOLDER", hide = true)]
    front_end: Option<PathBuf>,
    /// Print start-up information as one line of JSON.
    #[arg(long)]
    print_json: bool,
}

/// What somebody needs who wants to use the server now.
#[derive(Serialize)]
struct Started {
    url: String,
    sign_ins: Vec<DemoSignIn>,
    /// The link by which the first account is made.
    set_up: Option<String>,
    /// Where a monitoring server finds the metrics.
    metrics: Option<String>,
}

impl Serve {
    /// How it sends mail; none if it sends none.
    pub(super) fn mail_settings(&self) -> Result<Option<MailSettings>, Error> {
        self.mail.settings(self.public_url.as_ref())
    }

    pub(super) async fn run(self, carried: Assets) -> Result<(), Error> {
        if self.demo && !self.demo_in_public {
            match &self.public_url {
                Some(url) => return Err(Error::DemoInPublic(url.to_string())),
                None if self.bind.ip().is_loopback() => {}
                None => return Err(Error::DemoInPublic(self.bind.to_string())),
            }
        }
        if self.only_providers && self.providers.is_empty() {
            return Err(Error::NoProviders);
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.providers.iter().find(|it| !seen.insert(&it.name)) {
            return Err(Error::SameProvider(twice.name.clone()));
        }
        let traces = self.otlp.as_ref().map(Traces::to).transpose();
        let traces = traces.map_err(|error| Error::Log(error.to_string()))?;
        log::start(&self.log, self.log_format, traces.as_ref()).map_err(Error::Log)?;
        let mail = self.mail_settings()?;
        if mail.as_ref().is_some_and(|mail| mail.server.is_exposed()) {
            tracing::warn!(
                "mail travels in the clear, with links that open accounts: use smtps:// or \
                 ?tls=required, see --smtp-url"
            );
        }
        let store = self.database.open_or_create().await?;
        let key = if self.new_secret_key {
            self.database.replace_key(&store).await?
        } else {
            self.database.key(&store).await?
        };
        let clock = Clock::system();
        let store = self.database.with_trail(store, &key, &clock).await?;
        let demo = if self.demo {
            Some(demo::prepare_with(&store, &clock, self.demo_size).await?)
        } else {
            demo::lock(&store).await?;
            None
        };
        let settings = Settings {
            sessions: SessionTimes { idle: self.session_idle.0, longest: self.session_max.0 },
            requires_second_factor: self.require_second_factor,
            providers: self.providers.into_iter().map(with_secret).collect::<Result<_, _>>()?,
            only_providers: self.only_providers,
            failures: self.sign_in_failures,
            destinations: Destinations::with(self.webhook_allow),
            mail,
            live_memory: self.live_memory.saturating_mul(1 << 20),
        };
        let backups = self.backups.schedule(&self.database, &store).await?;
        let services = Services::with(store, clock, demo, key, settings);
        if let Some(schedule) = &backups {
            backup::admit(schedule).await?;
        }

        let listener = listen_at(self.bind).await?;
        let address =
            listener.local_addr().map_err(|source| Error::Listen { address: self.bind, source })?;
        let metrics = match self.metrics {
            Some(address) => {
                let listener = listen_at(address).await?;
                let at = listener.local_addr();
                let at = at.map_err(|source| Error::Listen { address, source })?;
                Some((at, (Metrics::install()?, listener)))
            }
            None => None,
        };
        if self.public_url.is_none() && !address.ip().is_loopback() {
            tracing::warn!(
                "passwords may travel in the clear: use https in front, see --public-url"
            );
        }
        let assets = self.front_end.map_or(carried, Assets::in_folder);
        let has_front_end = assets.front_end().is_built();

        let started = Started {
            url: self.public_url.as_ref().map_or(format!("http://{address}"), ToString::to_string),
            sign_ins: account::demo_sign_ins(&services),
            set_up: None,
            metrics: metrics.as_ref().map(|(at, _)| format!("http://{at}/metrics")),
        };
        webhooks::seal_old(&services).await?;
        idempotency::release_after_start(&services).await?;
        let token = account::create_setup_link(&services).await?;
        let set_up = token.map(|token| format!("{}/invitations/{token}", started.url));
        let started = Started { set_up, ..started };

        serving::start_background(&services);
        if let Some(schedule) = backups {
            serving::start_backups(&services, schedule);
        }
        let heads = match self.audit_heads {
            Some(named) => named,
            None => self.database.audit_heads_to_write()?,
        };
        let heads = HeadsFile::new(heads, Arc::clone(&services));
        let site = Site::new(Arc::clone(&services), self.public_url, assets)
            .listening(address)
            .answering(self.api_requests)
            .trusting(self.trusted_proxies)
            .connecting(self.connections_per_address)
            .streaming(self.streams_per_session);
        let site = Arc::new(site);
        serving::stop_on_signals(site.shutdown())?;
        if let Some((_, (metrics, listener))) = metrics {
            tokio::spawn(metrics.serve(listener, Arc::clone(&site), site.shutdown()));
        }
        serving::watch_answers(&site)?;
        if self.print_json {
            say(&serde_json::to_string(&started).map_err(std::io::Error::from)?)?;
        } else {
            say(&for_people(&started, has_front_end))?;
        }
        let shutdown = site.shutdown();
        let telling = tokio::spawn(heads.keep_until(shutdown.clone()));
        let served = serving::serve(listener, &site).await;
        shutdown.cancel();
        if let Err(error) = services.store_failures().await {
            tracing::warn!(%error, "the last failed sign-ins are not stored");
        }
        if let Err(error) = services.note_refusals().await {
            tracing::error!(%error, "the last refusals could not be noted");
        }
        if let Ok(mut heads) = telling.await {
            heads.tell().await;
        }
        if let Some(traces) = traces {
            traces.end().await;
        }
        served.map_err(Error::Serve)
    }
}

/// Reads where traces are sent.
fn collector(text: &str) -> Result<Url, String> {
    let url: Url = text.parse().map_err(|error| format!("{error}"))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err("a collector is at http:// or https://".to_owned()),
    }
}

/// Reads the secret of a provider's client, if it has one.
fn with_secret(settings: ProviderSettings) -> Result<ProviderSettings, Error> {
    match settings.client_secret_file.clone() {
        Some(path) => match std::fs::read_to_string(&path) {
            Ok(secret) => Ok(settings.with_secret(&secret)),
            Err(source) => Err(Error::ClientSecret { path, source }),
        },
        None => Ok(settings),
    }
}

async fn listen_at(address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|source| Error::Listen { address, source })
}

fn for_people(started: &Started, has_front_end: bool) -> String {
    let mut lines = vec![format!("Concord is at {}", started.url)];
    if !has_front_end {
        lines.push(
            "The front end has not been built (cargo xtask): pages are read-only until then."
                .to_owned(),
        );
    }
    if !started.sign_ins.is_empty() {
        let rows: Vec<_> = started
            .sign_ins
            .iter()
            .map(|DemoSignIn { email, password, description, .. }| {
                [email.as_str(), password.as_str(), description.as_str()]
            })
            .collect();
        lines.push(format!("Sign in as:\n{}", table(&rows)));
    }
    if let Some(link) = &started.set_up {
        lines.push(format!("Create the first account within 7 days: {link}"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_where_it_is_and_how_to_get_in() {
        let started = Started {
            url: "http://127.0.0.1:3000".to_owned(),
            sign_ins: Vec::new(),
            set_up: Some("http://127.0.0.1:3000/invitations/t".to_owned()),
            metrics: None,
        };
        assert_eq!(
            for_people(&started, true),
            "Concord is at http://127.0.0.1:3000\n\
             Create the first account within 7 days: http://127.0.0.1:3000/invitations/t"
        );
        assert!(for_people(&started, false).contains("The front end has not been built"));
    }
}
