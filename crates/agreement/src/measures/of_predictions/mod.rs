//! Measures of predictions, such as a model's, where people disagree: of how they are distributed, and of
//! what each of them says.
//!
//! Each is of one item; [`ByItem`](by_item::ByItem) has the mean and its interval.

pub(crate) mod by_item;
pub(crate) mod cross_entropy;
mod distributions;
pub(crate) mod manhattan;
pub(crate) mod perspectives;
pub(crate) mod wasserstein;

pub use self::distributions::is_distribution;
