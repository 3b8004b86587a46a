//! The JSON files of other tools: records, each read into memory on its own, and their shapes.

pub(super) mod at;
pub(super) mod datasaur;
pub(super) mod doccano;
pub(super) mod label_studio;
pub(super) mod label_studio_min;
mod label_studio_regions;
pub(super) mod node;
pub(super) mod prodigy;
pub(super) mod reading;
pub(super) mod records;
pub(super) mod spacy;
pub(super) mod spacy_training;
