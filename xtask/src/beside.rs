//! Work beside the steps: begun early, so that no core waits for another, and ended where its result
//! is needed.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};

/// A command that is running. What it prints is kept until somebody waits for it.
pub(crate) struct Beside {
    line: String,
    child: Child,
    printed: PathBuf,
}

impl Beside {
    /// Builds the front end as people get it, and weighs it.
    pub(crate) fn front_end(workspace: &Workspace, args: &[&str]) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["front-end", "--release"]).args(args).current_dir(&workspace.root);
        Self::start(&mut command, workspace.log("front_end_release"))
    }

    /// Starts a command; what it prints goes to a file.
    pub(crate) fn start(command: &mut Command, printed: PathBuf) -> Result<Self> {
        let line = process::describe(command);
        println!("$ {line} &");
        let file = File::create(&printed)
            .with_context(|| format!("cannot write to {}", printed.display()))?;
        // A group of its own, so that all it has started can be ended with it.
        command.process_group(0).stdout(file.try_clone()?).stderr(file);
        let child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
        Ok(Self { line, child, printed })
    }

    /// Waits for the end and shows what was printed.
    pub(crate) fn finish(mut self) -> Result<()> {
        let status = self.child.wait()?;
        io::stdout().write_all(&fs::read(&self.printed)?)?;
        if !status.success() {
            bail!("`{}` failed ({status})", self.line);
        }
        Ok(())
    }
}

impl Drop for Beside {
    /// Ends what nobody waits for any more.
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let group = format!("-{}", self.child.id());
            let mut kill = Command::new("kill");
            if !process::succeeds(kill.args(["--", &group])) || self.child.wait().is_err() {
                eprintln!("warning: `{}` may go on running", self.line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Beside;
    use crate::process;
    use std::process::Command;
    use std::thread;
    use std::time::{Duration, Instant};

    fn start(script: &str) -> (tempfile::TempDir, Beside) {
        let dir = tempfile::tempdir().unwrap();
        let printed = dir.path().join("printed");
        let beside = Beside::start(Command::new("sh").args(["-c", script]), printed).unwrap();
        (dir, beside)
    }

    #[test]
    fn its_end_is_the_end_of_the_step_and_a_failure_is_an_error() {
        let (_dir, good) = start("sleep 0.1; echo done");
        good.finish().unwrap();
        let (_dir, bad) = start("echo broken >&2; exit 3");
        let error = bad.finish().unwrap_err();
        assert!(error.to_string().contains("exit status: 3"), "{error}");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
    fn what_nobody_waits_for_is_ended_with_all_that_it_started() {
        let (_dir, beside) = start("sleep 60 & wait");
        let group = format!("-{}", beside.child.id());
        drop(beside);
        let runs = || process::succeeds(Command::new("kill").args(["-0", "--", &group]));
        let patience = Instant::now() + Duration::from_secs(10);
        while runs() {
            assert!(Instant::now() < patience, "still running");
            thread::sleep(Duration::from_millis(20));
        }
    }
}
