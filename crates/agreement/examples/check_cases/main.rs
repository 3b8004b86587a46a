//! Checks this crate against a file of published and computed cases.
//!
//! `cargo run --release -p agreement --example check_cases -- FILE` prints a line for each case
//! that fails or is unsupported, then `N passed, M failed`; it succeeds only if all pass.

mod coding;
mod inference;
mod unitizing;
mod verdict;

use std::env;
use std::error::Error;
use std::fs;
use std::process::ExitCode;

use serde_json::Value;
use verdict::verdict;

#[expect(clippy::print_stdout, reason = "this is what the program is for")]
fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: check_cases FILE")?;
    let file: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let cases = cases(&file).ok_or("there is no list of cases")?;
    let failures = failures(cases);
    for failure in &failures {
        println!("{failure}");
    }
    println!("{} passed, {} failed", cases.len() - failures.len(), failures.len());
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The cases of a file, which may be nothing but their list.
pub(crate) fn cases(file: &Value) -> Option<&[Value]> {
    file.get("cases").unwrap_or(file).as_array().map(Vec::as_slice)
}

/// A line for each case that is not met.
pub(crate) fn failures(cases: &[Value]) -> Vec<String> {
    let failure = |case: &Value| {
        let id = case["id"].as_str().unwrap_or("a case without id");
        verdict(case).err().map(|why| format!("{id}: {why}"))
    };
    cases.iter().filter_map(failure).collect()
}
