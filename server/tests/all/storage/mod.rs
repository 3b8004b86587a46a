//! Every command under every error of the storage: what was acknowledged is stored once, what was refused is
//! not, and the server recovers by itself.

mod commands;
mod keys;
mod postgres;
mod proxy;
mod sqlite;

use std::{env, process::Command};

/// Faults hit every connection of a process, so the tests that inject them have one each.
fn run_alone(test: &str) {
    let tests = env::current_exe().unwrap();
    let alone = Command::new(tests).args(["--ignored", "--exact", "--nocapture", test]).output();
    let alone = alone.unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&alone.stdout), String::from_utf8_lossy(&alone.stderr));
    assert!(alone.status.success() && out.contains("1 passed"), "{out}\n{err}");
    eprintln!("{err}");
}
