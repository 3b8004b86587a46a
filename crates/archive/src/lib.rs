//! Backups as files: what they are called, how they are sealed, where they lie, and which of them are kept.
//! Nothing here knows what is in them.

mod client;
mod error;
mod keep;
mod listing;
mod location;
mod manifest;
mod name;
mod pieces;
mod place;
mod seal;

pub use error::Error;
pub use keep::Keep;
pub use listing::Listing;
pub use location::Location;
pub use manifest::{Drill, Manifest};
pub use name::{Engine, Lineage, Name};
pub use pieces::State;
pub use place::{Loaded, Place};
pub use seal::{Digest, Identities, Recipient, Sealed};
