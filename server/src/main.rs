//! The `concord` binary.

use std::{env::args_os, process::ExitCode, time::Duration};

use mimalloc::MiMalloc;
use rust_embed::Embed;
use server::{
    Assets,
    cli::{Cli, settle},
};

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

/// How long work on threads that may block is waited for once all else has ended; nobody is there any
/// more to be answered.
const LAST_WORK: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let settled = match settle(args_os().collect()) {
        Ok(settled) => settled,
        Err(error) => return error.exit(),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: no threads to work on: {error}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = runtime.block_on(Cli::run(settled, Assets::of::<FrontEndFiles>()));
    runtime.shutdown_timeout(LAST_WORK);
    match outcome {
        Ok(code) => code,
        Err(error) => error.exit(),
    }
}
