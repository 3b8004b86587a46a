//! What every request passes before and after it is answered.

pub(crate) mod bodies;
pub(crate) mod busy;
pub(crate) mod caps;
pub(crate) mod client;
pub(crate) mod csrf;
pub(crate) mod fingerprint;
pub(crate) mod gate;
pub(crate) mod headers;
mod held_body;
pub(crate) mod host;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod once;
pub(crate) mod pace;
pub(crate) mod panics;
pub(crate) mod session;
pub(crate) mod tags;
pub(crate) mod trace;
