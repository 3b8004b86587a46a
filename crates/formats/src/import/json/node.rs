//! Any JSON value in memory, of a bounded number of parts.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::import::error::{Problem, shorten};
use crate::import::exchange_problem::ExchangeProblem;

/// The most values of one record. Together with the longest record this bounds its memory.
pub(super) const MAX_VALUES: usize = 300_000;

/// A JSON value.
#[derive(Debug)]
pub(in crate::import) enum Node {
    Absent,
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Fraction,
    Text(String),
    List(Vec<Node>),
    Object(Vec<(Box<str>, Node)>),
}

impl Node {
    /// The kind of value in words.
    pub(in crate::import) const fn kind(&self) -> &'static str {
        match self {
            Self::Absent => "nothing",
            Self::Null => "null",
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
            Self::Whole(_) => "a number",
            Self::Negative(_) => "a negative number",
            Self::Fraction => "a number with a fraction or out of range",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads one record that starts on `line`; the values of fields in `skipped` are not kept.
pub(super) fn parse(record: &str, line: usize, skipped: &[&str]) -> Result<Node, Problem> {
    let left = Cell::new(MAX_VALUES);
    let mut reader = serde_json::Deserializer::from_str(record);
    let node = Seed { left: &left, skipped }
        .deserialize(&mut reader)
        .and_then(|node| reader.end().map(|()| node));
    node.map_err(|error| {
        if left.get() == 0 {
            return Problem::Exchange(ExchangeProblem::TooManyValues { most: MAX_VALUES });
        }
        let said = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        Problem::Exchange(ExchangeProblem::InvalidRecord {
            line: line + error.line().saturating_sub(1),
            column: error.column(),
            reason: shorten(said.strip_suffix(&place).unwrap_or(&said)),
        })
    })
}

/// Reads one value: how many more values there may be, and which fields are not kept.
#[derive(Clone, Copy)]
pub(in crate::import) struct Seed<'limits> {
    pub(in crate::import) left: &'limits Cell<usize>,
    pub(in crate::import) skipped: &'limits [&'limits str],
}

impl Seed<'_> {
    fn count<E: Error>(self) -> Result<(), E> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| E::custom("too many values"))?;
        self.left.set(left);
        if left == 0 { Err(E::custom("too many values")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        self.count().map(|()| Node::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        self.count().map(|()| Node::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        self.count().map(|()| Node::Whole(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        self.count().map(|()| u64::try_from(value).map_or(Node::Negative(value), Node::Whole))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Node, E> {
        self.count().map(|()| Node::Fraction)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        self.count().map(|()| Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        self.count()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        self.count()?;
        let mut fields: Vec<(Box<str>, Node)> = Vec::new();
        while let Some(key) = object.next_key::<String>()? {
            if self.skipped.contains(&key.as_str()) {
                object.next_value::<IgnoredAny>()?;
            } else {
                fields.push((key.into_boxed_str(), object.next_value_seed(self)?));
            }
        }
        match repeated(&fields) {
            Some(key) => Err(A::Error::custom(format_args!("duplicate field `{}`", shorten(key)))),
            None => Ok(Node::Object(fields)),
        }
    }
}

/// A key that two fields have.
fn repeated(fields: &[(Box<str>, Node)]) -> Option<&str> {
    let mut keys: Vec<&str> = fields.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.windows(2).find_map(|pair| match pair {
        [first, second] if first == second => Some(*first),
        _ => None,
    })
}
