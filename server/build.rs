//! Makes sure that the folder of the front end exists.

use std::{fs, io};

fn main() -> io::Result<()> {
    // A path that is not there when the folder is embedded is not found later, either.
    fs::create_dir_all("../target/site")?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
