//! A private PostgreSQL for tests and measurements: its own data, a socket only we can reach, gone afterwards.

use crate::process::{self, find_program};
use crate::setup;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The variable by which tests find the server.
pub(crate) const VARIABLE: &str = "CONCORD_TEST_POSTGRES";

/// Runs next to the server and outlives this program by a moment: when its standard input closes,
/// be it that the tests ended or that this program was killed, it stops the server and removes
/// the data. Signals do not keep it from that. `$1` is the folder of the binaries, `$2` the
/// private folder, `$3` has more options of the server.
const KEEPER: &str = r#"
bin=$1 dir=$2 more=$3
trap '' HUP INT TERM
stop() {
    "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1
    rm -rf "$dir"
}
fail() { cat "$dir/log" >&2; stop; exit 1; }
cd "$dir" || exit 1
"$bin/initdb" -D "$dir/data" -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$dir/log" 2>&1 || fail
"$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -o "-k $dir -c listen_addresses='' \
    -c max_connections=200 $more" start \
    >/dev/null 2>&1 || fail
echo ready
cat >/dev/null
stop
"#;

/// Whether what is committed is to outlive a crash of the machine.
#[derive(Clone, Copy)]
pub(crate) enum Durability {
    /// As PostgreSQL is when nobody asks for anything else: commits wait for the disk.
    AsUsual,
    /// What is committed outlives a crash of PostgreSQL, but not one of the machine.
    OfProcesses,
    /// Nothing waits for the disk: tests end sooner.
    None,
}

impl Durability {
    const fn options(self) -> &'static str {
        match self {
            Self::AsUsual => "",
            Self::OfProcesses => "-c fsync=off -c full_page_writes=off",
            Self::None => "-c fsync=off -c synchronous_commit=off -c full_page_writes=off",
        }
    }
}

/// The running server; dropping it stops it.
pub(crate) struct Postgres {
    keeper: Child,
    directory: TempDir,
}

impl Postgres {
    /// Initialises and starts a server for tests, and returns when it accepts connections.
    pub(crate) fn start() -> Result<Self> {
        Self::start_with(Durability::None)
    }

    /// The same, with more or less care for what is committed.
    pub(crate) fn start_with(durability: Durability) -> Result<Self> {
        let binaries = binaries()?;
        // The path of a socket may have about a hundred bytes, which $TMPDIR can exceed.
        let directory = tempfile::Builder::new().prefix("concord-pg-").tempdir_in("/tmp")?;
        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, "keeper"]).arg(&binaries).arg(directory.path());
        command.arg(durability.options());
        // A group of its own: Ctrl-C reaches the keeper by the closing of its input only.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped());
        if setup::is_root() {
            // PostgreSQL refuses to run as root.
            let user =
                ["postgres", "nobody"].into_iter().find_map(|name| setup::user_id(Some(name)));
            let user =
                user.context("running as root, and there is no user `postgres` or `nobody`")?;
            chown(directory.path(), Some(user), None)?;
            command.uid(user);
        }
        println!("{} in {}", binaries.display(), directory.path().display());
        let mut keeper = command.spawn().context("cannot start sh")?;
        let output = keeper.stdout.take().context("the keeper has no output")?;
        let server = Self { keeper, directory };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        if line.trim() != "ready" {
            bail!("PostgreSQL did not start; its log is above");
        }
        Ok(server)
    }

    /// The id of the server's first process, whose children are the others.
    pub(crate) fn process(&self) -> Option<u32> {
        let file = fs::read_to_string(self.directory.path().join("data/postmaster.pid")).ok()?;
        file.lines().next()?.trim().parse().ok()
    }

    /// The folder of its data and its socket.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// The folder of its tables and indexes.
    pub(crate) fn tables(&self) -> PathBuf {
        self.directory.path().join("data/base")
    }

    /// The variable and its value for the programs that shall use this server.
    pub(crate) fn variable(&self) -> (&'static str, String) {
        // A URL needs a host; the parameter, being a path, takes its place.
        let directory = self.directory.path().display();
        (VARIABLE, format!("postgres://postgres@localhost/postgres?host={directory}"))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("warning: lost sight of the private PostgreSQL: {error}");
        }
    }
}

/// Installs what the scripts of `deploy/postgresql` take, which are tested with it.
pub(crate) fn install_archiving() -> Result<()> {
    let missing: Vec<_> =
        ["age", "zstd"].into_iter().filter(|program| find_program(program).is_none()).collect();
    if missing.is_empty() { Ok(()) } else { setup::apt_install(&missing) }
}

/// The folder with `initdb` and `pg_ctl`, after an attempt to install them.
fn binaries() -> Result<PathBuf> {
    if let Some(found) = find_binaries() {
        return Ok(found);
    }
    setup::apt_install(&["postgresql"])?;
    find_binaries()
        .context("postgresql is installed, but there is no initdb: please add its folder to PATH")
}

fn find_binaries() -> Option<PathBuf> {
    let complete =
        |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file();
    newest_debian().or_else(from_pg_config).or_else(from_path).filter(complete)
}

/// Debian keeps them out of `PATH`, in a folder per major version.
fn newest_debian() -> Option<PathBuf> {
    let versions = Path::new("/usr/lib/postgresql").read_dir().ok()?.flatten();
    let numbered = versions.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        let folder = entry.path().join("bin");
        folder.join("initdb").is_file().then_some((version, folder))
    });
    numbered.max().map(|(_, folder)| folder)
}

fn from_pg_config() -> Option<PathBuf> {
    let printed = process::read(Command::new("pg_config").arg("--bindir")).ok()?;
    Some(PathBuf::from(printed.trim())).filter(|folder| folder.join("initdb").is_file())
}

fn from_path() -> Option<PathBuf> {
    Some(find_program("initdb")?.parent()?.to_path_buf())
}
