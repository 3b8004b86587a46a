//! What every command may use: what its arguments name, what it says, and how it ends.

pub(super) mod bar;
pub(super) mod error;
pub(super) mod exit;
pub(super) mod files;
pub(super) mod options;
pub(super) mod output;
pub(super) mod reading;
pub(super) mod remote;
pub(super) mod span;
