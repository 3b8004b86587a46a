//! The book as its readers get it: links, what browsers load, labels and keys, and the numbers of its examples.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking, also in the functions that tests share"
)]

mod book;
mod examples;
mod labels;
mod links;
