//! The exit codes, the same for every command.

use std::{
    io::{Write, stderr},
    process::ExitCode,
};

/// What each code means.
pub(in crate::cli) const CODES: &str = "Exit codes:\n  \
    0  done; a measure without a value is a result, too\n  \
    1  failed, or a check found a problem: a database, a backup, a number\n  \
    2  wrong usage: options, or a command this kind of database does not need\n  \
    3  wrong input: a wrong file, no such project\n  \
    4  exported with losses, with --strict";

/// What was asked for failed, or what was checked is wrong.
pub(in crate::cli) const FAILED: u8 = 1;
/// Wrong options, the same as clap's; or a command that this database has no use for.
pub(in crate::cli) const WRONG_USAGE: u8 = 2;
/// A file that was given is wrong.
pub(in crate::cli) const FILE_REFUSED: u8 = 3;

/// Says what somebody should know although it was done.
pub(in crate::cli) fn warn(what: &str) {
    drop(writeln!(stderr(), "concord: {what}"));
}

/// Says why something was not done.
pub(in crate::cli) fn failed(code: u8, reason: &str) -> ExitCode {
    failed_all(code, &[reason])
}

/// Says everything because of which something was not done.
pub(in crate::cli) fn failed_all(code: u8, reasons: &[impl AsRef<str>]) -> ExitCode {
    // If nobody listens to standard error, the exit code still says it.
    for reason in reasons {
        warn(reason.as_ref());
    }
    ExitCode::from(code)
}
