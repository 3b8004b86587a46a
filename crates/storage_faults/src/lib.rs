//! Errors of the storage under SQLite, injected at a chosen call: for tests only.
//!
//! SQLite reaches files through a VFS and memory through an allocator. [`install`] puts one of ours around
//! each, which calls the usual one until a [`Fault`] is due. SQLite's own tests do the same ("How SQLite Is
//! Tested", parts 3.1 and 3.2). Faults hit every connection of the process.

mod memory;
mod vfs;

use std::{
    ffi::c_int,
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

use libsqlite3_sys as ffi;

/// The calls of SQLite to its storage that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Allocate,
    Open,
    Delete,
    Access,
    Read,
    Write,
    Truncate,
    Sync,
    FileSize,
    Lock,
    MapShared,
    LockShared,
}

/// An error that SQLite documents, and the calls that can return it.
#[derive(Debug)]
pub struct StorageError {
    /// The name of the result code, without `SQLITE_`.
    pub name: &'static str,
    code: c_int,
    operations: &'static [Operation],
}

/// The result codes of a storage that fails (<https://www.sqlite.org/rescode.html>). `IOERR_SHORT_READ` and
/// those of features that are not in use are missing.
pub const STORAGE_ERRORS: &[StorageError] = {
    use Operation::{
        Access, Allocate, Delete, FileSize, Lock, LockShared, MapShared, Open, Read, Sync,
        Truncate, Write,
    };
    const fn error(
        name: &'static str,
        code: c_int,
        operations: &'static [Operation],
    ) -> StorageError {
        StorageError { name, code, operations }
    }
    &[
        error("FULL", ffi::SQLITE_FULL, &[Write, Truncate]),
        error("NOMEM", ffi::SQLITE_NOMEM, &[Allocate]),
        error("IOERR_NOMEM", ffi::SQLITE_IOERR_NOMEM, &[Open, Read, Write, Lock, MapShared]),
        error("IOERR_READ", ffi::SQLITE_IOERR_READ, &[Read]),
        error("IOERR_WRITE", ffi::SQLITE_IOERR_WRITE, &[Write]),
        error("IOERR_FSYNC", ffi::SQLITE_IOERR_FSYNC, &[Sync]),
        error("IOERR_TRUNCATE", ffi::SQLITE_IOERR_TRUNCATE, &[Truncate]),
        error("IOERR_FSTAT", ffi::SQLITE_IOERR_FSTAT, &[FileSize]),
        error("IOERR_LOCK", ffi::SQLITE_IOERR_LOCK, &[Lock]),
        error("IOERR_ACCESS", ffi::SQLITE_IOERR_ACCESS, &[Access]),
        error("IOERR_DELETE", ffi::SQLITE_IOERR_DELETE, &[Delete]),
        error("IOERR_SHMOPEN", ffi::SQLITE_IOERR_SHMOPEN, &[MapShared]),
        error("IOERR_SHMSIZE", ffi::SQLITE_IOERR_SHMSIZE, &[MapShared]),
        error("IOERR_SHMMAP", ffi::SQLITE_IOERR_SHMMAP, &[MapShared]),
        error("IOERR_SHMLOCK", ffi::SQLITE_IOERR_SHMLOCK, &[LockShared]),
        error("IOERR_CORRUPTFS", ffi::SQLITE_IOERR_CORRUPTFS, &[Read, Write]),
        error("BUSY", ffi::SQLITE_BUSY, &[Lock, LockShared]),
        error("CORRUPT", ffi::SQLITE_CORRUPT, &[Read]),
        error("READONLY", ffi::SQLITE_READONLY, &[Write, MapShared]),
        error("PROTOCOL", ffi::SQLITE_PROTOCOL, &[LockShared]),
        error("CANTOPEN", ffi::SQLITE_CANTOPEN, &[Open, MapShared]),
    ]
};

/// An error that is due.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub error: &'static StorageError,
    /// The first call to fail, of those that can return the error; from 0.
    pub first: u64,
    /// Whether all later calls fail, too.
    pub lasts: bool,
}

/// How often each operation was called, in the order of [`OPERATIONS`].
type Calls = [u64; OPERATIONS.len()];

const OPERATIONS: [Operation; 12] = {
    use Operation::{
        Access, Allocate, Delete, FileSize, Lock, LockShared, MapShared, Open, Read, Sync,
        Truncate, Write,
    };
    [
        Allocate, Open, Delete, Access, Read, Write, Truncate, Sync, FileSize, Lock, MapShared,
        LockShared,
    ]
};

struct State {
    is_watching: bool,
    fault: Option<Fault>,
    calls: Calls,
    failures: u64,
}

impl State {
    const IDLE: Self =
        Self { is_watching: false, fault: None, calls: [0; OPERATIONS.len()], failures: 0 };

    /// Counts a call; the code that it is to return instead of being carried out.
    fn call(&mut self, operation: Operation) -> Option<c_int> {
        if !self.is_watching {
            return None;
        }
        let due = self.fault.filter(|fault| fault.error.operations.contains(&operation));
        let earlier = due.map_or(0, |fault| count(&self.calls, fault.error));
        for (counted, calls) in OPERATIONS.iter().zip(&mut self.calls) {
            *calls += u64::from(*counted == operation);
        }
        let fault = due?;
        let fails = if fault.lasts { earlier >= fault.first } else { earlier == fault.first };
        fails.then(|| {
            self.failures += 1;
            fault.error.code
        })
    }
}

/// How many of these calls could have returned an error.
fn count(calls: &Calls, error: &StorageError) -> u64 {
    let counts = OPERATIONS.iter().zip(calls);
    counts
        .filter(|(operation, _)| error.operations.contains(operation))
        .map(|(_, calls)| calls)
        .sum()
}

static STATE: Mutex<State> = Mutex::new(State::IDLE);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts calls and, if there is a fault, has it come; until it is dropped.
#[derive(Debug)]
pub struct Watch(());

impl Watch {
    /// How many calls could have returned an error so far.
    #[must_use]
    pub fn calls(&self, error: &StorageError) -> u64 {
        count(&state().calls, error)
    }

    /// How many calls have failed so far.
    #[must_use]
    pub fn failures(&self) -> u64 {
        state().failures
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *state() = State::IDLE;
    }
}

/// Puts our VFS and our allocator around those of SQLite.
///
/// # Panics
///
/// If SQLite has been used before: an allocator is given to it first of all.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        memory::install();
        vfs::install();
    });
}

/// Watches the calls of the process to its storage, which is to have been [installed](install).
#[must_use]
pub fn watch(fault: Option<Fault>) -> Watch {
    *state() = State { is_watching: true, fault, ..State::IDLE };
    Watch(())
}

/// The code that a call is to return instead of being carried out.
fn failure(operation: Operation) -> Option<c_int> {
    state().call(operation)
}

/// Whether a fault may come: nobody waits for a storage that is made to fail.
fn is_failing() -> bool {
    state().fault.is_some()
}
