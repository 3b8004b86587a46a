//! The matrix of agreement: who agrees with whom, how much, and on how many positions.

pub(crate) mod arrange;
pub(crate) mod arrangement;
pub(crate) mod band;
pub(crate) mod board;
pub(crate) mod cell;
pub(crate) mod export;
pub(crate) mod face;
pub(crate) mod filter_bar;
pub(crate) mod grid;
pub(crate) mod guide;
pub(crate) mod legend;
pub(crate) mod missing;
mod pooled;
pub(crate) mod seen;
pub(crate) mod several;
pub(crate) mod simulation;
pub(crate) mod switch_bar;
pub(crate) mod text_table;
pub(crate) mod window;
