//! `/api/v1`: what programs ask for, and files to take away.

pub(crate) mod agreement;
pub(crate) mod choices;
pub(crate) mod comparing;
pub(crate) mod disagreements;
mod download;
pub(crate) mod exports;
pub(crate) mod extract;
pub(crate) mod gold;
pub(crate) mod imports;
pub(crate) mod verification;
