//! `cargo xtask load`: servers on one database, labelers who save at a rate, dashboards that follow; and
//! what it took, to the last thousandth. A program of its own, so that xtask stays quick to compile.
#![expect(clippy::print_stdout, reason = "a program for a terminal talks on standard output")]

mod client;
mod corpus;
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

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    ensure!(options.rate > 0.0, "a rate is more than nothing");
    let is_postgres = options.database == Engine::Postgres;
    let is_named = options.database_url.is_some();
    ensure!(is_postgres == is_named, "`cargo xtask load` names the database of PostgreSQL");
    raise_limit_of_files();
    let report = measuring::run(&options).await?;
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
