//! `reference`: files of other tools are judged by the programs that their formats are from, and measures
//! by the libraries that have them, each in a Python environment of its own.

use crate::workspace::Workspace;
use crate::{
    process,
    test::binaries,
    test::python::{self, pip},
};
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is put beside the environment without all that it wants: its code is read, not its server.
const ALONE: [&str; 2] = ["doccano==1.8.4", "doccano-transformer==1.0.2"];

/// What holds an older `SciPy` than the other libraries need, and works with theirs.
const WITH_OTHERS: &str = "irrCAC==0.4.4";

/// Makes the samples anew that the tests read.
pub(crate) fn make(workspace: &Workspace) -> Result<()> {
    let python = environment(workspace)?;
    let samples = samples(workspace);
    if samples.exists() {
        fs::remove_dir_all(&samples)?;
    }
    make_samples(workspace, &python, &samples)
}

/// Writes files, has the other programs read them and write theirs, and reads those; holds the samples
/// against what those programs make of them now, and measures of studies against those of libraries.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.reference();
    let python = environment(workspace)?;
    compare_samples(workspace, &python)?;
    let files = folder.join("files");
    if files.exists() {
        fs::remove_dir_all(&files)?;
    }
    binaries::build_programs(workspace)?;
    exchange(workspace, "write", &files)?;
    let check = scripts(workspace).join("check.py");
    process::run(Command::new(&python).arg(check).arg(&files).arg(folder.join("doccano")))?;
    exchange(workspace, "read", &files)?;
    compare_measures(workspace)
}

/// Measures random studies here and by other libraries.
fn compare_measures(workspace: &Workspace) -> Result<()> {
    let folder = workspace.reference().join("measures");
    let scripts = workspace.root.join("crates/study/tests/reference");
    let requirements = scripts.join("requirements.txt");
    let wanted = format!("{}{WITH_OTHERS}", fs::read_to_string(&requirements)?);
    let python = python::environment(&folder, &wanted, |python| {
        process::run(pip(python).args(["install", "--quiet", "--requirement"]).arg(&requirements))?;
        process::run(pip(python).args(["install", "--quiet", "--no-deps", WITH_OTHERS]))
    })?;
    let check = scripts.join("check.py");
    let mut command = Command::new(&python);
    command.arg(check).arg(workspace.example("measure")).arg(folder.join("studies"));
    process::run(command.env("PYTHONDONTWRITEBYTECODE", "1"))
}

fn exchange(workspace: &Workspace, direction: &str, files: &Path) -> Result<()> {
    process::run(Command::new(workspace.example("exchange")).arg(direction).arg(files))
}

fn scripts(workspace: &Workspace) -> PathBuf {
    workspace.root.join("crates/formats/tests/reference")
}

fn samples(workspace: &Workspace) -> PathBuf {
    workspace.root.join("crates/formats/tests/samples")
}

fn make_samples(workspace: &Workspace, python: &Path, folder: &Path) -> Result<()> {
    let mut command = Command::new(python);
    command.arg(scripts(workspace).join("make.py")).arg(folder);
    command.arg(workspace.reference().join("doccano"));
    process::run(command.env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// Fails with the names of the samples that are made otherwise now.
fn compare_samples(workspace: &Workspace, python: &Path) -> Result<()> {
    let made = workspace.reference().join("samples");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    make_samples(workspace, python, &made)?;
    let (made, committed) = (files(&made)?, files(&samples(workspace))?);
    let names: BTreeSet<_> = made.keys().chain(committed.keys()).collect();
    let other: Vec<_> = names
        .into_iter()
        .filter(|name| made.get(*name) != committed.get(*name))
        .map(|name| name.display().to_string())
        .collect();
    if other.is_empty() {
        return Ok(());
    }
    bail!(
        "the tools write other samples now; see `cargo xtask reference --make`: {}",
        other.join(", ")
    )
}

/// The files in a folder and below, by their paths in it.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder)?.to_owned(), fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// The Python of an environment that has what the requirements list, with doccano beside it.
fn environment(workspace: &Workspace) -> Result<PathBuf> {
    let folder = &workspace.reference();
    let requirements = &scripts(workspace).join("requirements.txt");
    let wanted = format!("{}{}\n", fs::read_to_string(requirements)?, ALONE.join("\n"));
    python::environment(folder, &wanted, |python| {
        println!("the first run installs the programs to compare with, about 700 MB");
        process::run(pip(python).args(["install", "--requirement"]).arg(requirements))?;
        let mut beside = pip(python);
        beside.args(["install", "--no-deps", "--target"]).arg(folder.join("doccano")).args(ALONE);
        process::run(&mut beside)
    })
}
