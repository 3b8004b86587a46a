//! The tests in a real browser, with everything they need.

use crate::process;
use crate::setup;
use crate::test::binaries;
use crate::workspace::Workspace;
use anyhow::Result;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// Runs `npm test` in `end2end/` against the debug binary.
pub(crate) fn run(workspace: &Workspace, postgres: Option<(&str, String)>) -> Result<()> {
    let mut test = command(workspace, "npm")?;
    binaries::build_programs(workspace)?;
    process::run(test.arg("test").envs(postgres))
}

/// Takes the pictures in `docs/pictures` anew.
pub(crate) fn take_pictures(workspace: &Workspace) -> Result<()> {
    let playwright = workspace.root.join("end2end/node_modules/.bin/playwright");
    let mut playwright = command(workspace, playwright)?;
    playwright.args(["test", "tests/pictures.spec.ts"]).env("CONCORD_PICTURES", "renew");
    process::run(&mut playwright)
}

/// A command in `end2end/`, with everything that the tests need but the server.
fn command(workspace: &Workspace, program: impl AsRef<OsStr>) -> Result<Command> {
    setup::node()?;
    let chromium = setup::chromium()?;
    let folder = workspace.root.join("end2end");
    if is_outdated(&folder) {
        // The browser comes from the system; Playwright's own download is large.
        let mut install = Command::new("npm");
        install.args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder);
        process::run(install.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))?;
    }
    let mut command = Command::new(program);
    command.current_dir(&folder);
    command.env("CONCORD_BIN", workspace.binary("debug")).env("CHROMIUM", chromium);
    Ok(command)
}

/// Whether npm's record of what it installed is missing or older than the lock file.
fn is_outdated(folder: &Path) -> bool {
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    let wanted = modified(&folder.join("package-lock.json"));
    installed.is_none() || wanted > installed
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::is_outdated;
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    #[test]
    fn modules_are_installed_when_missing_or_older_than_the_lock_file() {
        let dir = tempfile::tempdir().unwrap();
        let lock = File::create(dir.path().join("package-lock.json")).unwrap();
        assert!(is_outdated(dir.path()));

        fs::create_dir(dir.path().join("node_modules")).unwrap();
        let installed = File::create(dir.path().join("node_modules/.package-lock.json")).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_hours(24);
        installed.set_modified(now).unwrap();
        lock.set_modified(now - Duration::from_secs(1)).unwrap();
        assert!(!is_outdated(dir.path()));

        lock.set_modified(now + Duration::from_secs(1)).unwrap();
        assert!(is_outdated(dir.path()));
    }
}
