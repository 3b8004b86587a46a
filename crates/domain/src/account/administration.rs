//! What administrators see and change: the server's accounts, and its projects from outside.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{Code, Error, ProjectId, UserId};

/// Which accounts or projects are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchQuery {
    /// Part of a name, or of an account's address, in any case; empty for all.
    pub search: String,
    /// From 0.
    pub page: u64,
}

/// An account as administrators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub created_at: DateTime<Utc>,
    /// The day on which one of its sessions was last used, if it has any.
    pub last_seen_on: Option<NaiveDate>,
    /// How many projects it is a member of.
    pub projects: u64,
    pub may_create_projects: bool,
    pub is_administrator: bool,
    /// Since when nobody may sign in with it.
    pub disabled_at: Option<DateTime<Utc>>,
    pub has_second_factor: bool,
}

/// An account with what stands in the way of removing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountView {
    pub account: Account,
    /// Whether it is that of whoever asks.
    pub is_own: bool,
    /// Whether it is or was in a project: then it is made anonymous in place of being deleted.
    pub has_worked: bool,
    /// The projects that nobody else manages, by name; archived ones left out.
    pub manages_alone: Vec<String>,
}

/// What an administrator changes about an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccountChange {
    /// Its sessions end, its tokens are refused, and nobody signs in with it.
    Disable,
    Enable,
    AllowProjects,
    RefuseProjects,
    MakeAdministrator,
    MakeOrdinary,
    /// Whoever has lost theirs signs in with the password alone, and can set another up.
    RemoveSecondFactors,
}

impl AccountChange {
    /// The name that forms send.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Enable => "enable",
            Self::AllowProjects => "allow-projects",
            Self::RefuseProjects => "refuse-projects",
            Self::MakeAdministrator => "make-administrator",
            Self::MakeOrdinary => "make-ordinary",
            Self::RemoveSecondFactors => "remove-second-factors",
        }
    }

    /// Refuses what nobody does to their own account: so there is always an administrator left.
    pub fn check_on_own(self) -> Result<(), Error> {
        match self {
            Self::Disable | Self::MakeOrdinary | Self::RemoveSecondFactors => {
                Err(Code::OwnAccount
                    .because("only another administrator can do this to your account"))
            }
            _ => Ok(()),
        }
    }
}

/// What became of an account that was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Removal {
    /// It was in no project: nothing is left of it.
    Deleted,
    /// Its work stays, without name and address.
    MadeAnonymous,
}

impl Removal {
    /// The name that is told.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::MadeAnonymous => "made-anonymous",
        }
    }
}

/// A project as administrators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptProject {
    pub id: ProjectId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    /// Since when nobody changes it.
    pub archived_at: Option<DateTime<Utc>>,
    pub members: u64,
    pub documents: u64,
}
