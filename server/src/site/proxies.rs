//! Proxies in front of the server, and what they say about where a request comes from.

use std::{
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

use http::{HeaderMap, HeaderName, header::FORWARDED};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A proxy, or a network of them, whose word on where a request comes from counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

impl FromStr for TrustedProxy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let address = text.parse::<IpAddr>().map(IpNet::from);
        let network = address.or_else(|_| text.parse::<IpNet>());
        network
            .map(Self)
            .map_err(|_| "a proxy is named by its address or network, as in 10.0.0.0/8")
    }
}

/// Whether an address is that of a trusted proxy.
pub(crate) fn is_trusted(trusted: &[TrustedProxy], address: IpAddr) -> bool {
    let address = address.to_canonical();
    trusted.iter().any(|TrustedProxy(network)| network.contains(&address))
}

/// Where a request comes from that `peer` has sent. Going back through the hops that trusted proxies
/// tell, it is the first that is no trusted proxy itself: whatever stands before it, anybody may
/// have written.
pub(crate) fn client_of(peer: IpAddr, headers: &HeaderMap, trusted: &[TrustedProxy]) -> IpAddr {
    let peer = peer.to_canonical();
    if !is_trusted(trusted, peer) {
        return peer;
    }
    let back = |hops: Vec<Option<IpAddr>>| {
        let mut from = peer;
        for hop in hops.into_iter().rev() {
            // Before what nobody can read there may be anything.
            let Some(hop) = hop else { break };
            from = hop;
            if !is_trusted(trusted, hop) {
                break;
            }
        }
        from
    };
    match (lines(headers, &X_FORWARDED_FOR), lines(headers, &FORWARDED)) {
        (None, None) => peer,
        (Some(line), None) => back(line.split(',').map(address).collect()),
        (None, Some(line)) => back(forwarded(&line)),
        // A proxy writes one of the two; the other may be its client's own.
        (Some(line), Some(other)) => {
            let from = back(line.split(',').map(address).collect());
            if from == back(forwarded(&other)) { from } else { peer }
        }
    }
}

/// A header's lines as one.
fn lines(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let lines: Vec<_> =
        headers.get_all(name).iter().map(|line| line.to_str().unwrap_or_default()).collect();
    (!lines.is_empty()).then(|| lines.join(","))
}

/// The hops of `Forwarded` (RFC 7239), each the `for` of an element.
fn forwarded(line: &str) -> Vec<Option<IpAddr>> {
    let hop = |element: &str| {
        element.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            name.eq_ignore_ascii_case("for").then(|| address(value.trim_matches('"')))?
        })
    };
    line.split(',').map(hop).collect()
}

/// An address, with a port or without, in brackets or without.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    bare.parse().or_else(|_| with_port()).ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, lines: &[(&str, &str)]) -> String {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"].map(|it| it.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, value.parse().unwrap());
        }
        client_of(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_says_where_a_request_comes_from() {
        let spoofed = [("x-forwarded-for", "192.0.2.1")];
        assert_eq!(from("198.51.100.7", &spoofed), "198.51.100.7");
        assert_eq!(from("127.0.0.1", &spoofed), "192.0.2.1");
        assert_eq!(from("::ffff:127.0.0.1", &spoofed), "192.0.2.1");
        assert_eq!(from("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn what_a_client_wrote_before_the_last_untrusted_hop_counts_for_nothing() {
        let hops = [("x-forwarded-for", "1.1.1.1, 192.0.2.1"), ("x-forwarded-for", "10.0.0.9")];
        assert_eq!(from("127.0.0.1", &hops), "192.0.2.1");
        let broken = [("x-forwarded-for", "1.1.1.1, unknown, 10.0.0.9")];
        assert_eq!(from("127.0.0.1", &broken), "10.0.0.9");
        let both = [("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=1.1.1.1")];
        assert_eq!(from("127.0.0.1", &both), "127.0.0.1");
    }

    #[test]
    fn hops_are_read_in_every_form_they_are_written_in() {
        for (name, value, expected) in [
            ("x-forwarded-for", "192.0.2.1:4711", "192.0.2.1"),
            ("x-forwarded-for", "[2001:db9::1]:80", "2001:db9::1"),
            ("x-forwarded-for", "2001:db9::1", "2001:db9::1"),
            ("forwarded", "for=192.0.2.1;proto=https;by=10.0.0.1", "192.0.2.1"),
            ("forwarded", "For=\"[2001:db9::1]:4711\", for=10.0.0.2", "2001:db9::1"),
            ("forwarded", "for=_hidden, for=10.0.0.2", "10.0.0.2"),
        ] {
            assert_eq!(from("10.0.0.1", &[(name, value)]), expected, "{name}: {value}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        assert!("::1".parse::<TrustedProxy>().is_ok());
        for wrong in ["proxy.example.org", "10.0.0.0/33", ""] {
            assert!(wrong.parse::<TrustedProxy>().is_err(), "{wrong}");
        }
    }
}
