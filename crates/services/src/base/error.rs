//! Why an action failed: refused in words for its user, or broken in words for the log.

use std::{io, iter};

use domain::{Code, Error as Refusal};
use rand::Rng;

/// The result of an action.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an action was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user is told why.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Somebody else changed the same at the same time and was preferred; the same once more may succeed.
    #[error("another change was in the way")]
    Overtaken,
    /// Something broke; the user is told an incident number, the log has the rest.
    #[error("{0}")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Whether another try may succeed though nobody has changed anything.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Broken(_) | Self::Overtaken | Self::Refused(Refusal::Busy))
            || self.is_of_storage()
    }

    /// Whether the storage or the way to it has failed: whatever else is to be saved would fail like this.
    pub const fn is_of_storage(&self) -> bool {
        matches!(
            self,
            Self::Refused(
                Refusal::StorageFull | Refusal::DatabaseUnavailable | Refusal::OutcomeUnknown
            )
        )
    }

    /// What the log is to have of something that broke.
    pub fn broken(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let error = error.into();
        if is_storage_full(&*error) {
            return refuse_for_storage(&*error, Refusal::StorageFull);
        }
        Self::Broken(error)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Busy => Self::Refused(Refusal::Busy),
            store::Error::Overtaken => Self::Overtaken,
            store::Error::Archived => {
                let why = "this project is archived and read-only";
                Self::Refused(Code::Archived.because(why))
            }
            store::Error::Missing => Self::Refused(Refusal::NotFound),
            store::Error::Full(_) => refuse_for_storage(&error, Refusal::StorageFull),
            store::Error::Unavailable(_) => {
                refuse_for_storage(&error, Refusal::DatabaseUnavailable)
            }
            store::Error::Unknown(_) => refuse_for_storage(&error, Refusal::OutcomeUnknown),
            error => Self::broken(error),
        }
    }
}

/// Whether a file could not be written because its volume has no space left.
fn is_storage_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = iter::successors(Some(error), |error| error.source());
    let is_full = |error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    };
    causes.any(|error| error.downcast_ref().is_some_and(is_full))
}

/// Logs a failure of the storage, which its user is only told the kind of.
fn refuse_for_storage(error: &dyn std::error::Error, refusal: Refusal) -> Error {
    tracing::error!(error = error_chain(error), "the storage has failed");
    Error::Refused(refusal)
}

/// Work on another thread that has panicked.
impl From<tokio::task::JoinError> for Error {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::broken(error)
    }
}

/// The boundary: what broke is logged here, once, and only its incident number goes on.
impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal,
            Error::Overtaken => Self::Busy,
            Error::Broken(source) => {
                let incident = format!("{:08x}", rand::rng().random::<u32>());
                tracing::error!(incident, error = %source, "an action broke");
                Self::Internal { incident }
            }
        }
    }
}

/// An error with its causes, each after a colon, but for those that the one before ends with.
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut chain = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !chain.ends_with(&message) {
            chain.push_str(": ");
            chain.push_str(&message);
        }
        cause = error.source();
    }
    chain
}
