//! Tokens in columns, a line each, with spans as tags or values: CoNLL-2003, CoNLL-U and WebAnno TSV.

pub(crate) mod conll;
pub(crate) mod conllu;
mod draft;
pub(crate) mod scheme;
pub(crate) mod tag_spans;
pub(crate) mod tags;
pub(crate) mod webanno;
