//! Any JSON value in memory, of a bounded number of parts.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::problem::quoted::shorten;

/// The most values of one record. Together with the longest record this bounds its memory.
pub(crate) const MAX_VALUES: usize = 300_000;

/// The name of a field.
type Key = Cow<'static, str>;

/// A JSON value.
#[derive(Debug)]
pub(crate) enum Node {
    Absent,
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Fraction(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(Key, Node)>),
    /// A list of objects with a start, an end and a label, which is not stored.
    Spans,
}

impl Node {
    /// The kind of value in words.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Absent => "nothing",
            Self::Null => "null",
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
            Self::Whole(_) => "a number",
            Self::Negative(_) => "a negative number",
            Self::Fraction(_) => "a number with a fraction or out of range",
            Self::Text(_) => "a string",
            Self::List(_) | Self::Spans => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Which fields of objects are kept, at any depth; the others are not stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kept {
    /// All but these, which may be large and which no format needs.
    AllBut(&'static [&'static str]),
    /// These, none of them twice. Of an object without one its first is kept, by which it is not
    /// empty. Since they are few, only entries of lists are counted: a span takes so many bytes that
    /// no sound record is refused.
    Only(&'static [&'static str]),
}

impl Kept {
    /// The same with all fields where only some are kept.
    pub(crate) const fn with_all(self) -> Self {
        match self {
            Self::Only(_) => Self::AllBut(&[]),
            Self::AllBut(_) => self,
        }
    }
}

/// Why a record is no value.
#[derive(Debug)]
pub(crate) enum Unparsed {
    /// There are more than [`MAX_VALUES`].
    TooMany,
    /// It is no JSON, in the words of the reader; line and column count from 1.
    Invalid { line: usize, column: usize, reason: String },
}

/// Reads one record.
pub(crate) fn parse(record: &str, kept: Kept) -> Result<Node, Unparsed> {
    let left = Cell::new(MAX_VALUES);
    let mut reader = serde_json::Deserializer::from_str(record);
    let node = Seed { left: &left, kept }
        .deserialize(&mut reader)
        .and_then(|node| reader.end().map(|()| node));
    node.map_err(|error| match left.get() {
        0 => Unparsed::TooMany,
        _ => Unparsed::Invalid {
            line: error.line(),
            column: error.column(),
            reason: shorten(&reason(&error)),
        },
    })
}

/// What the reader says without the place, which it puts behind.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said.strip_suffix(&place).map(str::to_owned).unwrap_or(said)
}

/// Reads one value: how many more values there may be, and which fields are not kept.
#[derive(Clone, Copy)]
pub(crate) struct Seed<'limits> {
    pub(crate) left: &'limits Cell<usize>,
    pub(crate) kept: Kept,
}

impl Seed<'_> {
    /// Counts one more entry of a list, or field of an object.
    fn count<E: Error>(self) -> Result<(), E> {
        self.left.set(self.left.get().saturating_sub(1));
        if self.left.get() == 0 { Err(E::custom("too many values")) } else { Ok(()) }
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
        Ok(Node::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Whole(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        Ok(u64::try_from(value).map_or(Node::Negative(value), Node::Whole))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Fraction(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self)? {
            self.count()?;
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let mut fields: Vec<(Key, Node)> = Vec::new();
        while let Some(key) = object.next_key::<String>()? {
            if let Kept::AllBut(skipped) = self.kept
                && skipped.contains(&key.as_str())
            {
                object.next_value::<IgnoredAny>()?;
                continue;
            }
            let name = key.clone();
            let key = match self.kept {
                Kept::AllBut(_) => Some(Key::Owned(key)),
                Kept::Only(known) => match known.iter().find(|name| **name == key) {
                    Some(name) if fields.iter().any(|(field, _)| field == name) => {
                        return Err(A::Error::duplicate_field(name));
                    }
                    Some(name) => Some(Key::Borrowed(name)),
                    None => fields.is_empty().then_some(Key::Owned(key)),
                },
            };
            if let Some(key) = key {
                if matches!(self.kept, Kept::AllBut(_)) {
                    self.count()?;
                }
                fields.push((key, object.next_value_seed(self)?));
            } else if object.next_value_seed(SpanList)? {
                fields.push((Key::Owned(name), Node::Spans));
            }
        }
        match repeated(&fields) {
            Some(key) => Err(A::Error::custom(format_args!("duplicate field `{}`", shorten(key)))),
            None => Ok(Node::Object(fields)),
        }
    }
}

/// What the fields of a span are called, by us and by others.
pub(crate) const START_KEYS: [&str; 6] =
    ["start", "start_offset", "begin", "start_char", "startOffset", "offset_start"];
pub(crate) const END_KEYS: [&str; 5] = ["end", "end_offset", "end_char", "endOffset", "offset_end"];
pub(crate) const LABEL_KEYS: [&str; 7] =
    ["label", "type", "tag", "category", "entity", "entity_type", "entity_group"];

/// Whether a value is a list whose first entry is an object with a start, an end and a label.
struct SpanList;

impl<'de> DeserializeSeed<'de> for SpanList {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for SpanList {
    type Value = bool;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<bool, A::Error> {
        let Some(first) = list.next_element_seed(IsSpan)? else { return Ok(false) };
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<bool, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(false)
    }
}

/// Whether a value is an object with a start, an end and a label.
struct IsSpan;

impl<'de> DeserializeSeed<'de> for IsSpan {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        let left = Cell::new(MAX_VALUES);
        let node = Seed { left: &left, kept: Kept::AllBut(&[]) }.deserialize(deserializer)?;
        Ok(is_span(&node))
    }
}

/// Whether a value is an object with a start, an end and a label.
pub(crate) fn is_span(node: &Node) -> bool {
    let Node::Object(fields) = node else { return false };
    let has = |keys: &[&str], is: fn(&Node) -> bool| {
        fields.iter().any(|(key, value)| keys.contains(&&**key) && is(value))
    };
    let is_number = |node: &Node| matches!(node, Node::Whole(_));
    let is_name = |node: &Node| matches!(node, Node::Text(_));
    has(&START_KEYS, is_number) && has(&END_KEYS, is_number) && has(&LABEL_KEYS, is_name)
}

/// A key that two fields have.
fn repeated(fields: &[(Key, Node)]) -> Option<&str> {
    let mut keys: Vec<&str> = fields.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.windows(2).find_map(|pair| match pair {
        [first, second] if first == second => Some(*first),
        _ => None,
    })
}
