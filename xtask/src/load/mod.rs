//! `load`: the optimised server, a database for it, and the load generator between them.
//!
//! The generator is a crate of its own, `crates/load`: what it needs to hold thousands of connections would
//! be compiled with every `cargo xtask serve`.

pub(crate) mod faults;
mod pooler;
pub(crate) mod upgrade;

use crate::process;
use crate::release::build_server;
use crate::steps::Steps;
use crate::test::postgres::{Durability, Postgres};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::env::consts::EXE_SUFFIX;
use std::process::Command;

/// Starts what is missing, and hands the rest of the arguments on.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    let is_asking = value(args, "--help").is_some();
    let has_binary = value(args, "--binary").is_some();
    let has_database = value(args, "--database-url").is_some();
    let is_postgres = value(args, "--database").is_none_or(|name| name == "postgres");
    let starts_postgres = is_postgres && !has_database;

    let mut steps = Steps::new(2 + usize::from(!has_binary) + usize::from(starts_postgres));
    steps.run("generator", || {
        process::run(workspace.cargo().args(["build", "--package", "load", "--profile", "release"]))
    })?;
    let program = workspace.binary("release").with_file_name(format!("load{EXE_SUFFIX}"));
    let mut command = Command::new(program);
    command.arg("load").args(args).current_dir(std::env::current_dir()?);
    if is_asking {
        return process::run(&mut command);
    }
    if !has_binary {
        steps.run("server", || build_server(workspace, "release"))?;
        command.arg("--binary").arg(workspace.binary("release"));
    }
    let database = starts_postgres
        .then(|| steps.run("postgres", || Postgres::start_with(Durability::AsUsual)))
        .transpose()?;
    if let Some(database) = &database {
        command.args(["--database-url", &database.variable().1]);
        let process = database.process().context("PostgreSQL does not say its process")?;
        command.args(["--database-process", &process.to_string()]);
        command.arg("--database-folder").arg(database.tables());
    }
    steps.run("load", || process::run(&mut command))
}
/// The value of an option, or nothing more than its name.
fn value<'a>(args: &'a [String], option: &str) -> Option<&'a str> {
    let place = args.iter().position(|arg| {
        arg.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })?;
    let (given, next) = (args.get(place)?, args.get(place + 1));
    let beside = given.split_once('=').map(|(_, value)| value);
    Some(beside.or(next.map(String::as_str)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn options_are_found_in_both_ways_of_writing_them() {
        let args = ["--servers", "2", "--database=sqlite", "--help"].map(str::to_owned);
        assert_eq!(value(&args, "--servers"), Some("2"));
        assert_eq!(value(&args, "--database"), Some("sqlite"));
        assert_eq!(value(&args, "--help"), Some(""));
        assert_eq!(value(&args, "--binary"), None);
        assert_eq!(value(&args, "--data"), None);
    }
}
