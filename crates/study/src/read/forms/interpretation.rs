//! The ways in which a table can be read, and the choice among them.

use super::choice::Choice;
use crate::read::columns::Layout;
use crate::read::first_rows::FirstRows;
use crate::read::{Form, Kind, Warning};

/// A way to read a table, with the evidence for it.
#[derive(Debug)]
pub(in crate::read) struct Interpretation {
    pub(in crate::read) layout: Layout,
    pub(in crate::read) standing: Standing,
    /// The evidence for it.
    pub(in crate::read) because: String,
    /// The evidence against it.
    pub(in crate::read) warnings: Vec<Warning>,
    /// The options by which it is chosen.
    pub(in crate::read) options: Vec<(&'static str, String)>,
}

/// How much can be said for a way to read a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::read) enum Standing {
    /// Only if there is nothing else.
    Doubtful,
    Possible,
    /// Whatever else is possible.
    Proven,
}

impl Interpretation {
    /// A way of this standing, chosen by the option of its form.
    pub(in crate::read) fn new(layout: Layout, standing: Standing, because: &str) -> Self {
        let option = match (layout.kind, layout.form, layout.extent) {
            (Kind::Coding, Some(form), _) => ("form", form.word().to_owned()),
            (_, _, extent) => ("units", extent.map_or("end", |extent| extent.word()).to_owned()),
        };
        let (because, warnings) = (because.to_owned(), Vec::new());
        Self { layout, standing, because, warnings, options: vec![option] }
    }

    pub(super) fn asked(layout: Layout) -> Self {
        Self::new(layout, Standing::Proven, "it was asked for")
    }

    /// The same, its raters chosen by an option, too.
    pub(in crate::read) fn with_raters(mut self, first: &FirstRows) -> Self {
        let numbers: Vec<String> =
            self.layout.raters.iter().map(|column| (column + 1).to_string()).collect();
        self.options.push(("raters", numbers.join(",")));
        self.because = format!("raters {}", first.quoted(&self.layout.raters));
        self
    }

    pub(super) fn choice(&self, first: &FirstRows) -> Choice {
        let options = self.options.iter();
        let mut reading = self.layout.in_words();
        if self.layout.form == Some(Form::Wide) {
            let raters: Vec<String> =
                self.layout.raters.iter().map(|&column| first.name(column)).collect();
            reading = format!("{reading}: {}", raters.join(", "));
        }
        Choice {
            reading,
            options: options.map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            preview: self.layout.preview(first),
        }
    }
}
