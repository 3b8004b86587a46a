//! Those who use the servers: labelers who save, dashboards that follow, a manager who reads.

pub(crate) mod project;
pub(crate) mod reading;
pub(crate) mod saving;
pub(crate) mod watching;
