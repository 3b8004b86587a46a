//! Databases of PostgreSQL, by its own programs: dumped, filled from a dump, and tried in a database that goes
//! again.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, Stdio},
    thread::{JoinHandle, spawn},
};

use chrono::{DateTime, Utc};
use percent_encoding::percent_decode_str;
use reqwest::Url;
use tokio::task::spawn_blocking;

use super::{Failure, Soundness, check};

/// What of an address PostgreSQL's programs know; what else may stand in it is for our own connections.
const KNOWN: [&str; 8] =
    ["host", "hostaddr", "port", "user", "dbname", "sslmode", "sslrootcert", "options"];

/// What PostgreSQL says to an account that may not create databases.
const NOT_PERMITTED: &str = "permission denied to create database";

/// A database of PostgreSQL as its programs are told of it.
#[derive(Clone)]
pub struct Postgres {
    /// Without the password: who is on the machine sees what programs are given.
    address: Url,
    password: Option<String>,
    /// As it was given.
    own: Url,
}

impl Postgres {
    /// The database that an address names.
    pub fn at(url: &str) -> Result<Self, Failure> {
        let own = Url::parse(url).map_err(|_| Failure::Address)?;
        if !["postgres", "postgresql"].contains(&own.scheme()) {
            return Err(Failure::Address);
        }
        let named = own.query_pairs().find(|(key, _)| key == "password");
        let named = named.map(|(_, value)| value.into_owned());
        let inside =
            own.password().map(|it| percent_decode_str(it).decode_utf8_lossy().into_owned());
        let mut address = own.clone();
        if inside.is_some() {
            address.set_password(None).map_err(|()| Failure::Address)?;
        }
        retain_pairs(&mut address, |key| KNOWN.contains(&key));
        Ok(Self { address, password: named.or(inside), own })
    }

    /// Another database of the same server.
    fn beside(&self, name: &str) -> Self {
        let mut other = self.clone();
        for address in [&mut other.address, &mut other.own] {
            address.set_path(name);
            retain_pairs(address, |key| key != "dbname");
        }
        other
    }

    fn command(&self, program: &str, option: &str) -> Command {
        let mut command = Command::new(program);
        command.arg(format!("--{option}={}", self.address)).arg("--no-password");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What they say is read by programs, too.
        command.env("LC_ALL", "C");
        if let Some(password) = &self.password {
            command.env("PGPASSWORD", password);
        }
        command
    }

    /// What `pg_dump` writes of one moment, as it comes; compressed by whoever reads it.
    pub(super) fn dump(&self) -> Result<Running, Failure> {
        let mut command = self.command("pg_dump", "dbname");
        command.args(["--format=custom", "--compress=0"]);
        Running::start("pg_dump", command)
    }

    /// Fills an empty database from a dump, all of it or nothing; one that is not empty only if what is in
    /// it is to be replaced.
    pub async fn fill(&self, dump: &Path, replace: bool) -> Result<(), Failure> {
        let mut command = self.command("pg_restore", "dbname");
        command.args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]);
        if replace {
            command.args(["--clean", "--if-exists"]);
        }
        command.arg(dump);
        run("pg_restore", command).await
    }

    /// Makes a database of a dump, checks everything in it, and takes it away again.
    pub(super) async fn check(&self, dump: &Path, at: DateTime<Utc>) -> Result<Soundness, Failure> {
        let name = format!("concord_drill_{}", at.format("%Y%m%d_%H%M%S"));
        // One that a server has left which was killed.
        self.drop_database(&name).await?;
        match run("createdb", self.naming("createdb", &name, &["--template=template0"])).await {
            Err(Failure::Program { said, .. }) if said.contains(NOT_PERMITTED) => {
                return Err(Failure::MayNotCreate);
            }
            created => created?,
        }
        let tried = self.beside(&name);
        let found = match tried.fill(dump, false).await {
            Ok(()) => check(tried.own.as_str()).await.map_err(Failure::from),
            Err(error) => Err(error),
        };
        self.drop_database(&name).await?;
        found
    }

    async fn drop_database(&self, name: &str) -> Result<(), Failure> {
        run("dropdb", self.naming("dropdb", name, &["--if-exists", "--force"])).await
    }

    fn naming(&self, program: &str, database: &str, options: &[&str]) -> Command {
        let mut command = self.command(program, "maintenance-db");
        command.args(options).arg(database);
        command
    }
}

