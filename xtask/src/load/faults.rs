//! `faults`: schedules of faults over servers, their PostgreSQL and the connections between them.

use super::pooler::{self, Pooler};
use super::value;
use crate::process;
use crate::test::binaries::build_programs;
use crate::test::postgres::{Durability, Postgres};
use crate::workspace::Workspace;
use anyhow::{Error, Result};
use std::env::consts::EXE_SUFFIX;
use std::process::Command;

/// Builds the server without optimisation, since what is wrong is wrong in it, too, and runs schedules.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    let is_asking = value(args, "--help").is_some();
    let mut build = workspace.cargo();
    build.args(["build", "--package", "load", "--bins"]);
    process::run(build.args(if is_asking { &[][..] } else { &["--package", "server"] }))?;
    schedules(workspace, args)
}

/// Ten schedules, and two more through pgBouncer where there is one that can do it.
pub(crate) fn test(workspace: &Workspace) -> Result<()> {
    build_programs(workspace)?;
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    schedules(workspace, &words("--schedules 10"))?;
    match pooler::find() {
        Ok(_) => schedules(workspace, &words("--schedules 2 --database postgres --pooler")),
        Err(why) => {
            println!("through pgBouncer: skipped: {why}");
            Ok(())
        }
    }
}

/// Starts what is missing, and hands the rest of the arguments on.
fn schedules(workspace: &Workspace, args: &[String]) -> Result<()> {
    let has_binary = value(args, "--binary").is_some();
    let is_postgres = value(args, "--database").is_none_or(|name| name != "sqlite");
    let is_pooled = value(args, "--pooler").is_some();
    let program = is_pooled.then(|| pooler::find().map_err(Error::msg)).transpose()?;
    let load = workspace.binary("debug").with_file_name(format!("load{EXE_SUFFIX}"));
    let mut command = Command::new(load);
    command.arg("faults").args(args.iter().filter(|arg| *arg != "--pooler"));
    if value(args, "--help").is_some() {
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
    let pooler = database.as_ref().zip(program.as_ref());
    let pooler = pooler.map(|(database, program)| Pooler::start(program, database)).transpose()?;
    if let Some(pooler) = &pooler {
        command.arg("--pooler-socket").arg(pooler.socket());
    }
    process::run(&mut command)
}
