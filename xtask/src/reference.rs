//! `reference`: files of other tools are judged by the programs that their formats are from, in a
//! Python environment of its own.

use crate::process::{self, cargo, find_program};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// doccano is not installed, only unpacked: its import code is read, not its server.
const DOCCANO: &str = "doccano==1.8.4";

/// Writes files, has the other programs read them and write theirs, and reads those.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.reference();
    let requirements = workspace.root.join("crates/formats/tests/reference/requirements.txt");
    let python = environment(&folder, &requirements)?;
    let files = folder.join("files");
    if files.exists() {
        fs::remove_dir_all(&files)?;
    }
    exchange(workspace, "write", &files)?;
    let check = workspace.root.join("crates/formats/tests/reference/check.py");
    process::run(Command::new(&python).arg(check).arg(&files).arg(folder.join("doccano")))?;
    exchange(workspace, "read", &files)
}

fn exchange(workspace: &Workspace, direction: &str, files: &Path) -> Result<()> {
    let mut command = cargo(workspace);
    command.args(["run", "--quiet", "--package", "formats", "--example", "exchange", "--"]);
    process::run(command.arg(direction).arg(files))
}

/// The Python of an environment that has what `requirements` lists; made anew when the list changes.
fn environment(folder: &Path, requirements: &Path) -> Result<PathBuf> {
    let wanted = format!("{}{DOCCANO}\n", fs::read_to_string(requirements)?);
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
    println!("the first run installs the programs to compare with, about 600 MB");
    process::run(Command::new(system).args(["-m", "venv"]).arg(folder.join("venv")))
        .context("`python3 -m venv` does not work: please install python3-venv")?;
    let pip = || {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "--disable-pip-version-check"]);
        command
    };
    process::run(pip().args(["install", "--requirement"]).arg(requirements))?;
    process::run(pip().args(["download", "--no-deps", DOCCANO, "--dest"]).arg(folder))?;
    let wheel = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .context("pip did not leave a wheel of doccano")?;
    let unpacked = folder.join("doccano");
    process::run(
        Command::new(&python).args(["-m", "zipfile", "--extract"]).arg(&wheel).arg(unpacked),
    )?;
    fs::remove_file(wheel)?;
    fs::write(installed, wanted)?;
    Ok(python)
}
