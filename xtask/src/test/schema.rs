//! `schema`: the REST interface is asked for everything that its description has, and its answers
//! are held against the description, by schemathesis.

use crate::workspace::Workspace;
use crate::{
    process,
    test::binaries,
    test::python::{environment, pip},
};
use anyhow::Result;
use std::fs;
use std::process::Command;

/// Asks the debug binary as people of three roles.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let tests = workspace.root.join("server/tests/schema");
    let requirements = tests.join("requirements.txt");
    let wanted = fs::read_to_string(&requirements)?;
    let python = environment(&workspace.schema(), &wanted, |python| {
        process::run(pip(python).args(["install", "--quiet", "--requirement"]).arg(&requirements))
    })?;
    binaries::build_programs(workspace)?;
    process::run(Command::new(python).arg(tests.join("check.py")).arg(workspace.binary("debug")))
}
