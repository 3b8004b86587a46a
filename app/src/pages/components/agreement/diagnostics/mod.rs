//! What stands behind a pair's number, section by section.

mod behind;
mod boundaries;
mod chance;
mod confusions;
mod documents;
mod drawing;
mod labels;
mod truth;

pub(crate) use self::behind::Behind;
pub(crate) use self::boundaries::{Boundaries, words as boundary_words};
pub(crate) use self::chance::Chance;
pub(crate) use self::confusions::Confusions;
pub(crate) use self::documents::Documents;
pub(crate) use self::labels::Labels;
pub(crate) use self::truth::Truth;
