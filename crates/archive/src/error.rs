//! Why a backup could not be written, found or read.

use std::io;

/// Why a backup could not be written, found or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store does not answer, does not let us in, or has no such object.
    #[error("{place} cannot be used for backups: {source}")]
    Store { place: String, source: object_store::Error },
    /// What is to be backed up cannot be read, or the store does not take it.
    #[error("the backup could not be written: {0}")]
    Write(String),
    /// What was backed up cannot be written here.
    #[error("what is in the backup could not be written: {0}")]
    Unpack(io::Error),
    #[error("{0} is encrypted for other identities")]
    OtherIdentity(String),
    /// It may be good: what it came from broke off.
    #[error("{name} could not be read: {problem}")]
    Unread { name: String, problem: String },
    #[error("{name} is damaged: {problem}")]
    Damaged { name: String, problem: String },
    #[error("there is no backup {name} in {place}")]
    Missing { name: String, place: String },
    /// They are more than any backups have.
    #[error("{0} holds too many files: use a folder or bucket of its own for backups")]
    TooManyFiles(String),
    /// A task was cut off, as when the process ends.
    #[error("it was cut off: {0}")]
    CutOff(#[from] tokio::task::JoinError),
}
