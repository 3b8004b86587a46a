//! What stands behind a coefficient: matrices, agreement in its parts, and why measures differ.
//!
//! Everything comes as data first; [`Matrix::text`] and [`listing`] print it as plain text in
//! aligned columns.

mod confusion;
mod continuum;
mod judgements;
mod matrix;
mod parts;
mod prevalence;
mod text;
mod workings;

pub use confusion::{Confusion, confusions};
pub use continuum::draw_continuum;
pub use judgements::Judgements;
pub use matrix::{Matrix, contingency_matrix, distance_matrix};
pub use parts::{CategoryAgreement, ItemAgreement, PairAgreement, RaterAgreement, Share};
pub use prevalence::Prevalence;
pub use text::{Entry, Layout, listing};
pub use workings::Workings;
