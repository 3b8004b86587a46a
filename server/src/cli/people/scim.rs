//! `concord token scim`: the tokens of directories, by whoever runs the server.

use clap::{Args, Subcommand};
use domain::Error as Refusal;
use services::account::scim;

use crate::cli::{
    Error,
    base::output::{say, table},
    config::file::providers,
    database::Database,
};

#[derive(Subcommand)]
pub(in crate::cli) enum Scim {
    /// Create a provider's token, replacing the one it has. It is printed once.
    Create(OfProvider),
    /// List providers that have a token.
    List(List),
    /// Revoke a provider's token.
    Revoke(OfProvider),
}

#[derive(Args)]
pub(in crate::cli) struct OfProvider {
    /// Name of the provider in the settings.
    #[arg(long)]
    provider: String,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    database: Database,
}

impl Scim {
    pub(super) async fn run(self) -> Result<(), Error> {
        match self {
            Self::Create(OfProvider { provider, database }) => {
                // A token of a provider that is only nearly named so would open nothing.
                let known = database.config().map(providers).transpose()?.unwrap_or_default();
                if !known.is_empty() && !known.contains(&provider) {
                    return Err(Error::NoSuchProvider(provider));
                }
                let services = database.services().await?;
                // Nothing else, so that a script can take it as it is.
                Ok(say(&scim::create_token(&services, &provider).await?)?)
            }
            Self::List(List { database }) => {
                let services = database.services().await?;
                let tokens = scim::list_tokens(&services).await?;
                if tokens.is_empty() {
                    return Ok(say("No tokens.")?);
                }
                let cells: Vec<[String; 3]> = tokens
                    .into_iter()
                    .map(|token| {
                        let used = token.last_used_on.map(|day| day.to_string());
                        let created = token.created_at.date_naive().to_string();
                        [token.provider, created, used.unwrap_or_else(|| "never".to_owned())]
                    })
                    .collect();
                let heads = ["provider", "created", "last used"];
                let rows: Vec<[&str; 3]> = [heads]
                    .into_iter()
                    .chain(cells.iter().map(|row| row.each_ref().map(String::as_str)))
                    .collect();
                Ok(say(&table(&rows))?)
            }
            Self::Revoke(OfProvider { provider, database }) => {
                let services = database.services().await?;
                let revoked = scim::revoke_token(&services, &provider).await;
                revoked.map_err(|error| match error.into() {
                    Refusal::NotFound => Error::NoScimToken,
                    refusal => Error::Refused(refusal),
                })?;
                Ok(say("Token revoked.")?)
            }
        }
    }
}
