//! How much of what there may be, counted for all requests together.

pub(crate) mod busy;
pub(crate) mod cap;
pub(crate) mod rate_limit;
pub(crate) mod room;
pub(crate) mod uploads;
