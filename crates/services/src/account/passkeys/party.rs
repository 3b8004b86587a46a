//! The site that passkeys are made for: no other can use them, and it can use no others.

use std::net::IpAddr;

use webauthn_rp::request::{AsciiDomain, RpId};

/// The site that passkeys are made for, by the address that people reach it at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// What a browser says of the page that asks, such as `https://concord.example.org:8443`.
    pub(super) origin: String,
    pub(super) id: RpId,
}

impl RelyingParty {
    /// The site at this address, which is a scheme and a host. Browsers make no passkeys for a
    /// network address, and none where others could listen: by https, or on this very machine.
    pub fn at(address: &str) -> Option<Self> {
        let (scheme, authority) = address.split_once("://")?;
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        let (is_safe, usual) = match scheme {
            "https" => (true, "443"),
            "http" => (host == "localhost", "80"),
            _ => return None,
        };
        let is_name = host.parse::<IpAddr>().is_err()
            && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'))
            && !host.ends_with('.');
        if !is_safe || !is_name {
            return None;
        }
        let host = host.to_ascii_lowercase();
        // Browsers leave out the port that is usual.
        let origin = match port.filter(|port| *port != usual) {
            Some(port) => format!("{scheme}://{host}:{}", port.parse::<u16>().ok()?),
            None => format!("{scheme}://{host}"),
        };
        Some(Self { origin, id: RpId::Domain(AsciiDomain::try_from(host).ok()?) })
    }
}

#[cfg(test)]
mod tests {
    use super::RelyingParty;

    #[test]
    fn passkeys_are_for_names_that_nobody_can_listen_to() {
        for (address, origin, id) in [
            ("https://concord.example.org", "https://concord.example.org", "concord.example.org"),
            (
                "https://Concord.example.org:443",
                "https://concord.example.org",
                "concord.example.org",
            ),
            ("https://concord.test:8443", "https://concord.test:8443", "concord.test"),
            ("http://localhost:3000", "http://localhost:3000", "localhost"),
            ("http://localhost", "http://localhost", "localhost"),
        ] {
            let party = RelyingParty::at(address).unwrap();
            assert_eq!((party.origin.as_str(), party.id.as_ref()), (origin, id));
        }
        for none in [
            "http://concord.example.org",
            "https://192.0.2.1",
            "https://192.0.2.1:8443",
            "https://[2001:db8::1]:8443",
            "http://127.0.0.1:3000",
            "http://localhost.",
            "http://localhost.evil.example",
            "https://",
            "https://a b",
            "ftp://localhost",
            "localhost",
            "https://concord.test:port",
        ] {
            assert_eq!(RelyingParty::at(none), None, "{none}");
        }
    }
}
