//! A provider as the settings have it.

use std::{path::PathBuf, str::FromStr};

use domain::{ProjectId, Role};
use openidconnect::{ClientSecret, IssuerUrl};
use serde::Deserialize;

/// Who gets an account that has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accounts {
    /// Whoever comes with an invitation.
    #[default]
    Invited,
    /// Whoever the provider lets in and whose address it has verified.
    Any,
}

/// What a group of the provider is in a project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectRole {
    /// As the provider names it.
    pub group: String,
    pub project: i64,
    pub role: Role,
}

impl ProjectRole {
    pub(super) fn project(&self) -> ProjectId {
        ProjectId(self.project)
    }
}

/// A provider as the settings have it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProviderSettings {
    /// Its name in addresses: small letters, digits and hyphens.
    pub name: String,
    /// What it is called on screens; its name if it has none.
    #[serde(default)]
    title: Option<String>,
    /// Where it is, exactly as it calls itself.
    pub issuer: IssuerUrl,
    pub client_id: String,
    /// The file with the client secret; none for a public client.
    #[serde(default)]
    pub client_secret_file: Option<PathBuf>,
    #[serde(skip)]
    pub(super) client_secret: Option<ClientSecret>,
    /// What is asked for beside `openid`.
    #[serde(default = "usual_scopes")]
    pub scopes: Vec<String>,
    /// The claim that has somebody's groups.
    #[serde(default = "usual_groups_claim")]
    pub groups_claim: String,
    /// The claim that has what its directory calls somebody (`externalId` of SCIM).
    #[serde(default = "usual_external_id_claim")]
    pub external_id_claim: String,
    /// The values of `amr`, or of `acr`, by which it vouches for a second factor; none, if it does not.
    #[serde(default)]
    pub second_factor: Vec<String>,
    /// The groups whose people administer the server, and nobody else who comes from there; empty if
    /// the provider has no say in it.
    #[serde(default)]
    pub administrators: Vec<String>,
    #[serde(default)]
    pub projects: Vec<ProjectRole>,
    #[serde(default)]
    pub accounts: Accounts,
    /// Whether an account belongs to whom the provider knows by its address.
    #[serde(default)]
    pub join_by_email: bool,
    /// Whether addresses are taken as verified of which the provider says nothing.
    #[serde(default)]
    pub trust_email: bool,
}

fn usual_scopes() -> Vec<String> {
    ["email", "profile"].map(str::to_owned).into()
}

fn usual_groups_claim() -> String {
    "groups".to_owned()
}

/// The claim that has what a provider itself calls somebody.
pub(super) const SUBJECT: &str = "sub";

fn usual_external_id_claim() -> String {
    SUBJECT.to_owned()
}

impl ProviderSettings {
    /// The same with the client secret that a file holds.
    #[must_use]
    pub fn with_secret(self, secret: &str) -> Self {
        Self { client_secret: Some(ClientSecret::new(secret.trim().to_owned())), ..self }
    }

    /// What it is called on screens.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    fn checked(self) -> Result<Self, String> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || !self.name.chars().all(is_plain) {
            return Err("a provider's name has small letters, digits and hyphens".to_owned());
        }
        // Whoever reads along on the way could say who somebody is.
        let url = self.issuer.url();
        let is_here = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if url.scheme() != "https" && !is_here {
            return Err("an issuer is at https".to_owned());
        }
        Ok(self)
    }
}

impl FromStr for ProviderSettings {
    type Err = String;

    /// Reads JSON, which a table in the file of settings becomes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str::<Self>(text).map_err(|error| error.to_string())?.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str =
        r#"{"name":"example","issuer":"https://id.example.org","client-id":"concord"}"#;

    #[test]
    fn little_has_to_be_said_and_what_is_not_lets_nobody_in() {
        let settings: ProviderSettings = LEAST.parse().unwrap();
        assert_eq!(settings.title(), "example");
        assert_eq!(settings.scopes, ["email", "profile"]);
        assert_eq!(settings.accounts, Accounts::Invited);
        assert!(!settings.join_by_email && !settings.trust_email);
        assert!(settings.administrators.is_empty() && settings.projects.is_empty());
        assert_eq!(settings.external_id_claim, "sub");
        assert!(settings.second_factor.is_empty());
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for (wrong, words) in [
            (LEAST.replace("example\"", "Ex ample\""), "name"),
            (LEAST.replace("https://id", "http://id"), "https"),
            (LEAST.replace("https://id.example.org", "nowhere"), "relative URL"),
            (LEAST.replace("client-id", "client"), "unknown field"),
            (LEAST.replace('}', r#","accounts":"some"}"#), "unknown variant"),
        ] {
            let refused = wrong.parse::<ProviderSettings>().unwrap_err();
            assert!(refused.contains(words), "{refused}");
        }
        let here = LEAST.replace("https://id.example.org", "http://127.0.0.1:4000");
        assert!(here.parse::<ProviderSettings>().is_ok());
    }

    #[test]
    fn a_secret_is_shown_nowhere() {
        let settings = LEAST.parse::<ProviderSettings>().unwrap().with_secret("hunter22\n");
        assert_eq!(settings.client_secret.as_ref().unwrap().secret(), "hunter22");
        assert!(!format!("{settings:?}").contains("hunter22"));
    }
}
