//! `build`: the one binary that people get. Its two halves are built at the same time.

pub(crate) mod dist;
mod sbom;

use crate::steps::Steps;
use crate::workspace::{Profile, Workspace};
use crate::{beside::Beside, frontend::site, process, setup};
use anyhow::Result;
use std::process::Command;

/// How many steps [`build`] takes.
pub(crate) const STEPS: usize = 4;

/// `cargo xtask build`: the binary by a profile of cargo's, with the list of what it is made of.
pub(crate) fn run(workspace: &Workspace, profile: &str) -> Result<()> {
    let mut steps = Steps::new(STEPS + 1);
    build(workspace, profile, &mut steps)?;
    let binary = workspace.binary(profile);
    let list = binary.with_extension("cdx.json");
    steps.run("bill of materials", || sbom::write(workspace, &sbom::host()?, &list))?;
    println!("\n{}\n{}", binary.display(), list.display());
    Ok(())
}

/// Builds the binary. The last step puts both halves together.
pub(crate) fn build(workspace: &Workspace, profile: &str, steps: &mut Steps) -> Result<()> {
    steps.run("set-up", setup::wasm_target)?;
    let front_end = Beside::front_end(workspace, &[])?;
    steps.run("server", || process::run(cargo_build(workspace, profile)?.arg("--lib")))?;
    steps.run("front end", || front_end.finish())?;
    steps.run("binary", || build_server(workspace, profile))
}

/// The binary `concord`.
pub(crate) fn build_server(workspace: &Workspace, profile: &str) -> Result<()> {
    process::run(&mut cargo_build(workspace, profile)?)
}

/// How cargo builds the server. Only what is not for development carries the front end.
pub(crate) fn cargo_build(workspace: &Workspace, profile: &str) -> Result<Command> {
    let mut command = workspace.cargo();
    command.arg("build");
    cargo_build_by(&mut command, workspace, profile)?;
    Ok(command)
}

/// Has a command of cargo's that builds do that.
fn cargo_build_by(command: &mut Command, workspace: &Workspace, profile: &str) -> Result<()> {
    command.args(["--package", "server", "--profile", profile]);
    let site = workspace.site(Profile::Release);
    if profile != "dev" && site.is_dir() {
        command.env("CONCORD_FRONT_END", site::fingerprint(&site)?);
    }
    Ok(())
}
