//! The tests of the workspace, several binaries at a time: much of what they do is to wait for
//! databases, sockets and clocks. What one prints is shown when it has ended.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// Builds all binaries and returns what runs them and the tests in the documentation, what probably
/// takes longest first.
pub(crate) fn build(workspace: &Workspace) -> Result<VecDeque<Command>> {
    let mut command = workspace.linting_cargo();
    command.args(["test", "--workspace", "--all-targets", "--no-run"]);
    command.args(["--message-format", "json-render-diagnostics"]).stderr(Stdio::inherit());
    println!("$ {}", process::describe(&command));
    let mut binaries = binaries(&process::read(&mut command)?)?;
    // Those with the most in them are the tests of whole layers, over databases.
    binaries.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let mut documentation = workspace.linting_cargo();
    documentation.args(["test", "--workspace", "--no-fail-fast", "--doc"]);
    Ok(std::iter::once(documentation).chain(binaries.into_iter().map(|(it, _)| it)).collect())
}

/// Builds the programs that other steps start, with the selection of the tests: after these, only the
/// programs are left to link.
pub(crate) fn build_programs(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.linting_cargo();
    process::run(command.args(["build", "--workspace", "--bins", "--tests", "--examples"]))
}

/// The binaries that cargo says it has built, as cargo runs them, and their sizes.
fn binaries(messages: &str) -> Result<Vec<(Command, u64)>> {
    let mut binaries = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo does not print JSON")?;
        let text = |pointer| message.pointer(pointer).and_then(Value::as_str).map(Path::new);
        // Benchmarks are compiled to be judged.
        let is_test = message.pointer("/profile/test") == Some(&Value::Bool(true))
            && message.pointer("/target/kind/0") != Some(&Value::from("bench"));
        if let (true, Some(binary)) = (is_test, text("/executable")) {
            let package = text("/manifest_path").and_then(Path::parent);
            let package = package.context("cargo does not say whose test it is")?;
            let mut command = Command::new(binary);
            command.current_dir(package).env("CARGO_MANIFEST_DIR", package);
            binaries.push((command, fs::metadata(binary)?.len()));
        }
    }
    Ok(binaries)
}

/// Runs commands, as many at a time as there are cores, all of them also after one has failed. Each has
/// as many threads again: while some of them wait, there is always something to do.
pub(crate) fn run(
    commands: VecDeque<Command>,
    database: Option<&(&str, String)>,
    screen: &Mutex<impl Write + Send>,
) -> Result<()> {
    let lanes = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let commands = Mutex::new(commands);
    let next = || locked(&commands).pop_front();
    let lane = || -> Result<Vec<String>> {
        let mut failed = Vec::new();
        while let Some(mut command) = next() {
            if let Some((name, value)) = database {
                command.env(name, value);
            }
            let line = process::describe(&command);
            writeln!(locked(screen), "$ {line} &")?;
            let began = Instant::now();
            let output = command.output().with_context(|| format!("cannot start `{line}`"))?;
            let verdict = if output.status.success() { "passed" } else { "FAILED" };
            let mut screen = locked(screen);
            writeln!(screen, "\n{line}: {verdict} in {:.1} s", began.elapsed().as_secs_f64())?;
            screen.write_all(&output.stderr)?;
            screen.write_all(&output.stdout)?;
            if !output.status.success() {
                failed.push(line);
            }
        }
        Ok(failed)
    };
    let lanes = thread::scope(|scope| {
        let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().map(thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let mut failed = Vec::new();
    for lane in lanes {
        match lane {
            Ok(of_lane) => failed.extend(of_lane?),
            Err(_) => bail!("a lane of tests has ended early"),
        }
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// What a lane that has ended early leaves is still whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{binaries, run};
    use serde_json::json;
    use std::process::Command;
    use std::sync::Mutex;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn every_test_binary_is_run_where_its_package_is() {
        let here = std::env::current_exe().unwrap();
        let artifact = |kind: &str, test: bool, executable: Option<&std::path::Path>| {
            json!({
                "reason": "compiler-artifact",
                "manifest_path": "/w/a/Cargo.toml",
                "target": { "kind": [kind] },
                "profile": { "test": test },
                "executable": executable,
            })
        };
        let messages = [
            artifact("test", true, Some(&here)),
            artifact("bench", true, Some(&here)),
            artifact("bin", false, Some(&here)),
            artifact("lib", false, None),
            json!({ "reason": "build-finished", "success": true }),
        ];
        let messages: Vec<_> = messages.iter().map(ToString::to_string).collect();
        let found = binaries(&messages.join("\n")).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0.get_program(), here);
        assert_eq!(found[0].0.get_current_dir().unwrap().to_str(), Some("/w/a"));
    }

    #[test]
    fn all_are_run_with_the_database_and_each_failure_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let touch = |name: &str| format!("touch {}/$DATABASE-{name}", dir.path().display());
        let commands = (0..9).map(|number| shell(&touch(&number.to_string())));
        let commands = [shell("exit 3")].into_iter().chain(commands).collect();
        let screen = Mutex::new(Vec::new());
        let error = run(commands, Some(&("DATABASE", "one".to_owned())), &screen).unwrap_err();
        assert_eq!(error.to_string(), "failed: sh -c exit 3");
        assert!((0..9).all(|number| dir.path().join(format!("one-{number}")).exists()));
        let printed = String::from_utf8(screen.into_inner().unwrap()).unwrap();
        assert!(printed.contains("sh -c exit 3: FAILED in"), "{printed}");
        assert_eq!(printed.matches(": passed in").count(), 9);
        run([shell("exit 0")].into(), None, &Mutex::new(Vec::new())).unwrap();
    }
}
