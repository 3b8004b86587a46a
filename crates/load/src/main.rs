//! `cargo xtask load`, `faults` and `upgrade`: servers on one database, and labelers who save. The
//! first measures what it takes with dashboards that follow, the others have things go wrong meanwhile. A
//! program of its own, so that xtask stays quick to compile.
#![expect(clippy::print_stdout, reason = "a program for a terminal talks on standard output")]

mod client;
mod corpus;
mod faults;
mod latency;
mod measuring;
mod moments;
mod options;
mod people;
mod report;
mod servers;

use anyhow::{Result, ensure};
use clap::Parser;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use self::options::{Engine, Options};

/// What is to be done.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Program {
    Load(Box<Options>),
    Faults(Box<faults::Options>),
    Upgrade(Box<faults::Options>),
}

#[tokio::main]
async fn main() -> Result<()> {
    raise_limit_of_files();
    match Program::parse() {
        Program::Load(options) => load(&options).await,
        Program::Faults(options) => faults::run(&options).await,
        Program::Upgrade(options) => faults::upgrade::run(&options).await,
    }
}

/// Measures, reports, and fails if verification has found something.
async fn load(options: &Options) -> Result<()> {
    ensure!(options.rate > 0.0, "a rate is more than nothing");
    let is_postgres = options.database == Engine::Postgres;
    let is_named = options.database_url.is_some();
    ensure!(is_postgres == is_named, "`cargo xtask load` names the database of PostgreSQL");
    let report = measuring::run(options).await?;
    println!("\n{}", report::table(&report));
    if let Some(file) = &options.json {
        std::fs::write(file, serde_json::to_vec_pretty(&report)?)?;
    }
    let is_right = report.lost_saves == 0 && report.problems.is_empty();
    ensure!(is_right, "verification has found something");
    Ok(())
}

/// Each connection is an open file, here and in the servers, which take over what is allowed here.
fn raise_limit_of_files() {
    let limit = getrlimit(Resource::Nofile);
    // Where it may not be raised, connections fail and say so.
    let raised = Rlimit { current: limit.maximum, ..limit };
    let _is_raised = setrlimit(Resource::Nofile, raised).is_ok();
}