/// Leaves out of an address what follows other keys, and the rest as it is written.
fn retain_pairs(address: &mut Url, keeps: impl Fn(&str) -> bool) {
    let pairs = address.query().unwrap_or_default().split('&');
    let kept: Vec<_> =
        pairs.filter(|pair| keeps(pair.split_once('=').map_or(*pair, |(key, _)| key))).collect();
    let kept = kept.join("&");
    address.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
}

/// Runs a program to its end.
async fn run(program: &'static str, command: Command) -> Result<(), Failure> {
    spawn_blocking(move || {
        let mut running = Running::start(program, command)?;
        let ended = io::copy(&mut running, &mut io::sink());
        ended.map(drop).map_err(|error| Failure::Program { program, said: error.to_string() })
    })
    .await?
}

/// A program whose output is read: it ends well only if the program does.
pub(super) struct Running {
    child: Child,
    output: ChildStdout,
    said: Option<JoinHandle<String>>,
}

impl Running {
    fn start(program: &'static str, mut command: Command) -> Result<Self, Failure> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::NotFound => Failure::NoProgram(program),
            _ => Failure::Program { program, said: error.to_string() },
        };
        let mut child = command.spawn().map_err(failed)?;
        let piped = child.stdout.take().zip(child.stderr.take());
        let (output, said) = piped.ok_or_else(|| failed(ErrorKind::BrokenPipe.into()))?;
        Ok(Self { child, output, said: Some(spawn(move || listen(said))) })
    }
}

fn listen(mut said: ChildStderr) -> String {
    let mut bytes = Vec::new();
    // What cannot be read was not said.
    drop(said.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).trim().replace('\n', "; ")
}

impl Read for Running {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.output.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        let ended = self.child.wait()?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        if ended.success() { Ok(0) } else { Err(io::Error::other(format!("{ended}: {said}"))) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended cannot be killed any more.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_is_given_a_password_where_others_see_it() {
        for (url, address, password) in [
            ("postgres://ada@host/db", "postgres://ada@host/db", None),
            ("postgresql://ada:p%40ss@host:1/db", "postgresql://ada@host:1/db", Some("p@ss")),
            (
                "postgres://ada@h/db?host=/a&password=x&statement-cache-capacity=1",
                "postgres://ada@h/db?host=/a",
                Some("x"),
            ),
        ] {
            let database = Postgres::at(url).unwrap();
            assert_eq!(database.address.as_str(), address);
            assert_eq!(database.password.as_deref(), password);
            let command = database.command("pg_dump", "dbname");
            let given: Vec<_> = command.get_args().map(|it| it.to_str().unwrap()).collect();
            assert_eq!(given, [format!("--dbname={address}"), "--no-password".to_owned()]);
        }
        assert_eq!(
            Postgres::at("postgres://ada@h/db?dbname=x&host=/a")
                .unwrap()
                .beside("tried")
                .own
                .as_str(),
            "postgres://ada@h/tried?host=/a"
        );
        for wrong in ["sqlite:///file", "no address"] {
            assert!(matches!(Postgres::at(wrong), Err(Failure::Address)), "{wrong}");
        }
    }

    #[tokio::test]
    async fn a_program_that_fails_or_is_missing_is_told_by_its_name() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo half; echo wrong >&2; exit 3"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let error = run("sh", command).await.unwrap_err().to_string();
        assert!(error.starts_with("sh: ") && error.ends_with("wrong"), "{error}");
        let missing = run("none", Command::new("/none/at/all")).await.unwrap_err();
        assert_eq!(
            missing.to_string(),
            "none is not installed here: install PostgreSQL's client programs"
        );
    }
}
