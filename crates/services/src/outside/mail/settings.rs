//! Where mail is handed over, from whom, and where its links lead.

use std::{borrow::Cow, fmt, net::IpAddr, str::FromStr, time::Duration};

use lettre::{
    message::Mailbox,
    transport::smtp::{
        SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT, authentication::Credentials,
        extension::ClientId,
    },
};
use percent_encoding::percent_decode_str;
use reqwest::Url;

/// How a server sends mail.
#[derive(Clone, Debug)]
pub struct MailSettings {
    pub server: MailServer,
    pub from: Sender,
    /// The address of the site, as in `https://concord.example.org`.
    pub site: String,
    /// How long the mail server may take for a mail, from connecting to it to its last word.
    pub patience: Duration,
}

impl MailSettings {
    /// How long a mail server usually may take: longer than those that have strangers wait on purpose.
    pub const PATIENCE: Duration = Duration::from_mins(2);
}

/// The mail server that takes what is to be sent, with what one signs in with there.
#[derive(Clone)]
pub struct MailServer {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) encryption: Encryption,
    pub(super) credentials: Option<Credentials>,
    /// The name by which we greet it.
    pub(super) hello: ClientId,
    is_exposed: bool,
}

/// When a connection to the mail server is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encryption {
    None,
    /// Before anything is said but greetings (STARTTLS).
    Required,
    /// From the beginning.
    Always,
}

impl MailServer {
    /// Whether mail, with the links in it, travels to another machine in the clear.
    pub const fn is_exposed(&self) -> bool {
        self.is_exposed
    }
}

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
        let tls = url.query_pairs().find(|(key, _)| key == "tls").map(|(_, how)| how);
        let (encryption, usual_port) = match (url.scheme(), tls.as_deref()) {
            (_, Some("opportunistic")) => {
                return Err(
                    "?tls=opportunistic goes on in the clear where somebody on the way wants it \
                        so; use smtps:// or ?tls=required"
                        .to_owned(),
                );
            }
            ("smtp", None) => (Encryption::None, SMTP_PORT),
            ("smtp", Some("required")) => (Encryption::Required, SUBMISSION_PORT),
            ("smtps", _) => (Encryption::Always, SUBMISSIONS_PORT),
            ("smtp", Some(_)) => return Err("use ?tls=required, or smtps://".to_owned()),
            _ => return Err("the address begins with smtps:// or smtp://".to_owned()),
        };
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        if host.is_empty() {
            return Err("the address names no mail server".to_owned());
        }
        let is_here = host == "localhost"
            || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let is_exposed = encryption == Encryption::None && !is_here;
        if url.password().is_some() && is_exposed {
            return Err(
                "the password would travel in the clear; use smtps:// or add ?tls=required"
                    .to_owned(),
            );
        }
        let decoded = |text: &str| {
            let decoded = percent_decode_str(text).decode_utf8().map(Cow::into_owned);
            decoded.map_err(|_| "the name or password is not UTF-8".to_owned())
        };
        let credentials = match url.password() {
            Some(password) => Some(Credentials::new(decoded(url.username())?, decoded(password)?)),
            None => None,
        };
        let hello = match url.path().trim_matches('/') {
            "" => ClientId::default(),
            name => ClientId::Domain(name.to_owned()),
        };
        let port = url.port().unwrap_or(usual_port);
        Ok(Self { host, port, encryption, credentials, hello, is_exposed })
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
            "smtp://mail.example.org?tls=opportunistic",
            "smtp://me:hush@127.0.0.1?tls=opportunistic",
            "smtp://me:hush@127.0.0.1?tls=maybe",
        ] {
            let said = wrong.parse::<MailServer>().unwrap_err();
            assert!(!said.contains("hush"), "{said}");
        }
    }

    #[tokio::test]
    async fn mail_is_exposed_that_goes_to_another_machine_without_tls() {
        let is_exposed = |url: &str| url.parse::<MailServer>().unwrap().is_exposed();
        assert!(is_exposed("smtp://mail.example.org"));
        for safe in [
            "smtps://mail.example.org",
            "smtp://mail.example.org?tls=required",
            "smtp://127.0.0.1:2525",
            "smtp://localhost",
        ] {
            assert!(!is_exposed(safe), "{safe}");
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
