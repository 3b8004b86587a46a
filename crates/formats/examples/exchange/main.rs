//! Exchanges documents with programs of other people: `exchange write DIR` writes some documents
//! in every format, `exchange read DIR` compares what the others made of them.
//! `tests/reference/check.py` is the other side.

mod documents;
mod reading;
mod writing;

use std::path::Path;
use std::process::ExitCode;

type ExampleResult = Result<(), Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["write", folder] => writing::write_all(Path::new(folder)),
        ["read", folder] => reading::read_all(Path::new(folder)),
        _ => Err("usage: exchange write|read DIR".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
