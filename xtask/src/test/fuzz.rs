//! `fuzz`: every fuzzer for a while. The tests run their corpora on any Rust; this looks for more.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// The most memory that one file may take, in MiB, under the sanitizer, which takes a multiple.
const MEMORY: &str = "-rss_limit_mb=2048";

/// Runs one fuzzer after the other; what it finds of its own is kept out of the committed corpus.
pub(crate) fn run(workspace: &Workspace, seconds: u32) -> Result<()> {
    let folder = workspace.root.join("fuzz");
    if !process::succeeds(fuzzer(&folder).arg("--version")) {
        bail!("please `rustup toolchain install nightly` and `cargo install cargo-fuzz`");
    }
    let targets = process::read(fuzzer(&folder).arg("list"))?;
    let found = workspace.root.join("target/fuzz-corpus");
    for target in targets.lines() {
        let grown = found.join(target);
        std::fs::create_dir_all(&grown)?;
        let mut command = fuzzer(&folder);
        command.args(["run", target]).arg(&grown).arg(folder.join("corpus").join(target));
        command.arg(workspace.root.join("crates/formats/tests/samples"));
        command.args(["--", MEMORY, "-timeout=10", &format!("-max_total_time={seconds}")]);
        process::run(&mut command)?;
    }
    Ok(())
}

/// cargo-fuzz, with nightly Rust whatever cargo runs this.
fn fuzzer(folder: &Path) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz"]).current_dir(folder).env_remove("RUSTFLAGS");
    command
}
