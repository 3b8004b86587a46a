//! Evidence against what a file was taken for.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Place;

/// Evidence against what a file was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// For programs; it does not change.
    pub code: String,
    /// Where; nowhere in particular if it is about the file as a whole.
    pub place: Option<Place>,
    /// For people.
    pub message: String,
}

impl Warning {
    pub(crate) fn new(code: &str, place: Option<Place>, message: String) -> Self {
        Self { code: code.to_owned(), place, message }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column }) = self.place {
            write!(out, "line {line}, column {column}: ")?;
        }
        write!(out, "{}", self.message)
    }
}
