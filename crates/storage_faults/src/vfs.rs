//! The VFS around SQLite's own.

use std::{
    ffi::{c_char, c_int, c_void},
    mem::size_of,
    ptr,
};

use libsqlite3_sys::{
    SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_OK, SQLITE_SHM_LOCK, sqlite3_file, sqlite3_io_methods,
    sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

use crate::{Operation, failure, is_failing};

/// A file of ours; behind it in memory comes the usual file.
#[repr(C)]
struct File {
    base: sqlite3_file,
}

/// The usual file behind one of ours.
///
/// # Safety
///
/// The file must be one that [`open`] was given.
unsafe fn usual(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: `install` has asked for room for both.
    unsafe { file.cast::<File>().add(1).cast() }
}

pub(crate) fn install() {
    // SAFETY: SQLite keeps the pointers for the length of the process, and ours is never freed. The default VFS
    // reads its own structure only through what it is called with, so each call passes that.
    unsafe {
        let usual = sqlite3_vfs_find(ptr::null());
        assert!(!usual.is_null(), "SQLite has a VFS");
        let file: c_int = size_of::<File>().try_into().unwrap_or_default();
        let ours = Box::leak(Box::new(sqlite3_vfs {
            szOsFile: (*usual).szOsFile + file,
            pNext: ptr::null_mut(),
            zName: c"faults".as_ptr(),
            pAppData: usual.cast(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xSleep: Some(sleep),
            ..*usual
        }));
        assert_eq!(sqlite3_vfs_register(ours, 1), SQLITE_OK, "the VFS is registered");
    }
}

/// The usual VFS around which ours was put.
///
/// # Safety
///
/// The VFS must be ours.
unsafe fn usual_vfs(vfs: *mut sqlite3_vfs) -> *mut sqlite3_vfs {
    // SAFETY: `install` has put it there.
    unsafe { (*vfs).pAppData.cast() }
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: called as SQLite has called this; without methods SQLite does not close the file.
    unsafe {
        (*file).pMethods = ptr::null();
        if let Some(code) = failure(Operation::Open) {
            return code;
        }
        let usual_vfs = usual_vfs(vfs);
        let Some(open) = (*usual_vfs).xOpen else { return SQLITE_CANTOPEN };
        let opened = open(usual_vfs, name, usual(file), flags, out_flags);
        if !(*usual(file)).pMethods.is_null() {
            (*file).pMethods = &raw const METHODS;
        }
        opened
    }
}

unsafe extern "C" fn delete(vfs: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    if let Some(code) = failure(Operation::Delete) {
        return code;
    }
    // SAFETY: called as SQLite has called this.
    unsafe {
        let usual = usual_vfs(vfs);
        (*usual).xDelete.map_or(SQLITE_IOERR, |delete| delete(usual, name, sync))
    }
}

unsafe extern "C" fn access(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    result: *mut c_int,
) -> c_int {
    if let Some(code) = failure(Operation::Access) {
        return code;
    }
    // SAFETY: called as SQLite has called this.
    unsafe {
        let usual = usual_vfs(vfs);
        (*usual).xAccess.map_or(SQLITE_IOERR, |access| access(usual, name, flags, result))
    }
}

unsafe extern "C" fn sleep(vfs: *mut sqlite3_vfs, microseconds: c_int) -> c_int {
    if is_failing() {
        return microseconds;
    }
    // SAFETY: called as SQLite has called this.
    unsafe {
        let usual = usual_vfs(vfs);
        (*usual).xSleep.map_or(microseconds, |sleep| sleep(usual, microseconds))
    }
}

/// Methods that call those of the usual file, unless their operation is to fail.
macro_rules! methods {
    ($($name:ident ($($argument:ident: $type:ty),*) = $method:ident $(, $operation:ident)?;)+) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            $(if let Some(code) = failure(Operation::$operation) {
                return code;
            })?
            // SAFETY: called as SQLite has called this, on the file behind.
            unsafe {
                let file = usual(file);
                match (*(*file).pMethods).$method {
                    Some(method) => method(file $(, $argument)*),
                    None => SQLITE_IOERR,
                }
            }
        }
    )+};
}

methods! {
    close() = xClose;
    read(to: *mut c_void, bytes: c_int, offset: i64) = xRead, Read;
    write(from: *const c_void, bytes: c_int, offset: i64) = xWrite, Write;
    truncate(size: i64) = xTruncate, Truncate;
    sync(flags: c_int) = xSync, Sync;
    file_size(size: *mut i64) = xFileSize, FileSize;
    lock(level: c_int) = xLock, Lock;
    unlock(level: c_int) = xUnlock;
    check_reserved_lock(result: *mut c_int) = xCheckReservedLock, Lock;
    file_control(operation: c_int, argument: *mut c_void) = xFileControl;
    sector_size() = xSectorSize;
    device_characteristics() = xDeviceCharacteristics;
    map_shared(page: c_int, bytes: c_int, extends: c_int, to: *mut *mut c_void) = xShmMap, MapShared;
    acquire_or_release_shared(offset: c_int, locks: c_int, flags: c_int) = xShmLock;
    unmap_shared(deletes: c_int) = xShmUnmap;
}

unsafe extern "C" fn lock_shared(
    file: *mut sqlite3_file,
    offset: c_int,
    locks: c_int,
    flags: c_int,
) -> c_int {
    // SQLite takes for granted that a lock can be released.
    if flags & SQLITE_SHM_LOCK != 0
        && let Some(code) = failure(Operation::LockShared)
    {
        return code;
    }
    // SAFETY: called as SQLite has called this.
    unsafe { acquire_or_release_shared(file, offset, locks, flags) }
}

unsafe extern "C" fn barrier(file: *mut sqlite3_file) {
    // SAFETY: called as SQLite has called this, on the file behind.
    unsafe {
        let file = usual(file);
        if let Some(barrier) = (*(*file).pMethods).xShmBarrier {
            barrier(file);
        }
    }
}

/// Version 2: shared memory, and no files mapped into memory, whose reads nobody could make fail.
static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(map_shared),
    xShmLock: Some(lock_shared),
    xShmBarrier: Some(barrier),
    xShmUnmap: Some(unmap_shared),
    xFetch: None,
    xUnfetch: None,
};
