//! Where mail is handed over, from whom, and where its links lead.

use std::{fmt, net::IpAddr, str::FromStr, time::Duration};

use lettre::{AsyncSmtpTransport, Tokio1Executor, message::Mailbox};
use reqwest::Url;

use crate::error_chain;

/// How long the mail server may take for each answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a server sends mail.
#[derive(Clone, Debug)]
pub struct MailSettings {
    pub server: MailServer,
    pub from: Sender,
    /// The address of the site, as in `https://concord.example.org`.
    pub site: String,
}

/// The mail server that takes what is to be sent, with what one signs in with there.
#[derive(Clone)]
pub struct MailServer(pub(super) AsyncSmtpTransport<Tokio1Executor>);

impl fmt::Debug for MailServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // There may be a password in it.
        f.write_str("MailServer")
    }
}

impl FromStr for MailServer {
    type Err = String;

    /// Reads `smtps://name:password@host`, or `smtp://host?tls=required`; what is wrong says nothing of a
    /// password.
    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        let is_required = url.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
        let is_open = url.scheme() == "smtp" && !is_required;
        let is_here = match url.host_str() {
            Some("localhost") => true,
            Some(host) => {
                let host = host.trim_matches(['[', ']']);
                host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            }
            None => false,
        };
        if url.password().is_some() && is_open && !is_here {
            return Err(
                "the password would travel in the clear; use smtps:// or add ?tls=required"
                    .to_owned(),
            );
        }
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(text)
            .map_err(|error| error_chain(&error))?;
        Ok(Self(server.timeout(Some(PATIENCE)).build()))
    }
}

/// Whom mail comes from: an address, or a name and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(pub(super) Mailbox);

impl FromStr for Sender {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "a sender looks like concord@example.org or \"Concord <concord@example.org>\"";
        text.trim().parse().map(Self).map_err(|_| wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_travels_in_the_clear_on_this_machine_only() {
        for fine in [
            "smtp://127.0.0.1:2525",
            "smtp://me:hush@localhost:2525",
            "smtp://me:hush@[::1]",
            "smtp://mail.example.org",
            "smtps://me:hush@mail.example.org",
            "smtp://me:hush@mail.example.org?tls=required",
        ] {
            assert!(fine.parse::<MailServer>().is_ok(), "{fine}");
        }
        for wrong in [
            "mail.example.org",
            "http://me:hush@mail.example.org",
            "smtp://me:hush@mail.example.org",
            "smtp://me:hush@mail.example.org?tls=opportunistic",
            "smtp://me:hush@127.0.0.1?tls=maybe",
        ] {
            let said = wrong.parse::<MailServer>().unwrap_err();
            assert!(!said.contains("hush"), "{said}");
        }
    }

    #[test]
    fn a_sender_has_an_address() {
        for fine in ["concord@example.org", "Concord <concord@example.org>"] {
            assert!(fine.parse::<Sender>().is_ok(), "{fine}");
        }
        for wrong in ["", "Concord", "Concord <>", "a@b\r\nBcc: c@d"] {
            assert!(wrong.parse::<Sender>().is_err(), "{wrong}");
        }
    }

    #[tokio::test]
    async fn settings_show_no_password() {
        let server: MailServer = "smtps://me:hush@mail.example.org".parse().unwrap();
        assert!(!format!("{server:?}").contains("hush"));
    }
}
