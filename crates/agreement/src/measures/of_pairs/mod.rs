//! Measures of two raters, for every two raters of a study.

mod apart;
pub(crate) mod matrix;
pub(crate) mod nominal;
mod together;
