//! The `concord` binary.

use std::{
    io::{Write, stderr},
    process::ExitCode,
};

use clap::Parser;
use server::cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    match Cli::parse().run().await {
        Ok(code) => code,
        Err(error) => {
            // If nobody listens to standard error, the exit code still says it.
            drop(writeln!(stderr(), "concord: {error}"));
            ExitCode::FAILURE
        }
    }
}
