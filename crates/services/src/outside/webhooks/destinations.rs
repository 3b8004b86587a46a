//! Which addresses a webhook may reach: what everybody on the internet reaches, and what whoever runs
//! the server allows beside it.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

const fn v4(address: [u8; 4], bits: u8) -> Ipv4Net {
    let [a, b, c, d] = address;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(first: u16, second: u16, bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), bits)
}

/// Networks that are not everybody's (the registries of RFC 6890), and where a cloud tells its machines
/// secrets at an address that looks like everybody's.
const INSIDE: [Ipv4Net; 17] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([168, 63, 129, 16], 32),
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 31, 196, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    v4([224, 0, 0, 0], 4),
    v4([240, 0, 0, 0], 4),
];

/// The part of IPv6 that is routed between networks at all.
const ROUTED: Ipv6Net = v6(0x2000, 0, 3);

/// What of it is not everybody's: protocols (Teredo among them, which wraps addresses of IPv4), examples,
/// and 6to4, which wraps them too.
const NOT_ROUTED: [Ipv6Net; 4] =
    [v6(0x2001, 0, 23), v6(0x2001, 0xdb8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

/// Addresses of IPv4 as a network of IPv6 alone reaches them (NAT64).
const TRANSLATED: Ipv6Net = v6(0x64, 0xff9b, 96);

/// Something that whoever runs the server allows: addresses, or a name and whatever it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    Network(IpNet),
    /// A name, in small letters.
    Host(String),
}

impl FromStr for Allowed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Ok(network) = text.parse::<IpAddr>().map(IpNet::from).or_else(|_| text.parse()) {
            return Ok(Self::Network(network));
        }
        let of_names = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        // What ends in a number is read as an address.
        let last = text.rsplit('.').next().unwrap_or_default();
        let is_number = last.bytes().all(|digit| digit.is_ascii_digit());
        if is_number || !text.chars().all(of_names) {
            return Err("not an address, a network such as 10.0.0.0/8, or a host name");
        }
        Ok(Self::Host(text.to_ascii_lowercase()))
    }
}

/// Where webhooks may lead.
#[derive(Clone, Debug, Default)]
pub struct Destinations {
    allowed: Vec<Allowed>,
}

impl Destinations {
    /// The internet, and these.
    pub const fn with(allowed: Vec<Allowed>) -> Self {
        Self { allowed }
    }

    /// Whether something may be sent to this address, which is what `host` stands for.
    pub(super) fn permit(&self, host: &str, address: IpAddr) -> bool {
        let address = meant(address);
        self.allowed.iter().any(|allowed| match allowed {
            Allowed::Network(network) => network.contains(&address),
            Allowed::Host(name) => name.eq_ignore_ascii_case(host.trim_end_matches('.')),
        }) || is_everybodys(address)
    }

    /// Whether something may be sent to the host of an address of the web, as far as that can be told
    /// before its name is looked up.
    pub(super) fn may_permit(&self, host: &str) -> bool {
        literal(host).is_none_or(|address| self.permit(host, address))
    }
}

/// The address that a host is written as; none if it is a name. However it was written in an address of
/// the web, a parsed one has it in its usual form.
fn literal(host: &str) -> Option<IpAddr> {
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    inner.unwrap_or(host).parse().ok()
}

/// The address that is reached in the end.
fn meant(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(written) if TRANSLATED.contains(&written) => {
            let [.., a, b, c, d] = written.octets();
            Ipv4Addr::new(a, b, c, d).into()
        }
        meant => meant,
    }
}

fn is_everybodys(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !INSIDE.iter().any(|inside| inside.contains(&address)),
        IpAddr::V6(address) => {
            ROUTED.contains(&address) && !NOT_ROUTED.iter().any(|not| not.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an address of the web may be sent to, if its host is an address.
    fn may(destinations: &Destinations, url: &str) -> bool {
        destinations.may_permit(reqwest::Url::parse(url).unwrap().host_str().unwrap())
    }

    #[test]
    fn what_is_inside_is_refused_in_whatever_form_it_is_written() {
        let usual = Destinations::default();
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "127.0.0.1.",
            "0.0.0.0",
            "0",
            "10.1.2.3",
            "100.64.0.1",
            "100.100.100.200",
            "169.254.169.254",
            "168.63.129.16",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "239.255.255.250",
            "255.255.255.255",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:a9fe:a9fe]",
            "[::127.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "[64:ff9b:1::1]",
            "[2002:7f00:1::]",
            "[2002:0808:0808::1]",
            "[2001::1]",
            "[2001:db8::1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
            "[fe80::1]",
            "[fec0::1]",
            "[ff02::1]",
            "[100::1]",
        ] {
            assert!(!may(&usual, &format!("http://{host}/hook")), "{host}");
        }
    }

    #[test]
    fn what_everybody_reaches_is_permitted() {
        let usual = Destinations::default();
        for host in [
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "223.255.255.255",
            "[2606:4700::1111]",
            "[::ffff:8.8.8.8]",
            "[64:ff9b::8.8.8.8]",
            "example.org",
        ] {
            assert!(may(&usual, &format!("https://{host}/hook")), "{host}");
        }
    }

    #[test]
    fn every_address_of_a_network_is_inside_and_its_neighbours_are_not() {
        for network in INSIDE {
            for inside in [network.network(), network.broadcast()] {
                assert!(!is_everybodys(inside.into()), "{network}");
            }
            let next = Ipv4Addr::from_bits(network.broadcast().to_bits().wrapping_add(1));
            let is_inside = INSIDE.iter().any(|other| other.contains(&next));
            assert_eq!(is_everybodys(next.into()), !is_inside, "{next}");
        }
    }

    #[test]
    fn whoever_runs_the_server_opens_networks_addresses_and_names() {
        let allowed = ["127.0.0.0/8", "fd00::/8", "10.0.0.7", "Hooks.internal"];
        let allowed = allowed.map(|text| text.parse().unwrap()).to_vec();
        let some = Destinations::with(allowed);
        for fine in ["127.1", "[::ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[fd12::1]", "10.0.0.7"]
        {
            assert!(may(&some, &format!("http://{fine}/")), "{fine}");
        }
        for wrong in ["10.0.0.8", "[fe80::1]", "192.168.0.1"] {
            assert!(!may(&some, &format!("http://{wrong}/")), "{wrong}");
        }
        let inside: IpAddr = "192.168.0.1".parse().unwrap();
        assert!(some.permit("hooks.internal", inside) && some.permit("hooks.internal.", inside));
        assert!(!some.permit("other.internal", inside) && !some.permit("a.hooks.internal", inside));
    }

    #[test]
    fn what_can_be_allowed_is_understood_or_refused() {
        let network = |address: &str, bits| {
            Allowed::Network(IpNet::new(address.parse().unwrap(), bits).unwrap())
        };
        for (text, meant) in [
            ("10.0.0.0/8", network("10.0.0.0", 8)),
            (" 10.0.0.1 ", network("10.0.0.1", 32)),
            ("fd00::/8", network("fd00::", 8)),
            ("::1", network("::1", 128)),
            ("0.0.0.0/0", network("0.0.0.0", 0)),
            ("Hooks.Example.org", Allowed::Host("hooks.example.org".to_owned())),
            ("localhost", Allowed::Host("localhost".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(meant), "{text}");
        }
        for wrong in
            ["", "10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0", "a/8", "a b", "*.org", "1"]
        {
            assert!(wrong.parse::<Allowed>().is_err(), "{wrong}");
        }
    }
}
