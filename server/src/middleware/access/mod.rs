//! Who is asking, from where, by which name of the site, and whether they may.

pub(crate) mod client;
pub(crate) mod csrf;
pub(crate) mod gate;
pub(crate) mod host;
pub(crate) mod session;
