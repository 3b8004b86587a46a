//! Predictions as a table: item, category and probability, or item, rater and category.

use super::collect::{Collected, probability};
use crate::read::columns::roles::{self, Role};
use crate::read::records::{Record, Records};
use crate::read::sample::Sample;
use crate::{Error, Place, Problem, Refusal};

/// What a column of probabilities may be called.
const PROBABILITY: &[&str] = &["probability", "prob", "p", "share", "proportion"];

/// The columns of each kind.
enum Columns {
    Soft { item: usize, category: usize, probability: usize },
    Perspectives { item: usize, rater: usize, category: usize },
}

/// Reads all of it.
pub(super) fn read(bytes: &[u8], collected: &mut Collected<'_>) -> Result<(), Error> {
    let (sample, input) = Sample::read(bytes)?;
    let shape = sample.shape(None)?;
    let columns = Columns::of(shape.rows.first().map_or(&[], Vec::as_slice))?;
    let mut records = Records::new(input, shape.delimiter);
    let mut record = Record::default();
    // Up to the line of names.
    for _ in 0..=shape.above {
        records.next(&mut record)?;
    }
    let (expected, first_line) = (record.len(), record.line());
    while records.next(&mut record)? {
        let found = record.len();
        if found != expected {
            let index = found.min(expected + 1).saturating_sub(1);
            return Err(record.refuse(index, Problem::Columns { found, expected, first_line }));
        }
        columns.add(&record, collected)?;
    }
    Ok(())
}

impl Columns {
    /// Which columns hold what, as their names say.
    fn of(head: &[String]) -> Result<Self, Refusal> {
        let find = |wanted| head.iter().position(|name| roles::role(name) == Some(wanted));
        let of_probability =
            |name: &String| PROBABILITY.iter().any(|known| name.trim().eq_ignore_ascii_case(known));
        let (item, rater, category) = (find(Role::Item), find(Role::Rater), find(Role::Category));
        match (item, category, rater, head.iter().position(of_probability)) {
            (Some(item), Some(category), None, Some(probability)) => {
                Ok(Self::Soft { item, category, probability })
            }
            (Some(item), Some(category), Some(rater), None) => {
                Ok(Self::Perspectives { item, rater, category })
            }
            _ => {
                let place = Some(Place { line: 1, column: 1 });
                Err(Refusal { place, problem: Problem::PredictionColumns })
            }
        }
    }

    fn add(&self, record: &Record, collected: &mut Collected<'_>) -> Result<(), Error> {
        let refuse = |column: usize| move |problem| record.refuse(column, problem);
        let field = |column: usize, what| match record.field(column) {
            "" => Err(record.refuse(column, Problem::Missing(what))),
            field => Ok(field),
        };
        match *self {
            Self::Soft { item: at, category: of, probability: with } => {
                let item = collected.names().item(field(at, "item")?).map_err(refuse(at))?;
                let category = field(of, "category")?;
                let category = collected.names().category(category).map_err(refuse(of))?;
                let share = probability(field(with, "probability")?).map_err(refuse(with))?;
                let place = record.place(with);
                collected.add_probability((item, category), share, place).map_err(refuse(of))
            }
            Self::Perspectives { item: at, rater: by, category: of } => {
                let item = collected.names().item(field(at, "item")?).map_err(refuse(at))?;
                let rater = collected.names().rater(field(by, "rater")?).map_err(refuse(by))?;
                let category = field(of, "category")?;
                let category = collected.names().category(category).map_err(refuse(of))?;
                collected.add_answer((item, rater), category).map_err(refuse(by))
            }
        }
    }
}
