//! The one error that people read. Internal detail never reaches it: what broke is logged under
//! an incident number, and only the number is shown.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Serialize};
use thiserror::Error as ThisError;

use crate::Code;

/// Why something is refused: in words for people, and by its code for programs. Only the words are
/// written, so one that is read again has none: who answers a request says the code beside them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Reason {
    code: Option<Code>,
    words: String,
}

impl From<String> for Reason {
    fn from(words: String) -> Self {
        Self { code: None, words }
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.words
    }
}

impl Deref for Reason {
    type Target = str;

    fn deref(&self) -> &str {
        &self.words
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportProblem {
    pub file: String,
    /// From 1.
    pub line: Option<u64>,
    pub field: Option<String>,
    pub message: String,
}

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
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    Denied(Reason),
    /// It cannot be done as things stand: it has been done already, or something else came first.
    #[error("{0}")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    Conflict(Reason),
    /// The project is open to accounts with a second factor only.
    #[error("this project requires a second factor on your account")]
    SecondFactorRequired,
    /// Something that was sent is wrong; `field` says what.
    #[error("{problem}")]
    Invalid {
        field: String,
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        problem: Reason,
    },
    /// The files to import are wrong; nothing was imported.
    #[error("nothing imported: {} in the files", count(.0.len(), "error"))]
    InvalidImport(Vec<ImportProblem>),
    /// Too many tries; the same words whether the account exists or not.
    #[error("too many attempts; try again in {seconds} seconds")]
    TooManyAttempts { seconds: u64 },
    /// Address or password is wrong; the same words whether the account exists or not.
    #[error("wrong e-mail address or password")]
    WrongCredentials,
    /// Too many people ask at this moment.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// The storage has no room left for what was to be saved.
    #[error("the server has no storage space left; try again when there is space")]
    StorageFull,
    /// The database cannot be reached or written at this moment.
    #[error("the database is not available; nothing was changed, try again in a moment")]
    DatabaseUnavailable,
    /// A commit has failed so that its changes may be stored or not. Sent again under its key, or on the
    /// revision that it was based on, a change is made once.
    #[error(
        "the database failed while saving; check whether the change is there, or send it again"
    )]
    OutcomeUnknown,
    /// It broke; the incident number leads to the log.
    #[error("something went wrong on the server (incident {incident}); nothing was changed")]
    Internal { incident: String },
}

impl Error {
    /// Whether the same may well succeed when it is tried again later.
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::TooManyAttempts { .. }
                | Self::Busy
                | Self::StorageFull
                | Self::DatabaseUnavailable
                | Self::OutcomeUnknown
                | Self::Internal { .. }
        )
    }

    /// Which refusal it is, for programs.
    pub const fn code(&self) -> Code {
        match self {
            Self::SignInRequired => Code::SignInRequired,
            Self::NotFound => Code::NotFound,
            Self::Denied(Reason { code: Some(code), .. })
            | Self::Conflict(Reason { code: Some(code), .. })
            | Self::Invalid { problem: Reason { code: Some(code), .. }, .. } => *code,
            Self::Denied(_) => Code::Denied,
            Self::Conflict(_) => Code::Conflict,
            Self::Invalid { .. } => Code::Invalid,
            Self::SecondFactorRequired => Code::SecondFactorRequired,
            Self::InvalidImport(_) => Code::InvalidFiles,
            Self::TooManyAttempts { .. } => Code::TooManyAttempts,
            Self::WrongCredentials => Code::WrongCredentials,
            Self::Busy => Code::Busy,
            Self::StorageFull => Code::StorageFull,
            Self::DatabaseUnavailable => Code::DatabaseUnavailable,
            Self::OutcomeUnknown => Code::OutcomeUnknown,
            Self::Internal { .. } => Code::Internal,
        }
    }

    /// The HTTP status that says the same.
    pub const fn status(&self) -> u16 {
        self.code().status()
    }
}

impl Code {
    /// What was sent as `field` is refused.
    pub fn of(self, field: impl Into<String>, problem: impl Into<String>) -> Error {
        let problem = Reason { code: Some(self), words: problem.into() };
        Error::Invalid { field: field.into(), problem }
    }

    /// It is refused for who somebody is, or for how things stand; what was sent has a field, but where
    /// it is wrong as a whole.
    pub fn because(self, why: impl Into<String>) -> Error {
        let reason = Reason { code: Some(self), words: why.into() };
        // The kind follows from the status, which the code alone decides: they never part.
        match self.status() {
            403 => Error::Denied(reason),
            422 => Error::Invalid { field: String::new(), problem: reason },
            _ => Error::Conflict(reason),
        }
    }
}

/// "1 error", "3 errors".
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_the_status_of_its_code_also_once_it_was_written_and_read() {
        for &code in Code::ALL.iter().filter(|code| matches!(code.status(), 403 | 409 | 422)) {
            let refusal = code.because("why");
            assert_eq!((refusal.code(), refusal.status()), (code, code.status()));
            assert_eq!(code.of("field", "why").status(), code.status());
            let written = serde_json::to_string(&refusal).unwrap();
            let read: Error = serde_json::from_str(&written).unwrap();
            assert_eq!(read.status(), code.status(), "{code:?}");
        }
    }
}
