//! What a request says of the browser that it comes from.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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

    /// Where its tries are counted.
    pub(crate) fn source(&self) -> Source {
        Source::from(self.address)
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

/// Whose tries are counted together: an address, or the network of 64 bits that one customer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Source(IpAddr);

impl Source {
    /// The server itself.
    pub(crate) const SELF: Self = Self(IpAddr::V4(Ipv4Addr::LOCALHOST));
}

impl From<IpAddr> for Source {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self(IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)))
            }
            address @ IpAddr::V4(_) => Self(address),
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(address: &str) -> String {
        Source::from(address.parse::<IpAddr>().unwrap()).to_string()
    }

    #[test]
    fn who_has_a_network_is_one_source() {
        assert_eq!(source("192.0.2.7"), "192.0.2.7");
        assert_eq!(source("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(source("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(source("2001:db8:1:2:ffff::1"), "2001:db8:1:2::/64");
        assert_ne!(source("2001:db8:1:3::1"), "2001:db8:1:2::/64");
    }
}
