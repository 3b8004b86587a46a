//! `concord mail`: how the server sends mail, and whether what it sends arrives.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use services::outside::mail::{MailSettings, Sender, send_test};

use crate::PublicUrl;
use crate::cli::{Error, base::output::say};

/// The options that say how mail is sent.
#[derive(Args)]
pub(in crate::cli) struct MailOptions {
    /// Mail server, such as `smtps://name:password@mail.example.org` or
    /// `smtp://name:password@mail.example.org?tls=required`. Default: no mail, people are given links.
    #[arg(
        long,
        env = "CONCORD_SMTP_URL",
        value_name = "URL",
        hide_env_values = true,
        requires = "mail_from",
        requires = "public_url"
    )]
    smtp_url: Option<String>,
    /// Sender of mail, such as `Concord <concord@example.org>`.
    #[arg(long, env = "CONCORD_MAIL_FROM", value_name = "ADDRESS", requires = "smtp_url")]
    mail_from: Option<Sender>,
}

impl MailOptions {
    /// How the server of this site sends mail; none if it sends none.
    pub(in crate::cli) fn settings(
        &self,
        site: Option<&PublicUrl>,
    ) -> Result<Option<MailSettings>, Error> {
        let (Some(server), Some(from), Some(site)) = (&self.smtp_url, &self.mail_from, site) else {
            return Ok(None);
        };
        Ok(Some(MailSettings {
            server: server.parse().map_err(Error::MailServer)?,
            from: from.clone(),
            site: site.to_string(),
            patience: MailSettings::PATIENCE,
        }))
    }
}

#[derive(Subcommand)]
pub(in crate::cli) enum Mail {
    /// Send a test mail as the server with these settings would. Works without a running server.
    Test(Test),
}

#[derive(Args)]
pub(in crate::cli) struct Test {
    /// Address to send it to.
    address: String,
    #[command(flatten)]
    options: MailOptions,
    /// Public address of the site, such as `https://concord.example.org`.
    #[arg(long, env = "CONCORD_PUBLIC_URL")]
    public_url: Option<PublicUrl>,
    /// File of settings in TOML, as for `concord serve`.
    #[arg(long, env = "CONCORD_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Mail {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        let Self::Test(Test { address, options, public_url, config: _ }) = self;
        let settings = options.settings(public_url.as_ref())?.ok_or(Error::NoMail)?;
        send_test(&settings, &address).await.map_err(Error::MailNotSent)?;
        Ok(say(&format!("{address}: the mail server has taken a test mail"))?)
    }
}
