//! The book as its readers get it: links, what browsers load, and the numbers of its examples.

mod book;
mod examples;
mod keys;
mod links;
