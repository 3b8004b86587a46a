//! Python environments of our own, each with what its list says, made anew when the list changes.

use crate::process::{self, find_program};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of the environment in `folder`, which `install` puts into it what `wanted` lists.
pub(crate) fn environment(
    folder: &Path,
    wanted: &str,
    install: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let python = folder.join("venv/bin/python");
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|there| there == wanted) {
        return Ok(python);
    }
    let Some(system) = find_program("python3") else {
        bail!("python3 is missing: please install python3 with python3-venv (3.10 or newer)");
    };
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    process::run(Command::new(system).args(["-m", "venv"]).arg(folder.join("venv")))
        .context("`python3 -m venv` does not work: please install python3-venv")?;
    install(&python)?;
    fs::write(installed, wanted)?;
    Ok(python)
}

/// The `pip` of an environment.
pub(crate) fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--disable-pip-version-check"]);
    command
}
