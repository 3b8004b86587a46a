//! Identities: whom a provider knows somebody as, and how one signs in at this server.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::IdentityId;

/// An identity of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnIdentity {
    pub id: IdentityId,
    /// What the provider is called.
    pub provider: String,
    /// What its owner knows it by, such as the address there.
    pub label: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A provider that one can sign in through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderView {
    /// Its name in addresses.
    pub name: String,
    /// What it is called on screens.
    pub title: String,
}

/// How one signs in at this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignInWays {
    /// In the order of the settings.
    pub providers: Vec<ProviderView>,
    /// Whether passwords and passkeys open accounts, too.
    pub passwords: bool,
}

/// What opens one's own account through providers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnSignIns {
    /// The oldest first.
    pub identities: Vec<OwnIdentity>,
    /// How one signs in here.
    pub ways: SignInWays,
    /// Whether one has lately proven who one is, so that one may change what opens the account.
    pub is_fresh: bool,
}
