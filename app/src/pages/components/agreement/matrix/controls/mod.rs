//! What a matrix is asked for: its switches, its filters, and the order of its raters.

pub(crate) mod arrange;
pub(crate) mod arrangement;
pub(crate) mod filter_bar;
pub(crate) mod question_menu;
mod seriation;
pub(crate) mod switch;
pub(crate) mod switch_bar;
pub(crate) mod unoffered;
