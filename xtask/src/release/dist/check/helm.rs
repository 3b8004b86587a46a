//! The chart: linted and rendered by Helm's own code, for values of several kinds.

use crate::process;
use crate::test::python::{environment, pip};
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Helm as a library, which pip installs where Helm itself is no package of this system.
const PACKAGES: [&str; 2] = ["helm-python-sdk==0.2.2", "pyyaml==6.0.4"];

/// Checks the packed chart.
pub(super) fn check(workspace: &Workspace, chart: &Path) -> Result<()> {
    let wanted = PACKAGES.join("\n");
    let python = environment(&workspace.helm(), &wanted, |python| {
        process::run(pip(python).args(["install", "--quiet"]).args(PACKAGES))
    })?;
    let script = workspace.root.join("xtask/src/release/dist/check/helm_check.py");
    process::run(Command::new(python).arg(script).arg(chart))
}
