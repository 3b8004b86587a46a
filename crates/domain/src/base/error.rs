//! The one error that people read. Internal detail never reaches it: what broke is logged under
//! an incident number, and only the number is shown.

use serde::{Deserialize, Serialize};
use thiserror::Error as ThisError;

use crate::ImportProblem;

/// Why an action was not carried out, in words for the person who tried it.
#[derive(Clone, Debug, PartialEq, Eq, ThisError, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Error {
    /// Nobody is signed in, or the session has ended.
    #[error("please sign in")]
    SignInRequired,
    /// There is no such thing, or it is not for this person to know of.
    #[error("not found")]
    NotFound,
    /// The person may know of the thing but not do this.
    #[error("{0}")]
    Denied(String),
    /// The project is open to accounts with a second factor only.
    #[error("this project opens once your account has a second factor")]
    SecondFactorRequired,
    /// Something that was sent is wrong; `field` says what.
    #[error("{problem}")]
    Invalid { field: String, problem: String },
    /// The files to import are wrong; nothing was imported.
    #[error("nothing was imported: {} in the files", count(.0.len(), "error"))]
    InvalidImport(Vec<ImportProblem>),
    /// Too many tries; the same words whether the account exists or not.
    #[error("too many attempts; try again in {seconds} seconds")]
    TooManyAttempts { seconds: u64 },
    /// Address or password is wrong; the same words whether the account exists or not.
    #[error("this e-mail address and password do not match")]
    WrongCredentials,
    /// Too many people ask at this moment.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// It broke; the incident number leads to the log.
    #[error("something broke on the server (incident {incident}); nothing was changed")]
    Internal { incident: String },
}

impl Error {
    /// An [`Error::Invalid`].
    pub fn invalid(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), problem: problem.into() }
    }

    /// An [`Error::Denied`].
    pub fn denied(why: impl Into<String>) -> Self {
        Self::Denied(why.into())
    }

    /// Whether the same may well succeed when it is tried again later.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::TooManyAttempts { .. } | Self::Busy | Self::Internal { .. })
    }

    /// The HTTP status that says the same.
    pub const fn status(&self) -> u16 {
        match self {
            Self::SignInRequired | Self::WrongCredentials => 401,
            Self::NotFound => 404,
            Self::Denied(_) | Self::SecondFactorRequired => 403,
            Self::Invalid { .. } | Self::InvalidImport(_) => 422,
            Self::TooManyAttempts { .. } => 429,
            Self::Internal { .. } => 500,
            Self::Busy => 503,
        }
    }
}

/// "1 error", "3 errors".
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
