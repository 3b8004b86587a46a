//! Why a command was not carried out, in one line.

use std::{io, net::SocketAddr, path::PathBuf, process::ExitCode};

use super::exit::{FAILED, FILE_REFUSED, WRONG_USAGE, failed};

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Passwords that are shown on the sign-in page must not be reachable by others.
    #[error(
        "--demo shows its passwords to everyone who can reach {0}: bind to 127.0.0.1 without --public-url, or add --demo-in-public"
    )]
    DemoInPublic(String),
    /// What is wrong with its address, which may have a password in it.
    #[error("--smtp-url: {0}")]
    MailServer(String),
    /// There is nothing to try.
    #[error("no mail is set up: give --smtp-url, --mail-from and --public-url, or --config")]
    NoMail,
    /// In the words of the mail server.
    #[error("the mail was not sent: {0}")]
    MailNotSent(String),
    #[error("the data folder {} cannot be made: {source}", path.display())]
    DataDir { path: PathBuf, source: io::Error },
    #[error("the database file {} cannot be made: {source}", path.display())]
    DatabaseFile { path: PathBuf, source: io::Error },
    #[error("no database at {}", .0.display())]
    NoDatabase(PathBuf),
    /// The text is the store's own.
    #[error("the database cannot be opened: {0}")]
    Database(String),
    #[error("the secret key {} cannot be read: {source}", path.display())]
    SecretKeyFile { path: PathBuf, source: io::Error },
    /// Whoever reads it opens what is sealed.
    #[error("the secret key {path} is readable by others: chmod 600 {path}", path = .0.display())]
    SecretKeyOpen(PathBuf),
    #[error(
        "the secret key {} of this database is missing: put it back, or create a new one with \
         --new-secret-key",
        .0.display()
    )]
    SecretKeyMissing(PathBuf),
    #[error(
        "the secret key {} belongs to another database: put the right one in its place, or accept \
         this one with --new-secret-key",
        .0.display()
    )]
    SecretKeyOther(PathBuf),
    /// It is not replaced: what is sealed with the one that was there would be lost.
    #[error("{} is not a secret key of Concord: put the original back", .0.display())]
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
    #[error("the settings {} cannot be read: {source}", path.display())]
    ConfigFile { path: PathBuf, source: io::Error },
    #[error("{}, line {line}: {problem}", path.display())]
    Config { path: PathBuf, line: usize, problem: String },
    #[error("the client secret {} cannot be read: {source}", path.display())]
    ClientSecret { path: PathBuf, source: io::Error },
    /// Nobody could sign in.
    #[error("--only-providers needs a --provider")]
    NoProviders,
    #[error("two providers are named {0}")]
    SameProvider(String),
    /// What somebody has given does not go together.
    #[error("{0}")]
    Usage(String),
    /// What was named, and what is there instead.
    #[error("{0}")]
    NoBackup(String),
    #[error(transparent)]
    Backup(#[from] services::outside::backup::Failure),
    #[error("{}: {problem}", path.display())]
    Identity { path: PathBuf, problem: String },
    #[error("{} cannot be opened: {source}", path.display())]
    StudyFile { path: PathBuf, source: io::Error },
    #[error("{} cannot be written: {source}", path.display())]
    WriteFile { path: PathBuf, source: io::Error },
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("the metrics cannot be counted: {0}")]
    Metrics(#[from] metrics_exporter_prometheus::BuildError),
    #[error("invalid --log: {0}")]
    Log(String),
    #[error("the server failed: {0}")]
    Serve(#[source] io::Error),
    #[error("standard input or output failed: {0}")]
    Terminal(#[from] io::Error),
    #[error("CONCORD_TOKEN is not set: create a token under your account and set it")]
    NoToken,
    /// What the server said, or why it said nothing.
    #[error("the server cannot be reached: {0}")]
    Server(String),
    /// The server's own words, in which it has no more to say to a program.
    #[error("{0}")]
    RefusedBy(String),
    #[error("no account has this e-mail address or number")]
    NoSuchUser,
    #[error("the settings have no provider named \"{0}\"")]
    NoSuchProvider(String),
    #[error("no SCIM token for this provider")]
    NoScimToken,
    #[error("no project with the name or number \"{0}\"")]
    NoSuchProject(String),
    #[error("--create-project needs --manager EMAIL, the account that is to manage it")]
    NoManager,
    #[error("invalid {option}: {value}; expected FROM=TO")]
    Mapping { option: &'static str, value: String },
    /// What the services said; what broke is in the log under the incident's number.
    #[error("{0}")]
    Refused(domain::Error),
}

impl Error {
    /// Says why a command was not carried out, and how it ends. Whoever has stopped reading, as
    /// `head` does, needs no word.
    pub fn exit(&self) -> ExitCode {
        match self {
            Self::Terminal(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::StudyFile { .. }
            | Self::ConfigFile { .. }
            | Self::Config { .. }
            | Self::NoBackup(_)
            | Self::Identity { .. }
            | Self::NoSuchProject(_) => failed(FILE_REFUSED, &self.to_string()),
            Self::Backup(failure) if failure.is_of_backup() => {
                failed(FILE_REFUSED, &self.to_string())
            }
            Self::Mapping { .. }
            | Self::NoMail
            | Self::NoManager
            | Self::NoProviders
            | Self::SameProvider(_)
            | Self::Usage(_) => failed(WRONG_USAGE, &self.to_string()),
            _ => failed(FAILED, &self.to_string()),
        }
    }
}

impl From<services::Error> for Error {
    fn from(error: services::Error) -> Self {
        Self::Refused(error.into())
    }
}
