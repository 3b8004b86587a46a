//! Identifiers and revisions, each a type of its own so that they cannot be mixed up.

use std::{fmt, num::ParseIntError, str::FromStr};

use serde::{Deserialize, Serialize};

/// Declares an `i64` newtype that travels as a bare number.
macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+};
}

id! {
    /// A person with an account.
    UserId,
    /// A project.
    ProjectId,
    /// A person's membership in a project; as a row of the matrix it is called a rater.
    MemberId,
    /// A model of a project, in one version.
    ModelId,
    /// A document of a project.
    DocumentId,
    /// A stretch of work under one version of the guidelines.
    RoundId,
    /// A label of a project's label set.
    LabelId,
    /// An attribute of a label, or of the document.
    AttributeId,
    /// One labeler's work on a document.
    AssignmentId,
    /// A labeler's second pass over a document that they have submitted.
    RepeatId,
    /// Repeats that were given at once.
    RepeatBatchId,
    /// One reviewer's pass over a document.
    ReviewId,
    /// What a reviewer decided at once.
    ActId,
    /// Work that was given out at once.
    WorkloadBatchId,
    /// Files that were imported at once.
    ImportId,
    /// An invitation that has not been accepted yet.
    InvitationId,
    /// A token with which a program acts for a person.
    ApiTokenId,
    /// A passkey that somebody signs in with.
    PasskeyId,
    /// Whom a provider knows somebody as.
    IdentityId,
    /// What tells the server by SCIM who is there.
    DirectoryId,
    /// People whom a directory has put together.
    DirectoryGroupId,
    /// A limit that a manager has set on agreement.
    AlertRuleId,
    /// An alert that a limit has raised.
    AlertId,
    /// Reviews that a second reviewer was asked for at once.
    SecondReviewId,
    /// What was written about a place in a document.
    CommentThreadId,
    /// An address that a project's news is sent to.
    WebhookId,
    /// Something to be sent to a webhook.
    DeliveryId,
    /// A mail that was or is to be sent.
    MailId,
    /// How often something has changed: 0 before the first change, then one more each time.
    Revision,
}

impl Revision {
    /// The revision after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}
impl LabelId {
    /// What stands for the document where something is asked of it; no label of a label set is this one.
    pub const DOCUMENT: Self = Self(0);
}
