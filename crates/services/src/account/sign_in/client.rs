//! What a request says of the browser that it comes from.

use std::net::{IpAddr, Ipv4Addr};

use domain::Network;

use super::agent;

/// What a request says of the browser that it comes from.
#[derive(Clone)]
pub struct Client {
    /// The network address.
    pub address: IpAddr,
    /// What the browser says of itself (`User-Agent`).
    pub agent: Option<String>,
    /// The token by which the browser is known as one that somebody has signed in with.
    pub device: Option<String>,
    /// The token of the session that it has.
    pub session: Option<String>,
    /// What the first step of signing in has left in it.
    pub step: Option<String>,
}

impl Client {
    /// Whoever sits at the machine itself, without a browser.
    pub const LOCAL: Self = Self {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        agent: None,
        device: None,
        session: None,
        step: None,
    };

    /// The network by which its tries are counted.
    pub(crate) fn network(&self) -> Network {
        Network::from(self.address)
    }

    /// The kind of browser, as "Firefox on Linux"; empty if nobody knows.
    pub(crate) fn device_name(&self) -> String {
        self.agent.as_deref().map(agent::name).unwrap_or_default()
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("address", &self.address).finish_non_exhaustive()
    }
}
