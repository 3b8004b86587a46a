//! A network with nothing in it but loopback: what runs in it reaches nobody outside, and port 3000 is free.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Where programs of this machine are, for commands that are told nothing else of it.
pub(super) const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// Holds the network until its input ends.
const KEEPER: &str = "ip link set lo up && echo ready && exec cat";

/// The network; it is gone when this value is.
pub(super) struct Loopback {
    keeper: Child,
}

impl Loopback {
    /// Makes one, which takes root.
    pub(super) fn make() -> Result<Self> {
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", KEEPER]);
        let mut keeper = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start unshare")?;
        let output = keeper.stdout.take().context("the keeper has no output")?;
        let network = Self { keeper };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        if line.trim() != "ready" {
            bail!("this machine does not let us make a network of our own");
        }
        Ok(network)
    }

    /// Where the kernel shows it.
    pub(super) fn path(&self) -> String {
        format!("/proc/{}/ns/net", self.keeper.id())
    }

    /// The command, started in it with no variables but its own.
    pub(super) fn inside(&self, command: &Command) -> Command {
        let mut inside = Command::new("nsenter");
        inside.arg(format!("--net={}", self.path())).arg("--");
        inside.arg(command.get_program()).args(command.get_args());
        let own = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        inside.env_clear().env("PATH", PATH).envs(own);
        inside
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("warning: lost sight of a network of our own: {error}");
        }
    }
}
