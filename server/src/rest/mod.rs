//! `/api/v1`: what programs ask for, and files to take away.

pub(crate) mod agreement;
pub(crate) mod assignments;
pub(crate) mod audit;
pub(crate) mod choices;
pub(crate) mod comparing;
pub(crate) mod disagreements;
pub(crate) mod documents;
mod download;
pub(crate) mod exports;
pub(crate) mod extract;
mod files;
pub(crate) mod gold;
pub(crate) mod imports;
mod listed;
mod matching;
pub(crate) mod members;
pub(crate) mod projects;
pub(crate) mod reviews;
pub(crate) mod upload;
pub(crate) mod verification;
pub(crate) mod webhooks;
