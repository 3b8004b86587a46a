//! pgBouncer before PostgreSQL, in transaction mode: each transaction may have another connection.

use crate::process::{self, find_program};
use crate::test::postgres::Postgres;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The variable that names a program elsewhere.
const VARIABLE: &str = "CONCORD_PGBOUNCER";

/// The first version that keeps track of prepared statements.
const OLDEST: (u32, u32) = (1, 21);

/// A pooler that runs; dropping it stops it.
pub(crate) struct Pooler {
    child: Child,
    socket: PathBuf,
}

/// The program, or why there is none that fits.
pub(crate) fn find() -> Result<PathBuf, String> {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let installed = || Some(PathBuf::from("/usr/sbin/pgbouncer")).filter(|file| file.is_file());
    let Some(program) = named.or_else(|| find_program("pgbouncer")).or_else(installed) else {
        return Err(format!("there is no pgbouncer in PATH, and {VARIABLE} names none"));
    };
    let said = process::read(Command::new(&program).arg("--version"));
    let said = said.map_err(|error| format!("{error:#}"))?;
    let version = said.lines().next().unwrap_or_default().trim();
    if parse(version).is_some_and(|version| version >= OLDEST) {
        Ok(program)
    } else {
        Err(format!("{version} is here, and 1.21 is needed"))
    }
}

/// The version in `PgBouncer 1.24.1`.
fn parse(said: &str) -> Option<(u32, u32)> {
    let mut parts = said.split(' ').nth(1)?.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

impl Pooler {
    /// Starts it before a server, with its socket in the same folder.
    pub(crate) fn start(program: &Path, postgres: &Postgres) -> Result<Self> {
        let folder = postgres.folder();
        let (settings, people) = (folder.join("pooler.ini"), folder.join("pooler.people"));
        let shown = folder.display();
        // sqlx asks for digits that PostgreSQL gives anyway; and everybody would wait for 15 s for a
        // PostgreSQL that was away for a moment.
        let text = format!(
            "[databases]\n* = host={shown} port=5432\n\
             [pgbouncer]\nlisten_addr =\nlisten_port = 6432\nunix_socket_dir = {shown}\n\
             auth_type = trust\nauth_file = {}\npool_mode = transaction\n\
             max_prepared_statements = 200\nignore_startup_parameters = extra_float_digits\n\
             server_login_retry = 1\n\
             default_pool_size = 10\nmax_client_conn = 500\n",
            people.display(),
        );
        fs::write(&settings, text)?;
        fs::write(&people, "\"postgres\" \"\"\n")?;
        let log = File::create(folder.join("pooler.log"))?;
        let mut command = Command::new(program);
        // It refuses to run as root, as PostgreSQL does.
        command.arg("-q").arg(&settings).uid(fs::metadata(folder)?.uid());
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().context("cannot start pgbouncer")?;
        let mut pooler = Self { child, socket: folder.join(".s.PGSQL.6432") };
        let began = Instant::now();
        while !pooler.socket.exists() {
            if pooler.child.try_wait()?.is_some() || began.elapsed() > Duration::from_secs(10) {
                bail!("pgbouncer: {}", fs::read_to_string(folder.join("pooler.log"))?);
            }
            process::pause();
        }
        Ok(pooler)
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        if self.child.kill().is_err() || self.child.wait().is_err() {
            eprintln!("warning: pgbouncer may go on running");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, parse};

    #[test]
    fn versions_are_compared_by_number() {
        assert!(parse("PgBouncer 1.24.1").unwrap() >= OLDEST);
        assert!(parse("PgBouncer 1.18.0").unwrap() < OLDEST);
        assert_eq!(parse("something else"), None);
    }
}
