//! `/api/v1`: what programs ask for, and files to take away.

pub(crate) mod agreement;
pub(crate) mod base;
pub(crate) mod document;
pub(crate) mod outside;
pub(crate) mod project;
pub(crate) mod review;
pub(crate) mod work;
