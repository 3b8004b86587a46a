//! Makes sure that the folder of the front end exists and that a release build, which embeds it,
//! follows its changes.

use std::{env, fs, io};

/// Where `cargo xtask build` puts the front end.
const SITE: &str = "../target/site";

fn main() -> io::Result<()> {
    // A path that is not there when the folder is embedded is not found later, either.
    fs::create_dir_all(SITE)?;
    let embeds = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if embeds { SITE } else { "build.rs" });
    Ok(())
}
