//! Rows, tables, pictures and reports that are written and never read.

pub(crate) mod agreement_csv;
pub(crate) mod choice;
pub(crate) mod disagreement;
pub(crate) mod gold;
pub(crate) mod heat_map;
pub(crate) mod html;
pub(crate) mod soft_label;
pub(crate) mod study_csv;
mod xml;
