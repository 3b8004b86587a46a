//! The `concord` binary.

use std::{
    io::{Write, stderr},
    process::ExitCode,
};

use clap::Parser;
use mimalloc::MiMalloc;
use server::cli::Cli;

/// Gives back what is not needed any more: the system's own keeps every large block that was ever
/// in use, once for each thread that had one.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

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
