//! Why a backup was not made, or not restored.

use std::{io, path::PathBuf};

use crate::Error;

/// Why a backup was not made, or not restored.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Archive(#[from] archive::Error),
    #[error(transparent)]
    Services(#[from] Error),
    #[error("{} cannot be used for copies: {source}", path.display())]
    Scratch { path: PathBuf, source: io::Error },
    #[error("the copy is damaged: {0}")]
    Unsound(String),
    #[error("{0} is not installed here: install PostgreSQL's client programs")]
    NoProgram(&'static str),
    /// What a program of PostgreSQL said when it gave up.
    #[error("{program}: {said}")]
    Program { program: &'static str, said: String },
    #[error(
        "a restore drill takes an account that may create databases (ALTER ROLE … CREATEDB); \
         without --backup-identity there are no drills"
    )]
    MayNotCreate,
    /// It says nothing of the address, in which a password may be.
    #[error("the database's address is none that PostgreSQL's programs understand")]
    Address,
}

impl Failure {
    /// Whether something is wrong with the backup itself.
    pub const fn is_of_backup(&self) -> bool {
        use archive::Error::{Damaged, Missing, OtherIdentity};
        matches!(
            self,
            Self::Archive(Damaged { .. } | OtherIdentity(_) | Missing { .. }) | Self::Unsound(_)
        )
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Self::Services(error.into())
    }
}

impl From<tokio::task::JoinError> for Failure {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Services(error.into())
    }
}
