//! The forms of a table, each with the evidence for it and what reads it.

pub(super) mod choice;
pub(super) mod contingency;
mod counted;
pub(super) mod counts;
pub(super) mod frequencies;
pub(super) mod interpretation;
pub(super) mod long;
pub(super) mod rows;
pub(super) mod units;
pub(super) mod warning;
pub(super) mod wide;

use interpretation::{Interpretation, Standing};

use super::columns::Layout;
use super::first_rows::FirstRows;
use super::{Form, Options};
use crate::{Error, Problem, Refusal};

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
