//! What all requests share.

pub(crate) mod assets;
pub(crate) mod held_body;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod live_pages;
pub(crate) mod problem;
pub(crate) mod proxies;
pub(crate) mod public_url;
pub(crate) mod route;

use std::{
    net::{IpAddr, SocketAddr},
    num::{NonZeroU32, NonZeroUsize},
    sync::Arc,
    time::Duration,
};

use app::context::SessionCookie;
use domain::Network;
use services::{Services, account::RelyingParty};
use tokio_util::sync::CancellationToken;

use self::{
    assets::Assets,
    in_flight::InFlight,
    limits::{
        busy::Busy,
        cap::Cap,
        rate_limit::{REQUESTS_A_MINUTE, RateLimit},
        room::Room,
        uploads::Uploads,
    },
    live_pages::LivePages,
    proxies::{TrustedProxy, is_trusted},
    public_url::PublicUrl,
};

/// The most connections of an address at the same time, unless somebody says otherwise: a class may
/// share one.
pub(crate) const CONNECTIONS: NonZeroUsize = match NonZeroUsize::new(500) {
    Some(number) => number,
    None => NonZeroUsize::MIN,
};

/// The most streams of a session at the same time, unless somebody says otherwise.
pub(crate) const STREAMS: NonZeroUsize = match NonZeroUsize::new(20) {
    Some(number) => number,
    None => NonZeroUsize::MIN,
};

/// How often a stream asks whether its session still stands.
const RECHECK: Duration = Duration::from_secs(10);

/// What all requests share.
pub struct Site {
    pub(crate) services: Arc<Services>,
    pub(crate) public_url: Option<PublicUrl>,
    /// Which site passkeys are made for, and the one name at which they are if the site has no
    /// public address.
    relying_party: Option<RelyingParty>,
    relying_name: Option<String>,
    pub(crate) cookie: SessionCookie,
    pub(crate) assets: Assets,
    /// Cancelled when the server stops: streams end.
    pub(crate) shutdown: CancellationToken,
    pub(crate) recheck: Duration,
    pub(crate) rate_limit: RateLimit,
    /// What is being answered.
    pub(crate) in_flight: Arc<InFlight>,
    /// Whoever's word on where a request comes from counts.
    pub(crate) proxies: Vec<TrustedProxy>,
    pub(crate) busy: Busy,
    /// What requests bring that is held in memory.
    pub(crate) room: Arc<Room>,
    /// Forms with files that are being received.
    pub(crate) uploads: Uploads,
    /// Connections of a network; behind a trusted proxy, its requests that are being answered.
    pub(crate) connections: Arc<Cap<Network>>,
    /// Streams of a session or a program, by its token.
    pub(crate) streams: Arc<Cap<String>>,
    /// The pages that browsers have open and that follow what moves.
    pub(crate) live_pages: LivePages,
}

impl Site {
    /// A site that is reached at `public_url`, or by plain http if there is none.
    pub fn new(services: Arc<Services>, public_url: Option<PublicUrl>, assets: Assets) -> Self {
        let secure = public_url.as_ref().is_some_and(PublicUrl::is_secure);
        Self {
            services,
            relying_party: public_url.as_ref().and_then(|url| RelyingParty::at(&url.to_string())),
            relying_name: None,
            public_url,
            cookie: SessionCookie {
                name: if secure { "__Host-concord" } else { "concord" },
                secure,
            },
            assets,
            shutdown: CancellationToken::new(),
            recheck: RECHECK,
            rate_limit: RateLimit::of(REQUESTS_A_MINUTE),
            in_flight: Arc::default(),
            proxies: Vec::new(),
            busy: Busy::new(),
            room: Arc::default(),
            uploads: Uploads::default(),
            connections: Cap::of(CONNECTIONS.get()),
            streams: Cap::of(STREAMS.get()),
            live_pages: LivePages::default(),
        }
    }

    /// The same site, whose streams ask more often or less whether their session still stands.
    #[must_use]
    pub fn rechecking_every(self, recheck: Duration) -> Self {
        Self { recheck, ..self }
    }

    /// The same site, which lets each token, and each person, make so many requests a minute.
    #[must_use]
    pub fn answering(self, requests_a_minute: NonZeroU32) -> Self {
        Self { rate_limit: RateLimit::of(requests_a_minute), ..self }
    }

    /// The same site behind proxies that say where requests come from.
    #[must_use]
    pub fn trusting(self, proxies: Vec<TrustedProxy>) -> Self {
        Self { proxies, ..self }
    }

    /// The same site, which lets each address have so many connections at the same time.
    #[must_use]
    pub fn connecting(self, an_address: NonZeroUsize) -> Self {
        Self { connections: Cap::of(an_address.get()), ..self }
    }

    /// The same site, which lets each session follow so many streams at the same time.
    #[must_use]
    pub fn streaming(self, a_session: NonZeroUsize) -> Self {
        Self { streams: Cap::of(a_session.get()), ..self }
    }

    /// The same site, which listens at this address: without a public one, whoever sits at this very
    /// machine can use passkeys at `localhost`.
    #[must_use]
    pub fn listening(self, at: SocketAddr) -> Self {
        if self.public_url.is_some() || !at.ip().is_loopback() {
            return self;
        }
        let name = format!("localhost:{}", at.port());
        let relying_party = RelyingParty::at(&format!("http://{name}"));
        Self { relying_party, relying_name: Some(name), ..self }
    }

    /// Which site passkeys are made for, for a request that names this host and port. Nobody's word
    /// makes it another.
    pub(crate) fn relying_party(&self, named: Option<&str>) -> Option<&RelyingParty> {
        let is_there = match &self.relying_name {
            Some(name) => named == Some(name.as_str()),
            None => true,
        };
        self.relying_party.as_ref().filter(|_| is_there)
    }

    pub(crate) fn is_trusted(&self, peer: IpAddr) -> bool {
        is_trusted(&self.proxies, peer)
    }

    /// What ends the site's streams when it is cancelled.
    pub fn shutdown(&self) -> CancellationToken {
        self.shutdown.clone()
    }
}
