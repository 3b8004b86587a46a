//! The matrix of everybody: how it is measured, shared, followed and exported.

pub(crate) mod confidence;
pub(crate) mod export;
pub(crate) mod following;
pub(crate) mod headlines;
pub(crate) mod models;
pub(crate) mod permission;
pub(crate) mod several;
pub(crate) mod sharing;
pub(crate) mod steps;
pub(crate) mod text;
pub(super) mod what_if;
