//! Mail: what people are written of, what became of it, and what they want to be written of.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, MailId};

switch! {
    /// What a mail is about.
    MailKind {
        /// Somebody is invited to a project.
        Invitation = "invitation",
        /// A link to a new password.
        PasswordReset = "password-reset",
        /// A labeler was given documents.
        NewWork = "new-work",
        /// What a project came to within a week, for its managers.
        WeeklySummary = "weekly-summary",
        /// Agreement lies under a limit, for managers.
        Alert = "alert",
    }
}

impl MailKind {
    /// The kinds that somebody can do without; what they have asked for themselves is none of them.
    pub fn choices() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_choice())
    }

    /// Whether somebody can do without.
    pub const fn is_choice(self) -> bool {
        matches!(self, Self::NewWork | Self::WeeklySummary | Self::Alert)
    }

    /// What it is called on screens and in mails, in the plural.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Invitation => "Invitations",
            Self::PasswordReset => "Password resets",
            Self::NewWork => "New documents",
            Self::WeeklySummary => "Weekly summaries",
            Self::Alert => "Agreement alerts",
        }
    }
}

switch! {
    /// How a mail has ended.
    MailOutcome {
        /// The mail server has taken it.
        Sent = "sent",
        /// The mail server has refused it for good.
        Refused = "refused",
        /// It was tried until it made no sense any more.
        GivenUp = "given-up",
        /// Its recipient does not want this kind of mail.
        Unsubscribed = "unsubscribed",
        /// When it was to be sent there was nothing to say any more, or nobody who may read it.
        Outdated = "outdated",
    }
}

/// A mail as administrators see it: to whom, when and with what outcome, and nothing of what it said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRow {
    pub id: MailId,
    pub kind: MailKind,
    /// Whose account it goes to, if it goes to one.
    pub name: Option<String>,
    /// Where it was sent to, or the one that was invited; before it is sent, the account's of today.
    pub address: Option<String>,
    /// The name of the project that it is about, if it is about one.
    pub project: Option<String>,
    pub created_at: DateTime<Utc>,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried next; none when it has ended.
    pub next_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// None while it waits.
    pub outcome: Option<MailOutcome>,
    /// What the mail server said at the last try that failed.
    pub problem: Option<String>,
}

/// A page of the mails of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailLog {
    /// Whether this server sends mail at all.
    pub is_on: bool,
    /// The latest first.
    pub rows: Vec<MailRow>,
    /// Whether there are earlier ones.
    pub goes_on: bool,
}

/// What somebody wants to be written of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailChoices {
    /// Whether this server sends mail at all.
    pub is_on: bool,
    /// Where mail goes to.
    pub address: String,
    /// Each kind that somebody can do without, and whether they want it.
    pub kinds: Vec<(MailKind, bool)>,
}

/// What the link at the end of a mail is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    pub kind: MailKind,
    /// Whether it is still sent.
    pub is_wanted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_has_asked_for_themselves_cannot_be_unsubscribed() {
        let choices: Vec<_> = MailKind::choices().collect();
        assert_eq!(choices, [MailKind::NewWork, MailKind::WeeklySummary, MailKind::Alert]);
        assert!(!MailKind::PasswordReset.is_choice() && !MailKind::Invitation.is_choice());
    }
}
