//! `concord serve`: opens what is stored, says where it is, and answers until it is told to stop.

use std::{
    io::stderr,
    net::SocketAddr,
    num::{NonZeroU16, NonZeroU32, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
};

use clap::Args;
use demo::GeneratedSize;
use domain::DemoSignIn;
use serde::Serialize;
use services::{
    Clock, Services, Settings,
    account::{self, SessionTimes},
    document::import,
    outside::webhooks::{self, Allowed, Destinations},
};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use super::{
    Error,
    database::Database,
    output::{say, table},
    span::Span,
};
use crate::{
    Assets, PublicUrl, Site, TrustedProxy,
    heads::HeadsFile,
    metrics,
    middleware::rate_limit::REQUESTS_A_MINUTE,
    serving,
    site::{CONNECTIONS, STREAMS},
};

#[expect(clippy::struct_excessive_bools, reason = "these are its options")]
#[derive(Args)]
pub(super) struct Serve {
    /// Where to listen; port 0 takes any free one.
    #[arg(long, env = "CONCORD_BIND", default_value = "127.0.0.1:3000")]
    bind: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// The address that people reach the site at, as in `https://concord.example.org`. With https,
    /// cookies are sent over secure connections only.
    #[arg(long, env = "CONCORD_PUBLIC_URL")]
    public_url: Option<PublicUrl>,
    /// A proxy in front, by its address or network, whose word on where a request comes from counts
    /// (`X-Forwarded-For` or `Forwarded`). May be given several times.
    #[arg(
        long = "trusted-proxy",
        env = "CONCORD_TRUSTED_PROXIES",
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    trusted_proxies: Vec<TrustedProxy>,
    /// What webhooks may reach beside the internet: an address, a network as in 10.0.0.0/8, or the name
    /// of a host. May be given several times.
    #[arg(long, env = "CONCORD_WEBHOOK_ALLOW", value_name = "ADDRESS", value_delimiter = ',')]
    webhook_allow: Vec<Allowed>,
    /// Go on when the secret key of the database is lost, with the one that is there or a new one. What
    /// was sealed with the lost one stays lost, such as the secrets of webhooks.
    #[arg(long)]
    new_secret_key: bool,
    /// Add sample projects and people, whose passwords are shown to everybody who can reach the
    /// server.
    #[arg(long, conflicts_with = "require_second_factor")]
    demo: bool,
    /// Show the demo to everybody who can reach the server, with the passwords of its people.
    #[arg(long, requires = "demo")]
    demo_in_public: bool,
    /// Add a generated project too: so many labelers, documents, and spans in each copy, as in
    /// 20x500x20. To see how the server does with as much.
    #[arg(long, requires = "demo", value_name = "SIZE")]
    demo_size: Option<GeneratedSize>,
    /// How many requests a minute each token, and each person, may make of the REST interface.
    #[arg(long, env = "CONCORD_API_REQUESTS", value_name = "NUMBER", default_value_t = REQUESTS_A_MINUTE)]
    api_requests: NonZeroU32,
    /// Where to tell a monitoring server how the server is doing, at `/metrics`: an address that only
    /// it can reach. Without it, nowhere.
    #[arg(long, env = "CONCORD_METRICS", value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// How many connections an address may have at the same time; behind a trusted proxy, how many
    /// requests. A class may share one address.
    #[arg(
        long, env = "CONCORD_CONNECTIONS_PER_ADDRESS", value_name = "NUMBER",
        default_value_t = CONNECTIONS
    )]
    connections_per_address: NonZeroUsize,
    /// How many live pages a session may have open at the same time.
    #[arg(
        long, env = "CONCORD_STREAMS_PER_SESSION", value_name = "NUMBER", default_value_t = STREAMS
    )]
    streams_per_session: NonZeroUsize,
    /// How long somebody stays signed in without coming back, as in 14d, 12h or 30m.
    #[arg(long, env = "CONCORD_SESSION_IDLE", value_name = "TIME", default_value_t = Span::days(14))]
    session_idle: Span,
    /// How long somebody stays signed in at most.
    #[arg(long, env = "CONCORD_SESSION_MAX", value_name = "TIME", default_value_t = Span::days(90))]
    session_max: Span,
    /// Let nobody in without a second factor: whoever has none sets one up when signing in.
    #[arg(long, env = "CONCORD_REQUIRE_SECOND_FACTOR")]
    require_second_factor: bool,
    /// How often passwords may be wrong within ten minutes from one network address. Browsers that
    /// their owner has signed in with before do not count.
    #[arg(long, env = "CONCORD_SIGN_IN_FAILURES", value_name = "NUMBER", default_value_t = Settings::default().failures)]
    sign_in_failures: NonZeroU16,
    /// The file that the ends of the audit trail are added to, at the start, every hour and at the end:
    /// `concord verify` finds with it what was cut off. Without it, `audit-heads.jsonl` beside the
    /// SQLite file, or in the data folder with PostgreSQL. Best kept on another machine.
    #[arg(long, env = "CONCORD_AUDIT_HEADS", value_name = "FILE")]
    audit_heads: Option<PathBuf>,
    /// What to log, to standard error: error, warn, info, debug, trace, or a tracing filter.
    #[arg(long, env = "CONCORD_LOG", default_value = "warn")]
    log: String,
    /// Print what a program needs as one line of JSON, in place of the lines for people.
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
}

