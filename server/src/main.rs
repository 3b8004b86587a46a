//! The `concord` binary.

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;
use rust_embed::Embed;
use server::{Assets, cli::Cli};

/// Gives back what is not needed any more: the system's own keeps every large block that was ever
/// in use, once for each thread that had one.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// What the build of the front end has made: inside the binary in release builds, read from disk in
/// others.
#[derive(Embed)]
#[folder = "../target/site/"]
#[allow_missing = true]
struct FrontEndFiles;

/// A build for release says here what is in that folder: where it is something else, this file is
/// compiled again, and nothing else of the server.
const _: Option<&str> = option_env!("CONCORD_FRONT_END");

#[tokio::main]
async fn main() -> ExitCode {
    match Cli::parse().run(Assets::of::<FrontEndFiles>()).await {
        Ok(code) => code,
        Err(error) => error.exit(),
    }
}
