//! The servers under load: processes of their own, what they take, and how they end.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use tokio::time::sleep;

use crate::client::Client;

/// How long a server may take to start, and to stop.
const PATIENCE: Duration = Duration::from_mins(1);

/// Where the program is, and which database it works on.
#[derive(Clone)]
pub(crate) struct Concord {
    pub(crate) binary: PathBuf,
    /// An address of PostgreSQL; the file of SQLite is in the folder if there is none.
    pub(crate) database: Option<String>,
    /// The data of all servers, and what they print.
    pub(crate) folder: PathBuf,
}

impl Concord {
    /// The program with a command and the options that name the database.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        // What it prints is read by us.
        command.args(words).arg("--data-dir").arg(&self.folder).env("NO_COLOR", "1");
        if let Some(database) = &self.database {
            command.args(["--database-url", database]);
        }
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, words: &[&str], input: &str) -> Result<String> {
        let given = self.folder.join("input");
        fs::write(&given, input)?;
        let output = self.command(words).stdin(File::open(&given)?).output()?;
        let (said, wrong) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "concord {}: {wrong}", words.join(" "));
        Ok(String::from_utf8(said)?)
    }

    /// Starts a server that lets everybody in: all of them come from one address.
    pub(crate) async fn start(&self, name: usize) -> Result<Server> {
        self.start_at(name, [free_address()?, free_address()?]).await
    }

    /// The same, at the addresses of its pages and of its metrics; what it prints is added to what one of
    /// its name has printed.
    pub(crate) async fn start_at(
        &self,
        name: usize,
        [address, metrics]: [SocketAddr; 2],
    ) -> Result<Server> {
        let log = self.folder.join(format!("server-{name}.log"));
        let out = File::options().create(true).append(true).open(&log)?;
        let err = out.try_clone()?;
        let [bind, metrics_bind] = [address.to_string(), metrics.to_string()];
        let words = [
            "serve",
            "--bind",
            &bind,
            "--metrics",
            &metrics_bind,
            "--connections-per-address",
            "100000",
            "--streams-per-session",
            "100000",
            "--api-requests",
            "1000000",
        ];
        let child = self.command(&words).stdout(out).stderr(err).stdin(Stdio::null()).spawn();
        let child = child.with_context(|| format!("cannot start {}", self.binary.display()))?;
        let mut server = Server { child, address, metrics, log, peak_memory: None };
        let began = Instant::now();
        loop {
            if Client::of(address).text("/health").await.is_ok() {
                return Ok(server);
            }
            let has_ended = server.child.try_wait()?.is_some();
            if has_ended || began.elapsed() > PATIENCE {
                bail!("a server did not start: {}", fs::read_to_string(&server.log)?);
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A server that runs; it is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    metrics: SocketAddr,
    log: PathBuf,
    /// The most memory that it had while it was measured, in MiB.
    pub(crate) peak_memory: Option<u64>,
}

/// What a server says of itself.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Metrics {
    /// SQL statements so far.
    pub(crate) statements: u64,
    /// How many times the rows of a project were counted so far; none from a server that does not say it.
    pub(crate) counts: Option<u64>,
    /// Requests that were asked to come back.
    pub(crate) busy: u64,
}

impl Server {
    /// The id of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Asks for its metrics.
    pub(crate) async fn metrics(&self) -> Result<Metrics> {
        let text = Client::of(self.metrics).text("/metrics").await?;
        let value = |name: &str| {
            let mut values =
                text.lines().filter_map(|line| line.strip_prefix(name)?.trim().parse().ok());
            values.next()
        };
        Ok(Metrics {
            statements: value("concord_database_statements_total ").unwrap_or(0),
            counts: value("concord_live_counts_total "),
            busy: value("concord_busy_answers_total ").unwrap_or(0),
        })
    }

    /// Tells it to stop, as a service manager does.
    pub(crate) fn terminate(&self) -> Result<()> {
        self.signal(Signal::TERM)
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) -> Result<()> {
        let process = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        Ok(kill_process(process.context("a process has an id")?, signal)?)
    }

    /// Ends it at once, as a loss of power would.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)?;
        Ok(())
    }

    /// Waits until it has ended by itself.
    pub(crate) async fn ended(&mut self) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                ensure!(status.success(), "a server ended with {status}");
                return Ok(());
            }
            sleep(Duration::from_millis(5)).await;
        }
        bail!("a server did not stop in a minute")
    }

    /// The lines of its log that are warnings, or worse.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines = log.lines().filter(|line| line.contains("WARN") || line.contains("ERROR"));
        lines.map(str::to_owned).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already, or nobody waits for it any more.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// An address of this machine that is free at the moment.
pub(crate) fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// An address that nobody else is given while the server at it is away: outside of what the system gives to
/// connections.
pub(crate) fn lasting_address() -> Result<SocketAddr> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = u16::try_from(std::process::id() * 16 % 10_000)?;
    for _ in 0..10_000 {
        let port = 20_000 + (first + NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000;
        if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            return Ok(listener.local_addr()?);
        }
    }
    bail!("no address is free")
}

/// Seconds of CPU that a process has taken.
pub(crate) fn cpu_seconds(process: u32) -> f64 {
    let read = || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let [user, system] = [fields.next()?, fields.next()?];
        let ticks = user.parse::<u32>().ok()?.saturating_add(system.parse().ok()?);
        Some(f64::from(ticks))
    };
    let a_second = u32::try_from(rustix::param::clock_ticks_per_second()).unwrap_or(100);
    read().unwrap_or(0.0) / f64::from(a_second)
}

/// Seconds of CPU that a process and its children have taken.
pub(crate) fn family_cpu_seconds(parent: u32) -> f64 {
    children(parent).into_iter().map(cpu_seconds).sum::<f64>() + cpu_seconds(parent)
}

/// The processes that a process has started.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let is_child = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let of = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        of.and_then(|of| of.parse().ok()) == Some(parent)
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes.filter(is_child).collect()
}

/// The most memory that a process has had since it was forgotten last, in MiB.
pub(crate) fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
}

/// How many MiB the files are of a folder, and of those in it, whose names contain a word.
pub(crate) fn size_of_files(folder: &Path, word: &str) -> u64 {
    fn bytes(folder: &Path, word: &str) -> u64 {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let sizes = entries.filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            let is_wanted = entry.file_name().to_string_lossy().contains(word);
            if metadata.is_dir() {
                Some(bytes(&entry.path(), word))
            } else {
                is_wanted.then_some(metadata.len())
            }
        });
        sizes.sum()
    }
    bytes(folder, word) >> 20
}

/// Has the most memory of a process begin at what it has now.
pub(crate) fn forget_peak_memory(process: u32) {
    // Where that is not allowed, the most is that of the whole run.
    drop(fs::write(format!("/proc/{process}/clear_refs"), "5"));
}