impl Serve {
    pub(super) async fn run(self) -> Result<(), Error> {
        if self.demo && !self.demo_in_public {
            match &self.public_url {
                Some(url) => return Err(Error::DemoInPublic(url.to_string())),
                None if self.bind.ip().is_loopback() => {}
                None => return Err(Error::DemoInPublic(self.bind.to_string())),
            }
        }
        start_log(&self.log)?;
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
            failures: self.sign_in_failures,
            destinations: Destinations::with(self.webhook_allow),
        };
        let services = Services::with(store, clock, demo, key, settings);

        let listener = listen_at(self.bind).await?;
        let address =
            listener.local_addr().map_err(|source| Error::Listen { address: self.bind, source })?;
        let metrics = match self.metrics {
            Some(address) => Some(listen_at(address).await?),
            None => None,
        };
        if self.public_url.is_none() && !address.ip().is_loopback() {
            tracing::warn!(
                "passwords may travel in the clear: put https in front, see --public-url"
            );
        }
        let assets = Assets::embedded();
        let has_front_end = assets.front_end().is_some();

        let started = Started {
            url: self.public_url.as_ref().map_or(format!("http://{address}"), ToString::to_string),
            sign_ins: account::demo_sign_ins(&services),
            set_up: None,
        };
        import::end_abandoned(&services).await?;
        webhooks::seal_old(&services).await?;
        let token = account::create_setup_link(&services).await?;
        let set_up = token.map(|token| format!("{}/invitations/{token}", started.url));
        let started = Started { set_up, ..started };

        serving::start_background(&services);
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
        if let Some(listener) = metrics {
            tokio::spawn(metrics::serve(listener, Arc::clone(&site), site.shutdown()));
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
        served.map_err(Error::Serve)
    }
}

async fn listen_at(address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|source| Error::Listen { address, source })
}

/// Starts the log. It is not started twice in a process, so nothing is lost if it runs already.
fn start_log(filter: &str) -> Result<(), Error> {
    let filter = EnvFilter::try_new(filter).map_err(|error| Error::Log(error.to_string()))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    log.try_init().map_err(|error| Error::Log(error.to_string()))
}

fn for_people(started: &Started, has_front_end: bool) -> String {
    let mut lines = vec![format!("Concord is at {}", started.url)];
    if !has_front_end {
        lines.push(
            "The front end has not been built (cargo xtask build): pages can be read, no more."
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
        };
        assert_eq!(
            for_people(&started, true),
            "Concord is at http://127.0.0.1:3000\n\
             Create the first account within 7 days: http://127.0.0.1:3000/invitations/t"
        );
        assert!(for_people(&started, false).contains("The front end has not been built"));
    }
}
