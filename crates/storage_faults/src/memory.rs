//! The allocator around SQLite's own.

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    ptr,
    sync::OnceLock,
};

use libsqlite3_sys::{
    SQLITE_CONFIG_GETMALLOC, SQLITE_CONFIG_MALLOC, SQLITE_OK, sqlite3_config, sqlite3_mem_methods,
};

use crate::{Operation, failure};

struct Usual(sqlite3_mem_methods);

// SAFETY: the functions may be called from any thread, and the data that they share is never changed here.
unsafe impl Send for Usual {}
// SAFETY: as above.
unsafe impl Sync for Usual {}

static USUAL: OnceLock<Usual> = OnceLock::new();

pub(crate) fn install() {
    let mut usual = MaybeUninit::<sqlite3_mem_methods>::uninit();
    // SAFETY: SQLite fills the methods in, all of which it has.
    let usual = unsafe {
        let read = sqlite3_config(SQLITE_CONFIG_GETMALLOC, usual.as_mut_ptr());
        assert_eq!(read, SQLITE_OK, "SQLite has been used before");
        usual.assume_init()
    };
    let ours = sqlite3_mem_methods { xMalloc: Some(allocate), xRealloc: Some(reallocate), ..usual };
    assert!(USUAL.set(Usual(usual)).is_ok(), "the allocator is installed once");
    // SAFETY: SQLite copies the methods.
    let set = unsafe { sqlite3_config(SQLITE_CONFIG_MALLOC, ptr::from_ref(&ours)) };
    assert_eq!(set, SQLITE_OK, "SQLite has been used before");
}

unsafe extern "C" fn allocate(bytes: c_int) -> *mut c_void {
    let usual = USUAL.get().and_then(|usual| usual.0.xMalloc);
    match (failure(Operation::Allocate), usual) {
        // SAFETY: called as SQLite has called this.
        (None, Some(usual)) => unsafe { usual(bytes) },
        _ => ptr::null_mut(),
    }
}

unsafe extern "C" fn reallocate(old: *mut c_void, bytes: c_int) -> *mut c_void {
    let usual = USUAL.get().and_then(|usual| usual.0.xRealloc);
    match (failure(Operation::Allocate), usual) {
        // SAFETY: called as SQLite has called this.
        (None, Some(usual)) => unsafe { usual(old, bytes) },
        _ => ptr::null_mut(),
    }
}
