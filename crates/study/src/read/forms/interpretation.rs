//! The ways in which a table can be read, and the choice among them.

use std::fmt;

use super::{contingency, counts, frequencies, long, rows, units, wide};
use crate::read::columns::Layout;
use crate::read::first_rows::FirstRows;
use crate::read::{Form, Kind, Options, Warning};
use crate::{Error, Problem, Refusal};

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

/// The way to read a table that stands out; a refusal with the choices if several do.
pub(in crate::read) fn interpret(
    first: &FirstRows,
    options: &Options,
) -> Result<Interpretation, Error> {
    let layout = Layout::new(first, options)?;
    if first.width() < 2 {
        return Err(Refusal { place: None, problem: Problem::OneColumn }.into());
    }
    if let Some(asked) = asked(first, &layout, options)? {
        return Ok(asked);
    }
    let mut found = Vec::new();
    // Chosen columns are those of raters, or of ratings; a table of counts has none.
    if options.raters.is_empty() && layout.sequence.is_none() {
        found.extend(contingency::interpret(first, &layout, options));
        if found.iter().all(|one| one.standing < Standing::Proven) {
            found.extend(counts::interpret(first, &layout));
        }
        found.extend(frequencies::interpret(first, &layout));
        found.extend(rows::interpret(first, &layout));
    }
    found.extend(units::interpret(first, &layout, options)?);
    found.extend(long::interpret(first, &layout, options));
    let is_proven = found.iter().any(|one| one.standing == Standing::Proven);
    if !is_proven {
        found.extend(wide::interpret(first, &layout, options)?);
    }
    stand_out(found, first)
}

/// The one that stands out.
fn stand_out(mut found: Vec<Interpretation>, first: &FirstRows) -> Result<Interpretation, Error> {
    let best = found.iter().map(|one| one.standing).max();
    found.retain(|one| Some(one.standing) == best);
    match found.pop() {
        Some(only) if found.is_empty() => Ok(only),
        Some(last) => {
            found.push(last);
            let choices = found.iter().map(|one| one.choice(first)).collect();
            Err(Refusal { place: None, problem: Problem::Ambiguous(choices) }.into())
        }
        None => Err(Refusal { place: None, problem: Problem::OneColumn }.into()),
    }
}

/// The way that an option asks for.
fn asked(
    first: &FirstRows,
    layout: &Layout,
    options: &Options,
) -> Result<Option<Interpretation>, Error> {
    let layout = layout.clone();
    let taken = match (options.units, options.form, options.columns.len()) {
        (Some(_), _, _) | (None, None, 4) => layout.into_units(first, options)?,
        (None, Some(Form::Long), _) | (None, None, 3) => {
            let found = long::interpret(first, &layout, options);
            let best = found.into_iter().max_by_key(|one| one.standing);
            return match best.filter(|_| options.columns.is_empty()) {
                Some(one) => Ok(Some(one)),
                None => Ok(Some(Interpretation::asked(layout.into_long(options)?))),
            };
        }
        (None, None, _) => return Ok(None),
        (None, Some(Form::Wide), _) => {
            return stand_out(wide::interpret(first, &layout, options)?, first).map(Some);
        }
        (None, Some(Form::Contingency), _) => {
            let found = contingency::interpret(first, &layout, options);
            return Ok(Some(
                found.unwrap_or_else(|| Interpretation::asked(contingency::asked(first, &layout))),
            ));
        }
        (None, Some(Form::Counts), _) => counts::asked(first, &layout),
        (None, Some(Form::Frequencies), _) => frequencies::asked(first, &layout, options)?,
        (None, Some(Form::Rows), _) => rows::asked(first, &layout),
    };
    Ok(Some(Interpretation::asked(taken)))
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

    fn asked(layout: Layout) -> Self {
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

    fn choice(&self, first: &FirstRows) -> Choice {
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
