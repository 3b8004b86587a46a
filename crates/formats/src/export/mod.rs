//! Writing documents, one at a time: what all writers share, and the choice among them.

pub(crate) mod annotated;
pub(crate) mod answer_names;
pub(crate) mod cut_tokens;
pub(crate) mod error;
pub(crate) mod file;
pub(crate) mod held;
pub(crate) mod json_line;
pub(crate) mod loss;
pub(crate) mod record;
pub(crate) mod tokens;
pub(crate) mod unique_names;
