//! `reference`: files of other tools are judged by the programs that their formats are from, in a
//! Python environment of its own.

use crate::workspace::Workspace;
use crate::{
    process,
    test::binaries,
    test::python::{self, pip},
};
use anyhow::{Context, Result};
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
    binaries::build_programs(workspace)?;
    exchange(workspace, "write", &files)?;
    let check = workspace.root.join("crates/formats/tests/reference/check.py");
    process::run(Command::new(&python).arg(check).arg(&files).arg(folder.join("doccano")))?;
    exchange(workspace, "read", &files)
}

fn exchange(workspace: &Workspace, direction: &str, files: &Path) -> Result<()> {
    process::run(Command::new(workspace.example("exchange")).arg(direction).arg(files))
}

/// The Python of an environment that has what `requirements` lists, with doccano beside it.
fn environment(folder: &Path, requirements: &Path) -> Result<PathBuf> {
    let wanted = format!("{}{DOCCANO}\n", fs::read_to_string(requirements)?);
    python::environment(folder, &wanted, |python| {
        println!("the first run installs the programs to compare with, about 600 MB");
        process::run(pip(python).args(["install", "--requirement"]).arg(requirements))?;
        process::run(pip(python).args(["download", "--no-deps", DOCCANO, "--dest"]).arg(folder))?;
        let wheel = fs::read_dir(folder)?
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
            .context("pip did not leave a wheel of doccano")?;
        let unpacked = folder.join("doccano");
        process::run(
            Command::new(python).args(["-m", "zipfile", "--extract"]).arg(&wheel).arg(unpacked),
        )?;
        Ok(fs::remove_file(wheel)?)
    })
}
