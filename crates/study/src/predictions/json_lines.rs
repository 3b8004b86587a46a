//! Predictions as JSON lines: `item` and `soft_label`, as exports of soft labels have them, or `item`, `rater`
//! and `label`. Other fields are left alone.

use serde_json::{Map, Value};

use super::collect::{Collected, probability};
use crate::{Error, Place, Problem, Refusal, count64};

/// Reads all of it.
pub(super) fn read(bytes: &[u8], collected: &mut Collected<'_>) -> Result<(), Error> {
    for (bytes, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
        let at_start =
            |problem| Refusal { place: Some(Place { line: number, column: 1 }), problem };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            at_start(Problem::NotUtf8 { byte })
        })?;
        if text.trim().is_empty() {
            continue;
        }
        let fields = serde_json::from_str(text).map_err(|error| {
            let column = count64(error.column()).max(1);
            let place = Some(Place { line: number, column });
            Refusal { place, problem: Problem::NotJson(words(&error)) }
        })?;
        Line { text, number, fields }.add(collected)?;
    }
    Ok(())
}

/// What is wrong, without where: the line is one of many.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.rsplit_once(" at line ").map_or(words.clone(), |(what, _)| what.to_owned())
}

/// A line: an object.
struct Line<'a> {
    text: &'a str,
    number: u64,
    fields: Map<String, Value>,
}

impl Line<'_> {
    fn add(&self, collected: &mut Collected<'_>) -> Result<(), Refusal> {
        let refuse = |field: &'static str| move |problem| self.refusal(field, problem);
        let item = self.word("item")?;
        let item = collected.names().item(&item).map_err(refuse("item"))?;
        match self.fields.get("soft_label") {
            Some(Value::Object(shares)) => {
                let of = "soft_label";
                let place = self.place(of);
                for (category, share) in shares {
                    let category = collected.names().category(category).map_err(refuse(of))?;
                    let share = probability(&share.to_string()).map_err(refuse(of))?;
                    collected
                        .add_probability((item, category), share, place)
                        .map_err(refuse(of))?;
                }
                Ok(())
            }
            Some(_) => Err(self.refusal("soft_label", Problem::PredictionFields)),
            None if self.fields.contains_key("rater") => {
                let rater = self.word("rater")?;
                let rater = collected.names().rater(&rater).map_err(refuse("rater"))?;
                let category = self.word("label")?;
                let category = collected.names().category(&category).map_err(refuse("label"))?;
                collected.add_answer((item, rater), category).map_err(refuse("rater"))
            }
            None => Err(self.refusal("item", Problem::PredictionFields)),
        }
    }

    /// A field that is a name, which may be a number.
    fn word(&self, field: &'static str) -> Result<String, Refusal> {
        match self.fields.get(field) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(number @ Value::Number(_)) => Ok(number.to_string()),
            _ => Err(self.refusal(field, Problem::Missing(field))),
        }
    }

    fn refusal(&self, field: &str, problem: Problem) -> Refusal {
        Refusal { place: Some(self.place(field)), problem }
    }

    /// Where a field stands, or where the line begins.
    fn place(&self, field: &str) -> Place {
        let before = self.text.split_once(&format!("\"{field}\"")).map_or("", |(before, _)| before);
        Place { line: self.number, column: count64(before.chars().count()) + 1 }
    }
}
