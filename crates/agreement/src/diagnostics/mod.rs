//! What stands behind a coefficient: agreement in its parts, what is confused, and why measures differ.

mod confusion;
mod continuum;
mod judgements;
mod parts;
mod prevalence;

pub use confusion::{Confusion, confusions};
pub use continuum::draw_continuum;
pub use judgements::Judgements;
pub use parts::{CategoryAgreement, ItemAgreement, PairAgreement, RaterAgreement, Share};
pub use prevalence::Prevalence;
