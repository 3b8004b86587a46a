//! People, who is asking, and invitations.

mod administration;
mod identity;
mod key_bindings;
mod network;
mod passkey;
mod token;

pub use administration::*;
pub use identity::*;
pub use key_bindings::*;
pub use network::*;
pub use passkey::*;
pub use token::*;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    Code, DirectoryId, Error, InvitationId, ProjectId, Role, UserId, check_name, is_unfit_for_names,
};

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    /// Whether this person may create projects: whoever manages one may.
    pub may_create_projects: bool,
    /// Whether this person looks after the server's accounts and projects.
    pub is_administrator: bool,
    /// Whether the provider through which this session was started vouches for a second factor.
    pub has_factor_elsewhere: bool,
}

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Actor {
    /// Nobody is signed in.
    Anonymous,
    /// A signed-in person.
    Person(User),
    /// A program with a token of this person, who may do no more than it is for.
    Token(User, Grant),
    /// What tells the server by SCIM who is there, in nobody's name.
    Directory(Directory),
}

impl Actor {
    /// The person who is signed in, or whose token it is; else the error that asks to sign in.
    pub fn person(&self) -> Result<&User, Error> {
        match self {
            Self::Anonymous | Self::Directory(_) => Err(Error::SignInRequired),
            Self::Person(user) | Self::Token(user, _) => Ok(user),
        }
    }
}

/// What tells the server by SCIM who is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directory {
    pub id: DirectoryId,
    /// The name of the provider whose people it knows.
    pub provider: String,
}

/// What an invitation offers, shown to whoever holds its link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationView {
    /// The project and role it leads to; none for the first manager of a new installation.
    pub project: Option<(String, Role)>,
    /// The address it was made for, if it was made for one.
    pub email: Option<String>,
    pub expires_at: DateTime<Utc>,
}

/// An invitation as its project's managers see it. The link itself is shown once, when made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpenInvitation {
    pub id: InvitationId,
    pub role: Role,
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// What a new person says of themselves when they accept an invitation.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAccount {
    pub email: String,
    pub name: String,
    pub password: String,
}

impl std::fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewAccount").field("email", &self.email).finish_non_exhaustive()
    }
}

/// The shortest password that is taken.
pub const PASSWORD_MIN: usize = 10;

impl NewAccount {
    /// Checks and tidies what was typed.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.email = checked_email(&self.email)?;
        self.name = check_name("name", "a name", &self.name, 1..=100)?;
        check_password(&self.password, &self.email)?;
        Ok(self)
    }
}

/// Checks and tidies an e-mail address: addresses are compared in lower case.
pub fn checked_email(email: &str) -> Result<String, Error> {
    let email = email.trim().to_lowercase();
    let (user, host) = email.split_once('@').unwrap_or_default();
    let strange = |c: char| c.is_whitespace() || is_unfit_for_names(c);
    if user.is_empty() || host.is_empty() || email.len() > 254 || email.chars().any(strange) {
        return Err(Code::Malformed.of("email", "enter an e-mail address such as name@example.org"));
    }
    Ok(email)
}

/// Refuses a password that is short, over-long, or the address itself.
pub fn check_password(password: &str, email: &str) -> Result<(), Error> {
    let length = password.chars().count();
    if length < PASSWORD_MIN {
        return Err(
            Code::TooShort.of("password", format!("use at least {PASSWORD_MIN} characters"))
        );
    }
    if password.len() > 1024 {
        return Err(Code::TooLong.of("password", "use at most 1,024 bytes"));
    }
    if password.eq_ignore_ascii_case(email) {
        return Err(
            Code::WeakPassword.of("password", "the password must not be the e-mail address")
        );
    }
    let mut characters: Vec<char> = password.chars().collect();
    characters.sort_unstable();
    characters.dedup();
    if characters.len() < 4 {
        return Err(
            Code::WeakPassword.of("password", "a password has at least 4 different characters")
        );
    }
    Ok(())
}

/// A sign-in of the demo, shown on the sign-in page of a server that was started with `--demo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DemoSignIn {
    pub email: String,
    pub password: String,
    pub name: String,
    /// What one sees as this person: "manager of both projects".
    pub description: String,
}

/// A session of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnSession {
    /// Whether it is the one that asks.
    pub is_this: bool,
    /// The kind of browser, as "Firefox on Linux"; empty if nobody knows.
    pub device: String,
    /// The network address that it was started from; empty if nobody knows.
    pub address: String,
    /// By this, a person's sessions are told from each other.
    pub started_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    /// When it ends if it is not used.
    pub expires_at: DateTime<Utc>,
}

/// One's own account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnAccount {
    pub email: String,
    pub name: String,
    /// The demo's people are everybody's: nobody changes what they sign in with.
    pub is_of_the_demo: bool,
    /// Whether a password opens the account, beside what else does.
    pub has_password: bool,
    pub second_factors: SecondFactors,
    pub sign_ins: OwnSignIns,
    /// The one that was used last first.
    pub sessions: Vec<OwnSession>,
}

/// What somebody signs in with beside their password.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactors {
    /// Since when an app makes codes for the account, if one does.
    pub app_since: Option<DateTime<Utc>>,
    /// The oldest first.
    pub passkeys: Vec<OwnPasskey>,
    /// How many recovery codes have not been used, and how many there were.
    pub recovery_codes: (u64, u64),
    /// Whether the server lets nobody in without one.
    pub required: bool,
}

/// What is missing of signing in, for whoever has proven their password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignInStep {
    pub email: String,
    /// They have no second factor, and get in by setting one up.
    pub sets_up: bool,
    /// Whether an app makes codes for the account.
    pub has_app: bool,
    pub has_passkey: bool,
}

/// An app that is being set up.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewApp {
    /// The secret as it is typed: base32.
    pub secret: String,
    /// The secret as apps read it: an `otpauth` address.
    pub url: String,
}

/// Whose password the link to a new one changes, shown to whoever holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordResetView {
    pub name: String,
    pub email: String,
    pub expires_at: DateTime<Utc>,
}

/// Where a project's page leads for somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProjectCard {
    pub id: ProjectId,
    pub name: String,
    pub role: Role,
    pub documents: u64,
    /// Assignments handed in and assignments assigned: the viewer's own for a labeler, everybody's else.
    pub submitted: u64,
    pub assigned: u64,
}
