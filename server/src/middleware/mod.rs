//! What every request passes before and after it is answered.

pub(crate) mod bodies;
pub(crate) mod busy;
pub(crate) mod caps;
pub(crate) mod client;
pub(crate) mod csrf;
pub(crate) mod etag;
pub(crate) mod fingerprint;
pub(crate) mod gate;
pub(crate) mod headers;
mod held_body;
pub(crate) mod host;
pub(crate) mod idempotency;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod panics;
pub(crate) mod rate_limit;
pub(crate) mod session;
pub(crate) mod trace;
