//! JSON, ours and that of other tools: records, each read into memory on its own, and their shapes.

pub(crate) mod datasaur;
pub(crate) mod doccano;
pub(crate) mod hugging_face;
pub(crate) mod label_studio;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod prodigy;
pub(crate) mod reading;
pub(crate) mod records;
pub(crate) mod spacy;
pub(crate) mod value;
