//! The matrix of agreement: who agrees with whom, how much, on how many positions, and live.

pub(crate) mod arrange;
mod arrangement;
pub(crate) mod band;
pub(crate) mod board;
mod cell;
mod live;
pub(crate) mod change;
pub(crate) mod face;
pub(crate) mod filter_bar;
pub(crate) mod freshness;
pub(crate) mod grid;
pub(crate) mod guide;
pub(crate) mod legend;
pub(crate) mod missing;
mod pooled;
pub(crate) mod seen;
pub(crate) mod several;
pub(crate) mod simulation;
mod stepping;
pub(crate) mod switch_bar;
pub(crate) mod take_away;
mod text_table;
mod view;

pub(crate) use live::LiveMatrix;
