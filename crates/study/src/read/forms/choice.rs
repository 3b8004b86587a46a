//! One of several ways to read a table.

use std::fmt;

/// One of several ways to read a table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Choice {
    /// The way, in words.
    pub reading: String,
    /// The options by which it is chosen, as names and values.
    pub options: Vec<(String, String)>,
    /// The first lines as they would be read.
    pub preview: Vec<String>,
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (`", self.reading)?;
        for (place, (name, value)) in self.options.iter().enumerate() {
            let blank = if place == 0 { "" } else { " " };
            write!(out, "{blank}--{name} {value}")?;
        }
        write!(out, "`)")
    }
}
