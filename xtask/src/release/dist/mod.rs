//! `dist`: what people install. A static binary in an archive, a package for Debian and an image for each
//! kind of machine, a chart, lists of what is in them, and checksums.

mod archive;
mod chart;
mod check;
mod contents;
mod deb;
mod image;
mod machine;
mod packages;

use self::archive::{digest, gzip};
use self::machine::Machine;
use self::packages::{Packages, SUMS, VERSION};
use super::sbom;
use crate::steps::Steps;
use crate::workspace::{Profile, Workspace};
use crate::{beside::Beside, process, setup};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most that an image may have, in bytes.
const LARGEST_IMAGE: u64 = 60_000_000;

/// What to make.
#[derive(Args)]
pub(crate) struct Dist {
    /// Only for machines of this kind.
    #[arg(long = "machine", value_name = "KIND", value_delimiter = ',')]
    machines: Vec<Machine>,
    /// Only check what was made before: install it in a clean root, start it, work with it.
    #[arg(long)]
    check: bool,
}

/// Makes everything, and checks it.
pub(crate) fn run(workspace: &Workspace, dist: &Dist) -> Result<()> {
    let machines = match dist.machines.as_slice() {
        [] => Machine::value_variants(),
        chosen => chosen,
    };
    let packages = Packages::of(workspace);
    let checks = check::steps(machines);
    if dist.check {
        let mut steps = Steps::new(checks);
        return check::run(workspace, &packages, machines, &mut steps);
    }
    let mut steps = Steps::new(5 + machines.len() + checks);
    make(workspace, &packages, machines, &mut steps)?;
    check::run(workspace, &packages, machines, &mut steps)?;
    println!("\n{}\n{}", steps.summary(), packages.folder().display());
    Ok(())
}

fn make(
    workspace: &Workspace,
    packages: &Packages,
    machines: &[Machine],
    steps: &mut Steps,
) -> Result<()> {
    let epoch = epoch(workspace)?;
    steps.run("set-up", || {
        setup::wasm_target()?;
        // The server crate embeds this folder and does not compile without it.
        fs::create_dir_all(workspace.site(Profile::Release).join("pkg"))?;
        machines.iter().try_for_each(|machine| machine.set_up(workspace))
    })?;
    let front_end = Beside::front_end(workspace, &[])?;
    steps.run("server", || {
        let build =
            |machine: &Machine| process::run(machine.cargo_build(workspace, epoch)?.arg("--lib"));
        machines.iter().try_for_each(build)
    })?;
    steps.run("front end", || front_end.finish())?;
    if packages.folder().exists() {
        fs::remove_dir_all(packages.folder())?;
    }
    fs::create_dir_all(packages.folder())?;
    for machine in machines {
        steps.run(machine.name(), || package(workspace, packages, *machine, epoch))?;
    }
    steps.run("chart", || {
        let chart = chart::package(&workspace.root.join("deploy"), VERSION, epoch)?;
        write(&packages.chart(), &chart)
    })?;
    steps.run("checksums", || {
        let sums = sums(packages.folder())?;
        write(&packages.folder().join(SUMS), sums.as_bytes())
    })
}

/// Everything for one kind of machine.
fn package(workspace: &Workspace, packages: &Packages, machine: Machine, epoch: u64) -> Result<()> {
    process::run(&mut machine.cargo_build(workspace, epoch)?)?;
    let binary = machine.binary(workspace);
    let materials = packages.materials(machine);
    sbom::write(workspace, machine.triple(), &materials)?;
    let files = contents::files(workspace, machine, &binary, &materials)?;
    let deploy = workspace.root.join("deploy");
    write(&packages.deb(machine), &deb::package(&files, machine, VERSION, &deploy, epoch)?)?;
    let stem = Packages::stem(machine);
    let files =
        files.renamed(|path| format!("{stem}/{}", path.strip_prefix("usr/").unwrap_or(path)));
    write(&packages.archive(machine), &gzip(&files.tar(epoch)?)?)?;
    let image = packages.image(machine);
    write(&image, &image::archive(&binary, machine, VERSION, epoch)?)?;
    let size = fs::metadata(&image)?.len();
    if size > LARGEST_IMAGE {
        bail!("the image has {size} bytes, over the limit of {LARGEST_IMAGE}");
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    println!("{} ({} bytes)", path.display(), content.len());
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// The moment that all files are of, in seconds: that of the commit, unless the environment names one.
fn epoch(workspace: &Workspace) -> Result<u64> {
    let chosen = std::env::var("SOURCE_DATE_EPOCH").ok();
    let commit = || {
        let mut git = Command::new("git");
        process::read(git.args(["log", "-1", "--format=%ct"]).current_dir(&workspace.root))
    };
    let epoch = chosen.map_or_else(commit, Ok)?;
    epoch.trim().parse().context("SOURCE_DATE_EPOCH is a number of seconds")
}

/// A line for each file, as `sha256sum --check` reads it.
fn sums(folder: &Path) -> Result<String> {
    let mut sums = BTreeMap::new();
    for file in fs::read_dir(folder)? {
        let file = file?.path();
        let name = file.file_name().and_then(OsStr::to_str).context("a name that is no UTF-8")?;
        sums.insert(name.to_owned(), digest(&fs::read(&file)?));
    }
    let lines: Vec<_> = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::sums;
    use crate::process;
    use std::fs;
    use std::process::Command;

    #[test]
    fn checksums_are_those_that_others_compute() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("b"), "two").unwrap();
        fs::write(dir.path().join("a"), "one").unwrap();
        let sums = sums(dir.path()).unwrap();
        assert_eq!(sums.lines().count(), 2);
        let list = dir.path().join("list");
        fs::write(&list, sums).unwrap();
        let check = || {
            let mut command = Command::new("sha256sum");
            process::succeeds(command.args(["--check", "list"]).current_dir(dir.path()))
        };
        assert!(check());
        fs::write(dir.path().join("a"), "another").unwrap();
        assert!(!check());
    }
}
