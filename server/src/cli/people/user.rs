//! `concord user`: accounts, by whoever runs the server.

use clap::{Args, Subcommand};
use domain::{NewAccount, count};
use serde_json::json;
use services::{
    account::{self, administration},
    outside::backup::{self, Ended},
};

use super::{no_such_user, password, person};
use crate::{
    PublicUrl,
    cli::{
        Error,
        base::output::{say, say_json},
        database::Database,
    },
};

#[derive(Subcommand)]
pub(in crate::cli) enum User {
    /// Add an account that may create projects. Managers invite everyone else.
    Add(Add),
    /// Set a new password and end the account's sessions and tokens.
    Reset(Reset),
    /// Make an account a server administrator, or withdraw that.
    Administrator(Administrator),
    /// Create a password reset link. It works once, for a day.
    ResetLink(ResetLink),
    /// Remove a lost second factor and end the account's sessions.
    RemoveSecondFactor(RemoveSecondFactor),
    /// Remove all linked sign-ins of an account, such as one that somebody else has linked, and end the
    /// sessions that they started.
    Unlink(Unlink),
    /// Allow or refuse creating projects.
    Projects(Projects),
    /// End all sessions, open invitations and links, and tokens unless kept: after restoring a
    /// PostgreSQL backup.
    SignOutEverybody(SignOutEverybody),
    /// Write everything stored about a person into a JSON file.
    Export(person::Export),
    /// Erase a person. Their work in projects stays, as that of a former member.
    Erase(person::Erase),
}

#[derive(Args)]
pub(in crate::cli) struct ResetLink {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// Public address of the site, such as `https://concord.example.org`.
    #[arg(long, env = "CONCORD_PUBLIC_URL", default_value = "http://127.0.0.1:3000")]
    public_url: PublicUrl,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct RemoveSecondFactor {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Unlink {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
#[group(id = "may", required = true, multiple = false, args = ["allow", "refuse"])]
pub(in crate::cli) struct Projects {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// Allow creating projects.
    #[arg(long)]
    allow: bool,
    /// Refuse it from now on. Projects they manage stay theirs.
    #[arg(long)]
    refuse: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct SignOutEverybody {
    /// Keep API tokens.
    #[arg(long)]
    keep_tokens: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Add {
    /// E-mail address to sign in with.
    #[arg(long)]
    email: String,
    /// Name shown to others.
    #[arg(long)]
    name: String,
    #[command(flatten)]
    password: Password,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Reset {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    password: Password,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Administrator {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// Withdraw it.
    #[arg(long)]
    withdraw: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
struct Password {
    /// Print JSON: the address, and the password if generated.
    #[arg(long)]
    json: bool,
    /// Read the password from standard input. Default: generate one and print it once.
    #[arg(long)]
    password_stdin: bool,
}

impl Password {
    /// The password, and whether it was made up.
    fn choose(&self) -> Result<(String, bool), Error> {
        if self.password_stdin {
            Ok((password::read()?, false))
        } else {
            Ok((password::generate(), true))
        }
    }

    /// Says what was done, and a password that nobody knows yet.
    fn show(&self, done: &str, email: &str, password: &str, made_up: bool) -> Result<(), Error> {
        let password = made_up.then_some(password);
        if self.json {
            return Ok(say_json(&json!({ "email": email, "password": password }))?);
        }
        say(done)?;
        if let Some(password) = password {
            say(&format!("Its password, shown this once: {password}"))?;
        }
        Ok(())
    }
}

impl User {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        match self {
            Self::Add(Add { email, name, password, database }) => {
                let (chosen, made_up) = password.choose()?;
                let services = database.services_or_create().await?;
                let account = NewAccount { email: email.clone(), name, password: chosen.clone() };
                account::add_user(&services, account, true).await?;
                password.show("Account added.", &email, &chosen, made_up)
            }
            Self::Reset(Reset { email, password, database }) => {
                let (chosen, made_up) = password.choose()?;
                let services = database.services().await?;
                account::reset_password(&services, &email, chosen.clone())
                    .await
                    .map_err(no_such_user)?;
                let done = "Password changed; sessions with the old one ended.";
                password.show(done, &email, &chosen, made_up)
            }
            Self::Administrator(Administrator { email, withdraw, database }) => {
                let services = database.services().await?;
                administration::set_administrator(&services, &email, !withdraw)
                    .await
                    .map_err(no_such_user)?;
                let done = if withdraw {
                    "Account is no longer an administrator."
                } else {
                    "Account is an administrator."
                };
                Ok(say(done)?)
            }
            Self::RemoveSecondFactor(RemoveSecondFactor { email, database }) => {
                let services = database.services().await?;
                account::remove_second_factors_of(&services, &email).await.map_err(no_such_user)?;
                let done = "now signs in with the password alone. Sessions ended.";
                Ok(say(&format!("{email} {done}"))?)
            }
            Self::Unlink(Unlink { email, database }) => {
                let services = database.services().await?;
                let unlinked = account::unlink_identities_of(&services, &email).await;
                let unlinked = unlinked.map_err(no_such_user)?;
                Ok(say(&format!("{email}: linked sign-ins removed: {unlinked}."))?)
            }
            Self::ResetLink(ResetLink { email, public_url, database }) => {
                let services = database.services().await?;
                let made = account::create_reset_link_of(&services, &email).await;
                // Nothing else, so that a script can take it as it is.
                Ok(say(&format!("{public_url}/reset/{}", made.map_err(no_such_user)?))?)
            }
            Self::Projects(Projects { email, allow, refuse: _, database }) => {
                let services = database.services().await?;
                account::set_may_create_projects_of(&services, &email, allow)
                    .await
                    .map_err(no_such_user)?;
                let done = if allow { "may" } else { "may not" };
                Ok(say(&format!("{email} {done} create projects."))?)
            }
            Self::SignOutEverybody(SignOutEverybody { keep_tokens, database }) => {
                let services = database.services().await?;
                let ended = backup::end_everything(&services, keep_tokens).await?;
                Ok(say(&ended_words(ended))?)
            }
            Self::Export(export) => export.run().await,
            Self::Erase(erase) => erase.run().await,
        }
    }
}

/// What was ended, in a line.
pub(in crate::cli) fn ended_words(ended: Ended) -> String {
    let number = |n: u64, noun| count(usize::try_from(n).unwrap_or(usize::MAX), noun);
    let tokens = match ended.tokens {
        Some(tokens) => format!("{} revoked", number(tokens, "token")),
        None => "tokens kept".to_owned(),
    };
    format!(
        "{} ended, {} revoked, {tokens}.",
        number(ended.sessions, "session"),
        number(ended.links, "open link")
    )
}
