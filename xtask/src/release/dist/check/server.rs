//! A server that was installed, from its first word to its last.

use crate::process;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server that was told to stop may take; more of one that is interpreted.
const PATIENCE: Duration = Duration::from_secs(30);

/// The server; one that was not stopped is killed.
pub(super) struct Server {
    child: Child,
}

impl Server {
    /// Starts it by a command that has it print JSON, and waits until it answers.
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        println!("$ {} &", process::describe(command));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("the server has no output")?;
        let server = Self { child };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let started: Value =
            serde_json::from_str(&line).context("the server does not say where it is")?;
        if started.pointer("/set_up").and_then(Value::as_str).is_none() {
            bail!("a new server has no link for the first account: {started}");
        }
        Ok(server)
    }

    /// Tells it to stop, and waits until it has.
    pub(super) fn stop(mut self) -> Result<()> {
        process::run(Command::new("kill").args(["-TERM", &self.child.id().to_string()]))?;
        let end = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => bail!("the server ended with {status}"),
                None if Instant::now() >= end => bail!("the server does not stop"),
                None => process::pause(),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
