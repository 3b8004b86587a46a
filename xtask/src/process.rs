//! Starting other programs: the command is shown, its output passes through, failure is an error.

use anyhow::{Context, Result, bail};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The cargo that runs this program, so that a `+toolchain` on the command line is kept.
pub(crate) fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs to the end with output passed through.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs to the end and returns what it printed on standard output.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.output().with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed ({}): {}", output.status, why.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` does not print UTF-8"))
}

/// Whether the command starts and succeeds; its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Whether the command succeeds before so much time has passed; then it is ended. What it says is
/// dropped.
pub(crate) fn succeeds_within(command: &mut Command, limit: Duration) -> Result<bool> {
    let line = describe(command);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().with_context(|| format!("cannot start `{line}`"))?;
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        pause();
    }
}

/// Waits a moment for another program.
#[expect(clippy::disallowed_methods, reason = "there is no runtime whose thread it blocks")]
pub(crate) fn pause() {
    std::thread::sleep(Duration::from_millis(100));
}

/// The file a shell would start for `name`, if there is one.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The command as a person would type it, for messages.
pub(crate) fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_has_not_succeeded() {
        let limit = Duration::from_mins(1);
        assert!(succeeds_within(&mut Command::new("true"), limit).unwrap());
        assert!(!succeeds_within(&mut Command::new("false"), limit).unwrap());
        let mut sleep = Command::new("sleep");
        assert!(!succeeds_within(sleep.arg("600"), Duration::from_millis(1)).unwrap());
    }
}
