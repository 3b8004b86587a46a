//! The address that people reach the site at.

use std::{fmt, str::FromStr};

use http::Uri;

/// A scheme and a host, as in `https://concord.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    secure: bool,
    authority: String,
}

impl PublicUrl {
    /// Whether the site is reached by https.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Whether a request is for it that names this host and port, in lower case.
    pub(crate) fn is_at(&self, named: &str) -> bool {
        let usual = if self.secure { ":443" } else { ":80" };
        let bare = |name: &str| name.strip_suffix(usual).unwrap_or(name).to_owned();
        bare(&self.authority) == bare(named)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority)
    }
}

impl FromStr for PublicUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "a public address looks like https://concord.example.org";
        let uri: Uri = text.parse().map_err(|_| SHAPE)?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(SHAPE),
        };
        let authority = uri.authority().ok_or(SHAPE)?;
        if uri.path() != "/" || uri.query().is_some() || authority.as_str().contains('@') {
            return Err(SHAPE);
        }
        Ok(Self { secure, authority: authority.as_str().to_ascii_lowercase() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        let url: PublicUrl = "https://Concord.example.org:8443/".parse().unwrap();
        assert_eq!(url.to_string(), "https://concord.example.org:8443");
        assert!(url.is_secure());
        assert!(url.is_at("concord.example.org:8443") && !url.is_at("concord.example.org"));
        let usual: PublicUrl = "https://concord.example.org".parse().unwrap();
        assert!(usual.is_at("concord.example.org") && usual.is_at("concord.example.org:443"));
        assert!(!usual.is_at("concord.example.org:80") && !usual.is_at("evil.example.org"));
        assert!(!"http://localhost".parse::<PublicUrl>().unwrap().is_secure());
        for wrong in ["concord.example.org", "ftp://a.b", "https://a.b/c", "https://me@a.b", ""] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
    }
}
