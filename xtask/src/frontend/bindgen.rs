//! From rustc's wasm to what a browser loads: wasm-bindgen for the JavaScript, wasm-opt for size.

use crate::process;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// What rustc emits for the browser today, and every browser of the last years runs.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Nothing lives in the first KiB of memory: rustc puts the stack there, which grows towards it. An
/// offset below that cannot overflow, so that wasm-opt may fold it into the access.
const LOW_MEMORY: &str = "--low-memory-unused";

/// Writes `<name>.js`, `<name>_bg.wasm` and perhaps `snippets/` into `out`.
pub(crate) fn generate(wasm: &Path, out: &Path, name: &str, keep_names: bool) -> Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .out_name(name)
        .web(true)?
        .typescript(false)
        // The page passes the path, which has the hash of the content in it.
        .omit_default_module_path(true)
        .remove_name_section(!keep_names)
        .remove_producers_section(!keep_names)
        .generate(out)
        .with_context(|| format!("wasm-bindgen refuses {}", wasm.display()))
}

/// Shrinks the file in place. When wasm-opt fails it stays as it is: larger, but right.
pub(crate) fn optimise(wasm_opt: &Path, wasm: &Path) -> Result<()> {
    let smaller = wasm.with_extension("opt");
    let mut command = Command::new(wasm_opt);
    command
        .args(["-Oz", "--converge", LOW_MEMORY])
        .args(FEATURES)
        .arg("-o")
        .arg(&smaller)
        .arg(wasm);
    match process::run(&mut command) {
        Ok(()) => fs::rename(&smaller, wasm)?,
        Err(error) => println!("warning: the front end is larger than needed: {error:#}"),
    }
    Ok(())
}
