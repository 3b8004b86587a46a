//! `build`: the one binary that people get. Its two halves are built at the same time.

mod sbom;

use crate::serve::{build_server, cargo_build};
use crate::steps::Steps;
use crate::workspace::Workspace;
use crate::{beside::Beside, process, setup};
use anyhow::Result;

/// How many steps [`build`] takes.
pub(crate) const STEPS: usize = 4;

/// `cargo xtask build`: the binary by a profile of cargo's, with the list of what it is made of.
pub(crate) fn run(workspace: &Workspace, profile: &str) -> Result<()> {
    let mut steps = Steps::new(STEPS + 1);
    build(workspace, profile, &mut steps)?;
    let binary = workspace.binary(profile);
    let list = steps.run("bill of materials", || sbom::write(workspace, &binary))?;
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
