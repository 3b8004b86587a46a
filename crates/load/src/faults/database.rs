//! A PostgreSQL that is restarted, and whose processes are killed, while servers work on it.

use std::{
    fs,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{task::spawn_blocking, time::sleep};

use crate::{corpus::Random, servers::children};

/// How long it may take to be there again.
const PATIENCE: Duration = Duration::from_mins(1);

/// A `PostgreSQL` of which we know where it is.
#[derive(Clone)]
pub(crate) struct Database {
    /// Where `pg_ctl` is.
    programs: PathBuf,
    /// Where its data and its socket are.
    folder: PathBuf,
    /// Who it runs as.
    user: u32,
}

impl Database {
    /// The one whose data and socket are in a folder.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let data = folder.join("data");
        // What it was started with, the program first.
        let started = fs::read_to_string(data.join("postmaster.opts"))?;
        let program = started.split(' ').next().map(Path::new).and_then(Path::parent);
        let programs = program.context("PostgreSQL does not say where it is")?.to_owned();
        let user = fs::metadata(&data)?.uid();
        Ok(Self { programs, folder: folder.to_owned(), user })
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// Makes an empty database.
    pub(crate) async fn create(&self, name: &str) -> Result<()> {
        self.run("createdb", &["-h", self.folder_name()?, "-U", "postgres", name]).await
    }

    /// Drops a database with all connections to it.
    pub(crate) async fn drop_database(&self, name: &str) -> Result<()> {
        let words = ["-h", self.folder_name()?, "-U", "postgres", "--force", name];
        self.run("dropdb", &words).await
    }

    /// Restarts it, and waits until it takes connections: what is not committed is rolled back, or, at
    /// once, lost as by a loss of power.
    pub(crate) async fn restart(&self, at_once: bool) -> Result<()> {
        let mode = if at_once { "immediate" } else { "fast" };
        let (data, log) = (self.folder.join("data"), self.folder.join("log"));
        let [data, log] = [&data, &log].map(|path| path.to_str().unwrap_or_default());
        self.run("pg_ctl", &["-D", data, "-l", log, "-m", mode, "-w", "restart"]).await
    }

    /// Kills one of the processes that serve connections, and waits until it has recovered.
    pub(crate) async fn crash(&self, random: &mut Random) -> Result<()> {
        let file = fs::read_to_string(self.folder.join("data/postmaster.pid"))?;
        let first = file.lines().next().context("PostgreSQL has no process")?.trim().parse()?;
        let serves = |process: &u32| {
            let line = fs::read_to_string(format!("/proc/{process}/cmdline"));
            line.is_ok_and(|line| line.starts_with("postgres: postgres "))
        };
        let serving: Vec<_> = children(first).into_iter().filter(serves).collect();
        let count = u64::try_from(serving.len()).unwrap_or(0);
        let drawn = usize::try_from(random.below(count)).unwrap_or(0);
        let process = serving.get(drawn).and_then(|process| i32::try_from(*process).ok());
        // It may have ended by itself, as connections do that nobody uses.
        if let Some(process) = process.and_then(Pid::from_raw) {
            let _is_gone = kill_process(process, Signal::KILL).is_err();
        }
        let began = Instant::now();
        loop {
            sleep(Duration::from_millis(100)).await;
            let asked = self.run("pg_isready", &["-q", "-h", self.folder_name()?]).await;
            if asked.is_ok() {
                return Ok(());
            }
            ensure!(began.elapsed() < PATIENCE, "PostgreSQL did not recover");
        }
    }

    fn folder_name(&self) -> Result<&str> {
        self.folder.to_str().context("the folder has a name of letters")
    }

    /// Runs one of its programs as whom it runs itself.
    async fn run(&self, program: &str, words: &[&str]) -> Result<()> {
        let mut command = Command::new(self.programs.join(program));
        command.args(words).current_dir(&self.folder).uid(self.user).stdin(Stdio::null());
        let output = spawn_blocking(move || command.output()).await??;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{program} {}: {said}", words.join(" "));
        Ok(())
    }
}
