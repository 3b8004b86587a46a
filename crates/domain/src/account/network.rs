//! The network that an address belongs to: the unit by which senders are counted.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// An IPv4 address, or the 64 leading bits of an IPv6 address, which one customer has whole. Limits count connections
/// and attempts by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The server's own machine.
    pub const LOCAL: Self = Self(IpAddr::V4(Ipv4Addr::LOCALHOST));
}

impl From<IpAddr> for Network {
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

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> String {
        Network::from(address.parse::<IpAddr>().unwrap()).to_string()
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one() {
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2:ffff::1"), "2001:db8:1:2::/64");
        assert_ne!(network("2001:db8:1:3::1"), "2001:db8:1:2::/64");
    }
}
