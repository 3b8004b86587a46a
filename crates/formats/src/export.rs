//! Writing documents and rows, one at a time, as bytes for people and programs.

pub(crate) mod agreement_csv;
pub(crate) mod agreement_svg;
pub(crate) mod annotated;
pub(crate) mod brat;
pub(crate) mod bundle;
pub(crate) mod choice;
pub(crate) mod conll;
pub(crate) mod conllu;
pub(crate) mod disagreement;
pub(crate) mod disagreement_csv;
pub(crate) mod error;
pub(crate) mod gold;
mod json_line;
pub(crate) mod loss;
mod relabel;
pub(crate) mod report_html;
pub(crate) mod span_table;
mod spreadsheet;
pub(crate) mod study_csv;
mod tag_spans;
mod tokens;
pub(crate) mod webanno_tsv;
mod webanno_units;
mod xml;
