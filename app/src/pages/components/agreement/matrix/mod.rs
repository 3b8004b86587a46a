//! The matrix of agreement: who agrees with whom, how much, and on how many positions.

pub(crate) mod band;
pub(crate) mod controls;
pub(crate) mod export;
pub(crate) mod guide;
pub(crate) mod legend;
pub(crate) mod missing;
pub(crate) mod simulation;
pub(crate) mod table;
