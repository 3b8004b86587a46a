//! What labels, people and questions in files become in a project.

pub(super) mod labels;
pub(super) mod people;
pub(super) mod questions;
