//! Databases of PostgreSQL, by its own programs: dumped, made, filled from a dump, and taken away.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{JoinHandle, spawn},
    time::Duration,
};

use percent_encoding::percent_decode_str;
use reqwest::Url;
use tokio::task::spawn_blocking;

use super::{Failure, failure::PG_RESTORE};

/// What of an address PostgreSQL's programs know, by its names there and here; what else may stand in it is for
/// our own connections.
const KNOWN: [(&str, &str); 15] = [
    ("host", "host"),
    ("hostaddr", "hostaddr"),
    ("port", "port"),
    ("user", "user"),
    ("dbname", "dbname"),
    ("options", "options"),
    ("sslmode", "sslmode"),
    ("ssl-mode", "sslmode"),
    ("sslrootcert", "sslrootcert"),
    ("ssl-root-cert", "sslrootcert"),
    ("ssl-ca", "sslrootcert"),
    ("sslcert", "sslcert"),
    ("ssl-cert", "sslcert"),
    ("sslkey", "sslkey"),
    ("ssl-key", "sslkey"),
];

/// How long a program may run, and how long a dump may wait for somebody who changes tables.
const LONGEST: Duration = Duration::from_hours(12);
const LOCK_WAIT: &str = "--lock-wait-timeout=600s";

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
        translate_pairs(&mut address)?;
        Ok(Self { address, password: named.or(inside), own })
    }

    /// Another database of the same server.
    pub(super) fn beside(&self, name: &str) -> Self {
        let mut other = self.clone();
        for address in [&mut other.address, &mut other.own] {
            address.set_path(name);
            change_pairs(address, |key| (key != "dbname").then_some(key));
        }
        other
    }

    /// Its address, as it was given.
    pub fn url(&self) -> &str {
        self.own.as_str()
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
        command.args(["--format=custom", "--compress=0", LOCK_WAIT]);
        Running::start("pg_dump", command)
    }

    /// Fills an empty database from a dump, all of it or nothing.
    pub async fn fill(&self, dump: &Path) -> Result<(), Failure> {
        let mut command = self.command(PG_RESTORE, "dbname");
        command.args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]);
        command.arg(dump);
        run(PG_RESTORE, command).await
    }

    /// Makes an empty database on the same server.
    pub(super) async fn create(&self, name: &str) -> Result<Self, Failure> {
        self.create_with(name, &[]).await
    }

    /// The same with further options of `createdb`.
    pub(super) async fn create_with(&self, name: &str, options: &[&str]) -> Result<Self, Failure> {
        let mut all = vec!["--template=template0"];
        all.extend(options);
        match run("createdb", self.naming("createdb", name, &all)).await {
            Err(Failure::Program { said, .. }) if said.contains(NOT_PERMITTED) => {
                Err(Failure::MayNotCreate)
            }
            created => created.map(|()| self.beside(name)),
        }
    }

    /// Takes a database of the same server away, if it is there.
    pub(super) async fn drop_database(&self, name: &str) -> Result<(), Failure> {
        run("dropdb", self.naming("dropdb", name, &["--if-exists", "--force"])).await
    }

    fn naming(&self, program: &str, database: &str, options: &[&str]) -> Command {
        let mut command = self.command(program, "maintenance-db");
        command.args(options).arg(database);
        command
    }
}

/// Leaves what PostgreSQL's programs know in an address, as they call it.
///
/// # Errors
/// How it is encrypted has to be understood: otherwise it would not be.
fn translate_pairs(address: &mut Url) -> Result<(), Failure> {
    let mut keys = address.query_pairs();
    if keys.any(|(key, _)| key.starts_with("ssl") && known(&key).is_none()) {
        return Err(Failure::Address);
    }
    change_pairs(address, known);
    Ok(())
}

/// How PostgreSQL's programs call a key, if they know it.
fn known(key: &str) -> Option<&str> {
    KNOWN.iter().find(|(here, _)| *here == key).map(|(_, there)| *there)
}

/// Calls the keys of an address otherwise, or leaves them out; values stay as they are written.
fn change_pairs(address: &mut Url, call: impl Fn(&str) -> Option<&str>) {
    let pairs = address.query().unwrap_or_default().split('&');
    let kept = pairs.filter_map(|pair| match pair.split_once('=') {
        Some((key, value)) => call(key).map(|key| format!("{key}={value}")),
        None => call(pair).map(str::to_owned),
    });
    let kept = kept.collect::<Vec<_>>().join("&");
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

/// A program whose output is read: it ends well only if the program does, and within a time.
pub(super) struct Running {
    child: Arc<Mutex<Child>>,
    output: ChildStdout,
    said: Option<JoinHandle<String>>,
    /// Goes when this does: until then the program has time.
    _waited_for: mpsc::Sender<()>,
}

impl Running {
    fn start(program: &'static str, command: Command) -> Result<Self, Failure> {
        Self::start_for(LONGEST, program, command)
    }

    fn start_for(
        longest: Duration,
        program: &'static str,
        mut command: Command,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::NotFound => Failure::NoProgram(program),
            _ => Failure::Program { program, said: error.to_string() },
        };
        let mut child = command.spawn().map_err(failed)?;
        let piped = child.stdout.take().zip(child.stderr.take());
        let (output, said) = piped.ok_or_else(|| failed(ErrorKind::BrokenPipe.into()))?;
        let child = Arc::new(Mutex::new(child));
        let (waited_for, ends) = mpsc::channel();
        let late = Arc::clone(&child);
        spawn(move || {
            if ends.recv_timeout(longest) == Err(mpsc::RecvTimeoutError::Timeout) {
                // One that has ended cannot be killed any more.
                drop(late.lock().unwrap_or_else(PoisonError::into_inner).kill());
            }
        });
        let said = Some(spawn(move || listen(said)));
        Ok(Self { child, output, said, _waited_for: waited_for })
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
        let ended = self.child.lock().unwrap_or_else(PoisonError::into_inner).wait()?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        if ended.success() { Ok(0) } else { Err(io::Error::other(format!("{ended}: {said}"))) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // One that has ended cannot be killed any more.
        drop(child.kill());
        drop(child.wait());
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
            (
                "postgres://ada@h/db?ssl-mode=verify-full&ssl-ca=/ca&ssl-cert=/c&sslkey=/k",
                "postgres://ada@h/db?sslmode=verify-full&sslrootcert=/ca&sslcert=/c&sslkey=/k",
                None,
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
        for wrong in ["sqlite:///file", "no address", "postgres://h/db?sslcrl=/none"] {
            assert!(matches!(Postgres::at(wrong), Err(Failure::Address)), "{wrong}");
        }
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut command = Command::new("sleep");
        command.arg("600").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Running::start_for(Duration::from_millis(50), "sleep", command).unwrap();
        assert!(io::copy(&mut running, &mut io::sink()).is_err());
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
