//! Installs what was made in clean roots, in a network with nothing but loopback, and works with it.

mod archive;
mod deb;
mod helm;
mod image;
mod job;
mod network;
mod server;

use super::machine::Machine;
use super::packages::{Packages, SUMS};
use crate::steps::Steps;
use crate::workspace::Workspace;
use crate::{process, setup};
use anyhow::{Result, bail};
use std::process::Command;

/// What the checks start, and the package of Debian's that has it.
const PROGRAMS: [(&str, &str); 8] = [
    ("curl", "curl"),
    ("ip", "iproute2"),
    ("readelf", "binutils"),
    ("runc", "runc"),
    ("skopeo", "skopeo"),
    ("systemd-analyze", "systemd"),
    ("umoci", "umoci"),
    ("unshare", "util-linux"),
];

/// How many steps [`run`] takes.
pub(super) fn steps(machines: &[Machine]) -> usize {
    3 + 3 * machines.len()
}

/// Checks all packages.
pub(super) fn run(
    workspace: &Workspace,
    packages: &Packages,
    machines: &[Machine],
    steps: &mut Steps,
) -> Result<()> {
    steps.run("set-up of checks", || {
        if !setup::is_root() {
            bail!("to install and to make networks takes root: `sudo cargo xtask dist --check`");
        }
        PROGRAMS.iter().try_for_each(|(name, package)| setup::program(name, package))
    })?;
    steps.run("checksums hold", || {
        let mut command = Command::new("sha256sum");
        process::run(command.args(["--check", "--strict", SUMS]).current_dir(packages.folder()))
    })?;
    steps.run("chart", || helm::check(workspace, &packages.chart()))?;
    for machine in machines {
        println!("\nfor {}", machine.name());
        steps.run("archive", || archive::check(packages, *machine))?;
        steps.run("package for Debian", || deb::check(packages, *machine))?;
        steps.run("image", || image::check(packages, *machine))?;
    }
    Ok(())
}
