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
    /// Its size in bytes.
    #[error(
        "a database of {} MiB is too large for --backup-continuously, which takes up to 1024 MiB; \
         without it there are backups as before, or move to PostgreSQL",
        .0 >> 20
    )]
    TooLarge(u64),
    #[error(
        "{0} holds backups of another database and none of this one: name another folder or prefix, or \
         bring that database back (concord restore {0} --force)"
    )]
    Foreign(String),
    #[error("{0} is not installed here: install PostgreSQL's client programs")]
    NoProgram(&'static str),
    /// What a program of PostgreSQL said when it gave up.
    #[error("{program}: {said}")]
    Program { program: &'static str, said: String },
    #[error(
        "restore drills and concord restore --force take an account that may create databases \
         (ALTER ROLE … CREATEDB)"
    )]
    MayNotCreate,
    #[error("{name} is in use ({others} connections): stop the server first")]
    InUse { name: String, others: i64 },
    /// It says nothing of the address, in which a password may be.
    #[error("the database's address is none that PostgreSQL's programs understand")]
    Address,
}

/// The program that reads a dump.
pub(super) const PG_RESTORE: &str = "pg_restore";

/// What it says where its server is at fault, and not what it reads.
const OF_SERVER: [&str; 3] =
    ["connection to server", "server closed the connection", "No space left on device"];

impl Failure {
    /// Whether something is wrong with the backup itself.
    pub fn is_of_backup(&self) -> bool {
        use archive::Error::{Damaged, Missing, OtherIdentity};
        match self {
            Self::Archive(Damaged { .. } | OtherIdentity(_) | Missing { .. })
            | Self::Unsound(_) => true,
            Self::Program { program, said } => {
                *program == PG_RESTORE && !OF_SERVER.iter().any(|words| said.contains(words))
            }
            _ => false,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_reads_a_dump_counts_against_it_and_not_where_its_server_is_at_fault() {
        let program = |program, said: &str| Failure::Program { program, said: said.to_owned() };
        assert!(
            program(PG_RESTORE, "input file does not appear to be a valid archive").is_of_backup()
        );
        for (name, said) in [
            (PG_RESTORE, "connection to server on socket failed: No such file"),
            (PG_RESTORE, "could not extend file: No space left on device"),
            ("createdb", "database creation failed"),
            ("dropdb", "database removal failed"),
        ] {
            assert!(!program(name, said).is_of_backup(), "{name}: {said}");
        }
        let unread = archive::Error::Unread { name: "it".to_owned(), problem: "reset".to_owned() };
        assert!(!Failure::from(unread).is_of_backup());
    }
}
