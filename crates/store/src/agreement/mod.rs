//! What is counted, and what is kept of it.

pub mod alerts;
pub mod feed;
pub mod model_work;
pub mod own_counts;
pub mod own_releases;
pub mod ratings;
pub mod target;
