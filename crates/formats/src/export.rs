//! Writing documents and rows, one at a time, as bytes for people and programs.

pub(crate) mod agreement_csv;
pub(crate) mod agreement_svg;
pub(crate) mod annotated;
pub(crate) mod cas;
pub(crate) mod choice;
pub(crate) mod conll;
mod cut_tokens;
pub(crate) mod datasaur;
pub(crate) mod disagreement;
pub(crate) mod disagreement_csv;
pub(crate) mod doccano;
pub(crate) mod document_json;
pub(crate) mod error;
pub(crate) mod gold;
mod held;
mod json_line;
pub(crate) mod json_list;
mod label_studio;
pub(crate) mod loss;
pub(crate) mod prodigy;
pub(crate) mod report_html;
mod spacy;
mod spreadsheet;
pub(crate) mod study_csv;
mod tag_spans;
mod tokens;
mod xml;
