//! What every request passes before and after it is answered.

pub(crate) mod access;
pub(crate) mod etag;
pub(crate) mod headers;
pub(crate) mod idempotency;
pub(crate) mod limits;
pub(crate) mod nul;
pub(crate) mod panics;
pub(crate) mod trace;
