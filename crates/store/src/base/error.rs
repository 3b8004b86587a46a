//! Why the store could not do something, in the distinctions that callers act on.

use sea_orm::{
    ConnAcquireErr, DbErr, RuntimeErr, SqlErr, sqlx::error::DatabaseError as DatabaseFailure,
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
            error if is_deadlock(&error) => Self::Overtaken,
            error => Self::Database(DatabaseError(error)),
        }
    }
}

/// Whether PostgreSQL has ended one of the transactions that waited for each other.
fn is_deadlock(error: &DbErr) -> bool {
    const DEADLOCK_DETECTED: &str = "40P01";
    has_code(error, DEADLOCK_DETECTED)
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
