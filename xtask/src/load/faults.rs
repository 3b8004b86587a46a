//! `faults`: schedules of faults over servers, their PostgreSQL and the connections between them.

use super::value;
use crate::process;
use crate::test::binaries::build_programs;
use crate::test::postgres::{Durability, Postgres};
use crate::workspace::Workspace;
use anyhow::Result;
use std::env::consts::EXE_SUFFIX;
use std::process::Command;

/// Schedules of faults, against the server without optimisation: what is wrong is wrong in it, too.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    let is_asking = value(args, "--help").is_some();
    let has_binary = value(args, "--binary").is_some();
    let is_postgres = value(args, "--database").is_none_or(|name| name != "sqlite");
    if is_asking {
        process::run(workspace.cargo().args(["build", "--package", "load"]))?;
    } else {
        build_programs(workspace)?;
    }
    let program = workspace.binary("debug").with_file_name(format!("load{EXE_SUFFIX}"));
    let mut command = Command::new(program);
    command.arg("faults").args(args).current_dir(std::env::current_dir()?);
    if is_asking {
        return process::run(&mut command);
    }
    if !has_binary {
        command.arg("--binary").arg(workspace.binary("debug"));
    }
    let database =
        is_postgres.then(|| Postgres::start_with(Durability::OfProcesses)).transpose()?;
    if let Some(database) = &database {
        command.arg("--postgres").arg(database.folder());
    }
    process::run(&mut command)
}
