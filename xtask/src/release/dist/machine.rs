//! The kinds of machines that packages are for, and how cargo builds for each.

use crate::release::cargo_build_by;
use crate::test::python::{environment, pip};
use crate::workspace::Workspace;
use crate::{process, setup};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds for machines of another kind: a C compiler with the headers of musl for each, and what has
/// cargo use it.
const CROSS_COMPILER: [&str; 2] = ["cargo-zigbuild==0.24.1", "ziglang==0.16.0"];

/// The profile of cargo that is shipped.
const PROFILE: &str = "dist";

/// A kind of machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Machine {
    #[value(name = "x86_64")]
    X86,
    #[value(name = "aarch64")]
    Arm,
}

impl Machine {
    /// Its name as Rust and Linux have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::X86 => "x86_64",
            Self::Arm => "aarch64",
        }
    }

    /// Its name as Debian and images have it.
    pub(super) fn architecture(self) -> &'static str {
        match self {
            Self::X86 => "amd64",
            Self::Arm => "arm64",
        }
    }

    /// Its name for rustc, with a C library that is linked into the program.
    pub(super) fn triple(self) -> &'static str {
        match self {
            Self::X86 => "x86_64-unknown-linux-musl",
            Self::Arm => "aarch64-unknown-linux-musl",
        }
    }

    /// Whether it is the one that this program runs on.
    pub(super) fn is_here(self) -> bool {
        env::consts::ARCH == self.name()
    }

    /// What starts a program of this kind of machine here, which may be to interpret it.
    pub(super) fn command(self, program: &Path) -> Command {
        if self.is_here() {
            return Command::new(program);
        }
        let mut command = Command::new(format!("qemu-{}", self.name()));
        command.arg(program);
        command
    }

    /// Installs what it takes to build for it, and to start what was built.
    pub(super) fn set_up(self, workspace: &Workspace) -> Result<()> {
        setup::target(self.triple())?;
        if self.is_here() {
            return setup::program("musl-gcc", "musl-tools");
        }
        cross_compiler(workspace)?;
        setup::program(&format!("qemu-{}", self.name()), "qemu-user")
    }

    /// The binary, where cargo leaves it.
    pub(super) fn binary(self, workspace: &Workspace) -> PathBuf {
        workspace.binary(self.triple()).with_file_name(PROFILE).join("concord")
    }

    /// How cargo builds the server for it: the same bytes wherever the sources lie.
    pub(super) fn cargo_build(self, workspace: &Workspace, epoch: u64) -> Result<Command> {
        let mut command = workspace.cargo();
        if self.is_here() {
            command.arg("build");
        } else {
            let programs = cross_compiler(workspace)?;
            let paths = env::var_os("PATH").unwrap_or_default();
            let paths = std::iter::once(programs).chain(env::split_paths(&paths));
            command.arg("zigbuild").env("PATH", env::join_paths(paths)?);
        }
        cargo_build_by(&mut command, workspace, PROFILE)?;
        command.args(["--locked", "--target", self.triple(), "--config"]);
        command.arg(format!("build.rustflags=[{}]", remaps(workspace)?));
        command.env("SOURCE_DATE_EPOCH", epoch.to_string());
        Ok(command)
    }
}

/// The folder with the programs that build for other machines.
fn cross_compiler(workspace: &Workspace) -> Result<PathBuf> {
    let wanted = CROSS_COMPILER.join("\n");
    let python = environment(&workspace.cross_compiler(), &wanted, |python| {
        process::run(pip(python).args(["install", "--quiet"]).args(CROSS_COMPILER))
    })?;
    python.parent().map(Path::to_owned).context("python is in no folder")
}

/// What takes the folders of this machine out of what a program says of its sources, as TOML.
fn remaps(workspace: &Workspace) -> Result<String> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cargo").into_os_string());
    let cargo: Option<OsString> = env::var_os("CARGO_HOME").or_else(home);
    let cargo = PathBuf::from(cargo.context("neither CARGO_HOME nor HOME is set")?);
    let folders = [(workspace.root.as_path(), "concord"), (cargo.as_path(), "cargo")];
    let flag = |(folder, name): (&Path, &str)| {
        serde_json::to_string(&format!("--remap-path-prefix={}={name}", folder.display()))
    };
    // A string of JSON is one of TOML.
    let flags = folders.into_iter().map(flag).collect::<Result<Vec<_>, _>>()?;
    Ok(flags.join(", "))
}
