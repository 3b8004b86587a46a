//! A study in a file: read it, say what was understood, measure it, report it. Pure.
//!
//! [`read`] takes the bytes of a table and says what it understood, or which line and column is
//! wrong and what was expected there. [`report`] measures a study with every measure that
//! applies. [`command`] does both, and writes plain text, JSON or HTML; [`fields`] are its options
//! as a form has them. [`predictions`] of a model are read beside a study.
//!
//! Nothing here opens a file or knows a terminal: bytes come from a [`std::io::BufRead`] and go
//! to a [`std::io::Write`], so the same code serves a command line and a page in the browser.
//!
//! ```
//! use study::command::{Options, run};
//!
//! let file = "item,John,Mary\n1,0,0\n2,1,1\n3,1,0\n4,0,0\n";
//! let mut out = Vec::new();
//! let outcome = run(&Options::default(), file.as_bytes(), &mut out, |_| ())?;
//! let kappa = outcome.report.measure("cohen_kappa").and_then(|kappa| kappa.value);
//! assert_eq!(kappa, Some(0.5));
//! # Ok::<(), study::Error>(())
//! ```
#![warn(missing_docs)]

pub mod command;
mod error;
pub mod examples;
pub mod fields;
pub mod predictions;
pub mod read;
pub mod report;
mod words;

pub use error::{Error, Misuse, Place, Problem, Refusal};

/// A length as a count: no machine holds more than 64 bits count.
pub(crate) fn count64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
