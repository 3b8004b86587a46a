//! Why a command was not carried out, in one line.

use std::{io, net::SocketAddr, path::PathBuf};

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Passwords that are shown on the sign-in page must not be reachable by others.
    #[error(
        "--demo shows its passwords to everybody who can reach it at {0}: bind it to 127.0.0.1 without --public-url, or say --demo-in-public"
    )]
    DemoInPublic(String),
    #[error("the data folder {} cannot be made: {source}", path.display())]
    DataDir { path: PathBuf, source: io::Error },
    #[error("the database file {} cannot be made: {source}", path.display())]
    DatabaseFile { path: PathBuf, source: io::Error },
    #[error("there is no database at {}", .0.display())]
    NoDatabase(PathBuf),
    /// The text is the store's own.
    #[error("the database cannot be opened: {0}")]
    Database(String),
    #[error("the secret key {} cannot be read: {source}", path.display())]
    SecretKeyFile { path: PathBuf, source: io::Error },
    /// Whoever reads it opens what is sealed.
    #[error("the secret key {path} can be read by others: chmod 600 {path}", path = .0.display())]
    SecretKeyOpen(PathBuf),
    #[error(
        "the secret key {} of this database is not there: put it back, or let the server make \
         another with --new-secret-key",
        .0.display()
    )]
    SecretKeyMissing(PathBuf),
    #[error(
        "the secret key {} is that of another database: put the right one in its place, or let the \
         server go on with this one by --new-secret-key",
        .0.display()
    )]
    SecretKeyOther(PathBuf),
    /// It is not replaced: what is sealed with the one that was there would be lost.
    #[error("{} holds no secret key of Concord: put back the one that was there", .0.display())]
    SecretKeyMalformed(PathBuf),
    #[error(
        "the file of the secret key, {}, has to say that the audit trail is signed, and cannot be \
         written ({source}): add the line \"{line}\" to it",
        path.display()
    )]
    SecretKeyUnsaid { path: PathBuf, line: &'static str, source: io::Error },
    #[error("the ends of the audit trail {} cannot be read: {source}", path.display())]
    HeadsFile { path: PathBuf, source: io::Error },
    #[error("the ends of the audit trail {}, {misread}", path.display())]
    HeadsMisread { path: PathBuf, misread: services::outside::audit::Misread },
    #[error("{} cannot be opened: {source}", path.display())]
    StudyFile { path: PathBuf, source: io::Error },
    #[error("{} cannot be written: {source}", path.display())]
    WriteFile { path: PathBuf, source: io::Error },
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("--log is not understood: {0}")]
    Log(String),
    #[error("the server failed: {0}")]
    Serve(#[source] io::Error),
    #[error("standard input or output failed: {0}")]
    Terminal(#[from] io::Error),
    #[error("CONCORD_TOKEN is not set: make a token under your account, and give it there")]
    NoToken,
    /// What the server said, or why it said nothing.
    #[error("the server cannot be asked: {0}")]
    Server(String),
    /// The server's own words, in which it has no more to say to a program.
    #[error("{0}")]
    RefusedBy(String),
    #[error("no account has this e-mail address")]
    NoSuchUser,
    #[error("there is no project with the name or number \"{0}\"")]
    NoSuchProject(String),
    #[error("{option} is not understood: {value}; it takes FROM=TO")]
    Mapping { option: &'static str, value: String },
    /// What the services said; what broke is in the log under the incident's number.
    #[error("{0}")]
    Refused(domain::Error),
}

impl From<services::Error> for Error {
    fn from(error: services::Error) -> Self {
        Self::Refused(error.into())
    }
}
