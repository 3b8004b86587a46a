//! Why the store could not do something, in the distinctions that callers act on.

use sea_orm::{
    ConnAcquireErr, DbErr, RuntimeErr, SqlErr, SqlxError, SqlxSqliteError,
    sqlx::error::DatabaseError as DatabaseFailure,
};

/// Why the store could not do something. That a row is not there is no error: verbs return `None`
/// or `false`. After an error inside a transaction the transaction is good for dropping only:
/// PostgreSQL refuses every further statement in it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is a row with this value already.
    #[error("there is one with this {0} already")]
    Duplicate(&'static str),
    /// Other rows need the one that was to be deleted.
    #[error("it is in use")]
    InUse,
    /// No connection was free in time; another try may find one.
    #[error("every connection to the database is in use")]
    Busy,
    /// The database has ended the transaction for the sake of another one; the same once more may succeed.
    #[error("another transaction was in the way")]
    Overtaken,
    /// The storage has no room left for what was to be written.
    #[error("the storage is full: {0}")]
    Full(#[source] DatabaseError),
    /// The database cannot be reached, is locked, or its storage fails; another try may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] DatabaseError),
    /// A commit has failed in a way that leaves open whether its rows are stored.
    #[error("the outcome of a commit is unknown: {0}")]
    Unknown(#[source] DatabaseError),
    /// The project is archived: nobody changes it.
    #[error("it is archived")]
    Archived,
    /// There is no such row any more, where there was one.
    #[error("it is gone")]
    Missing,
    /// The database is not one that work may be trusted to.
    #[error("this database cannot be used: {0}")]
    Refused(String),
    /// The database failed, or holds what it should not.
    #[error(transparent)]
    Database(DatabaseError),
}

/// What the database said, for the log.
#[derive(Debug, thiserror::Error)]
#[error("database: {0}")]
pub struct DatabaseError(#[source] DbErr);

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        match error {
            DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) => Self::Busy,
            error => match Failure::of(&error) {
                Failure::Deadlock => Self::Overtaken,
                Failure::Full => Self::Full(DatabaseError(error)),
                Failure::Unavailable => Self::Unavailable(DatabaseError(error)),
                Failure::Other => Self::Database(DatabaseError(error)),
            },
        }
    }
}

/// The kinds of failures that callers act on, of both engines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    Deadlock,
    Full,
    Unavailable,
    Other,
}

impl Failure {
    fn of(error: &DbErr) -> Self {
        let error = match error {
            DbErr::ConnectionAcquire(_) => return Self::Unavailable,
            DbErr::Conn(RuntimeErr::SqlxError(error))
            | DbErr::Exec(RuntimeErr::SqlxError(error))
            | DbErr::Query(RuntimeErr::SqlxError(error)) => error.as_ref(),
            _ => return Self::Other,
        };
        match error {
            SqlxError::Database(error) => {
                let code = error.code().unwrap_or_default();
                match error.try_downcast_ref::<SqlxSqliteError>() {
                    Some(_) => Self::of_sqlite(code.parse().unwrap_or_default()),
                    None => Self::of_postgres(&code),
                }
            }
            SqlxError::Io(_)
            | SqlxError::Tls(_)
            | SqlxError::Protocol(_)
            | SqlxError::BeginFailed
            | SqlxError::PoolClosed
            | SqlxError::WorkerCrashed => Self::Unavailable,
            _ => Self::Other,
        }
    }

    /// The kind of an extended result code (<https://www.sqlite.org/rescode.html>): its lowest byte is the
    /// primary code.
    const fn of_sqlite(code: u32) -> Self {
        /// The memory that connections share cannot grow: it is a file beside the database.
        const IOERR_SHMSIZE: u32 = 4874;
        match code & 0xff {
            13 => Self::Full,
            _ if code == IOERR_SHMSIZE => Self::Full,
            // PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CANTOPEN, PROTOCOL
            3 | 5 | 6 | 7 | 8 | 9 | 10 | 14 | 15 => Self::Unavailable,
            _ => Self::Other,
        }
    }

    /// The kind of an `SQLSTATE` (PostgreSQL, appendix A); its first two characters are its class.
    fn of_postgres(code: &str) -> Self {
        match code {
            "40P01" => Self::Deadlock,
            "53100" => Self::Full,
            _ => match code.get(..2) {
                // Connection exception, insufficient resources, operator intervention, system error.
                Some("08" | "53" | "57" | "58") => Self::Unavailable,
                _ => Self::Other,
            },
        }
    }
}

/// Whether the storage or the way to it has failed, and not the statement.
pub(crate) fn is_of_storage(error: &DbErr) -> bool {
    matches!(Failure::of(error), Failure::Full | Failure::Unavailable)
}

/// Whether a statement failed with this code of the engine's.
pub(crate) fn has_code(error: &DbErr, code: &str) -> bool {
    let (DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error))) =
        error
    else {
        return false;
    };
    error.as_database_error().and_then(DatabaseFailure::code).as_deref() == Some(code)
}

impl Error {
    /// The error of a value in the database that the domain has no word for.
    pub(crate) fn unreadable(what: impl std::fmt::Display) -> Self {
        DbErr::Type(what.to_string()).into()
    }

    /// The error of a commit. Except for a deadlock, and for a storage without room, the rows may be stored: the
    /// answer may have been lost, or the engine may find the commit in its log after a crash.
    pub(crate) fn of_commit(error: DbErr) -> Self {
        match Self::from(error) {
            Self::Unavailable(source) | Self::Database(source) => Self::Unknown(source),
            error => error,
        }
    }

    /// Whether the storage or the way to it has failed, and not what was to be done.
    pub(crate) const fn is_of_storage(&self) -> bool {
        matches!(self, Self::Full(_) | Self::Unavailable(_) | Self::Unknown(_))
    }

    /// The error of an insert or update of rows in which `columns` must be unique. Both engines
    /// name the columns: SQLite directly, PostgreSQL in the name of the constraint.
    #[must_use]
    pub(crate) fn unless_unique(self, columns: &[&'static str]) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(message)) = self.sql() {
            let named = columns.iter().find(|column| message.contains(**column));
            if let Some(column) = named {
                return Self::Duplicate(column);
            }
        }
        self
    }

    /// The error of a delete of a row that others may need.
    #[must_use]
    pub(crate) fn unless_unused(self) -> Self {
        match self.sql() {
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Self::InUse,
            _ => self,
        }
    }

    fn sql(&self) -> Option<SqlErr> {
        match self {
            Self::Database(DatabaseError(error)) => error.sql_err(),
            _ => None,
        }
    }
}
