//! `concord token`: tokens of programs, by whoever runs the server.

use std::collections::BTreeSet;

use clap::{Args, Subcommand};
use domain::{ApiToken, ApiTokenId, NewApiToken, ProjectId, Scope};
use services::account;

use super::{no_such_user, scim::Scim};
use crate::cli::{
    Error,
    base::output::{say, table},
    database::Database,
};

#[derive(Subcommand)]
pub(in crate::cli) enum Token {
    /// Create an API token for an account. It is printed once.
    Create(Create),
    /// List an account's tokens.
    List(List),
    /// Revoke a token.
    Revoke(Revoke),
    /// Tokens by which providers tell this server who is there (SCIM).
    #[command(subcommand)]
    Scim(Scim),
}

#[derive(Args)]
pub(in crate::cli) struct Create {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// What the token is for.
    #[arg(long)]
    name: String,
    /// Scopes: read, annotate, review, manage.
    #[arg(long, value_delimiter = ',', default_value = "read")]
    scopes: Vec<Scope>,
    /// Id of a project it covers. Repeatable. Default: all of the account's projects.
    #[arg(long)]
    project: Vec<ProjectId>,
    /// Days until it expires, at most 365.
    #[arg(long, default_value_t = 30)]
    days: u16,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct List {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Revoke {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// Id of the token, from the list.
    #[arg(long)]
    id: ApiTokenId,
    #[command(flatten)]
    database: Database,
}

impl Token {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        match self {
            Self::Scim(scim) => scim.run().await,
            Self::Create(Create { email, name, scopes, project, days, database }) => {
                let services = database.services().await?;
                let projects: BTreeSet<_> = project.into_iter().collect();
                let projects = (!projects.is_empty()).then_some(projects);
                let new =
                    NewApiToken { name, scopes: scopes.into_iter().collect(), projects, days };
                let made = account::create_token_of(&services, &email, new).await;
                // Nothing else, so that a script can take it as it is.
                Ok(say(&made.map_err(no_such_user)?)?)
            }
            Self::List(List { email, database }) => {
                let services = database.services().await?;
                let tokens =
                    account::list_tokens_of(&services, &email).await.map_err(no_such_user)?;
                Ok(say(&listed(&tokens))?)
            }
            Self::Revoke(Revoke { email, id, database }) => {
                let services = database.services().await?;
                account::revoke_token_of(&services, &email, id).await?;
                Ok(say("Token revoked.")?)
            }
        }
    }
}

/// The tokens as a table, or that there is none.
fn listed(tokens: &[ApiToken]) -> String {
    if tokens.is_empty() {
        return "No tokens.".to_owned();
    }
    let cells: Vec<[String; 6]> = tokens.iter().map(cells).collect();
    let heads = ["id", "name", "scopes", "projects", "expires", "last used"];
    let rows: Vec<[&str; 6]> = [heads]
        .into_iter()
        .chain(cells.iter().map(|row| row.each_ref().map(String::as_str)))
        .collect();
    table(&rows)
}

fn cells(token: &ApiToken) -> [String; 6] {
    let scopes: Vec<_> = token.scopes.iter().map(|scope| scope.name()).collect();
    let projects = token.projects.as_ref().map_or_else(
        || "all".to_owned(),
        |projects| projects.iter().map(ProjectId::to_string).collect::<Vec<_>>().join(","),
    );
    [
        token.id.to_string(),
        token.name.clone(),
        scopes.join(","),
        projects,
        token.expires_at.date_naive().to_string(),
        token.last_used_on.map_or_else(|| "never".to_owned(), |day| day.to_string()),
    ]
}
