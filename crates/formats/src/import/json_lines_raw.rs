//! A line of JSON read loosely: wrong kinds of values are kept by name, to be reported with their
//! field, and what no field needs is skipped without being stored.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::error::{Problem, shorten};
use super::exchange_problem::ExchangeProblem;
use super::json_lines_foreign::Foreign;

/// The most entries of all lists of one line. A span takes so many bytes that no sound line is
/// refused, and what is no span takes far more memory than it takes of the line.
const MAX_ENTRIES: usize = 300_000;

/// Reads a line.
pub(super) fn parse(line: &str) -> Result<Loose<RawDocument>, Problem> {
    let left = Cell::new(MAX_ENTRIES);
    let mut json = serde_json::Deserializer::from_str(line);
    let read = LooseSeed::new(&left).deserialize(&mut json);
    read.and_then(|read| json.end().map(|()| read)).map_err(|error| {
        if left.get() == 0 {
            return ExchangeProblem::TooManyValues { most: MAX_ENTRIES }.into();
        }
        // What serde says without its place, which the error gives in its own words.
        let said = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let reason = shorten(said.strip_suffix(&place).unwrap_or(&said));
        Problem::InvalidJson { column: error.column(), reason }
    })
}

/// A value that should be a `T`.
#[derive(Debug)]
pub(super) enum Loose<T> {
    Absent,
    Value(T),
    /// What is there instead, in words.
    Other(&'static str),
}

impl<T> Loose<T> {
    /// The value, where `null` counts as left out; else what is there instead, in words.
    pub(super) fn optional(self) -> Result<Option<T>, &'static str> {
        match self {
            Self::Value(value) => Ok(Some(value)),
            Self::Absent | Self::Other(NULL) => Ok(None),
            Self::Other(found) => Err(found),
        }
    }

    /// Takes the value of a field, once.
    fn fill<'de, A: MapAccess<'de>>(
        &mut self,
        name: &'static str,
        object: &mut A,
        left: &Cell<usize>,
    ) -> Result<(), A::Error>
    where
        T: Shape,
    {
        if !matches!(self, Self::Absent) {
            return Err(A::Error::duplicate_field(name));
        }
        *self = object.next_value_seed(LooseSeed::new(left))?;
        Ok(())
    }
}

/// A string or a whole number.
#[derive(Debug)]
pub(super) enum Scalar {
    Text(String),
    Whole(u64),
    Negative(i64),
}

impl Scalar {
    /// The kind of value in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => STRING,
            Self::Whole(_) => NUMBER,
            Self::Negative(_) => "a negative number",
        }
    }
}

/// One line's object.
#[derive(Debug)]
pub(super) struct RawDocument {
    pub(super) text: Loose<Scalar>,
    pub(super) spans: Loose<Vec<Loose<RawSpan>>>,
    pub(super) work: Loose<Vec<Loose<RawWork>>>,
    pub(super) id: Loose<Scalar>,
    pub(super) name: Loose<Scalar>,
    /// The fields of other tools that hold something.
    pub(super) foreign: Vec<Foreign>,
}

/// One entry of `work`.
#[derive(Debug)]
pub(super) struct RawWork {
    pub(super) rater: Loose<Scalar>,
    pub(super) spans: Loose<Vec<Loose<RawSpan>>>,
}

/// One entry of `spans`.
#[derive(Debug)]
pub(super) struct RawSpan {
    pub(super) start: Loose<Scalar>,
    pub(super) end: Loose<Scalar>,
    pub(super) label: Loose<Scalar>,
}

pub(super) const NULL: &str = "null";
const NUMBER: &str = "a number";
const STRING: &str = "a string";

/// The kinds of JSON values that a type can be made of: none, but for those it names.
pub(super) trait Shape: Sized {
    fn from_text(_: &str) -> Option<Self> {
        None
    }

    fn from_whole(_: u64) -> Option<Self> {
        None
    }

    fn from_negative(_: i64) -> Option<Self> {
        None
    }

    /// `left` is how many more entries the lists of the line may have.
    fn from_list<'de, A: SeqAccess<'de>>(
        mut list: A,
        _left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// `left` is as for lists.
    fn from_object<'de, A: MapAccess<'de>>(
        mut object: A,
        _left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

impl Shape for Scalar {
    fn from_text(value: &str) -> Option<Self> {
        Some(Self::Text(value.to_owned()))
    }

    fn from_whole(value: u64) -> Option<Self> {
        Some(Self::Whole(value))
    }

    fn from_negative(value: i64) -> Option<Self> {
        Some(Self::Negative(value))
    }
}

impl<T: Shape> Shape for Vec<Loose<T>> {
    fn from_list<'de, A: SeqAccess<'de>>(
        mut list: A,
        left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let mut entries = Self::new();
        while let Some(entry) = list.next_element_seed(LooseSeed::new(left))? {
            left.set(left.get().saturating_sub(1));
            if left.get() == 0 {
                return Err(A::Error::custom("too many entries"));
            }
            entries.push(entry);
        }
        Ok(Some(entries))
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum DocumentField {
    Text,
    Spans,
    Work,
    Id,
    Name,
    Other(String),
}

impl Shape for RawDocument {
    fn from_object<'de, A: MapAccess<'de>>(
        mut object: A,
        left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let mut document = Self {
            text: Loose::Absent,
            spans: Loose::Absent,
            work: Loose::Absent,
            id: Loose::Absent,
            name: Loose::Absent,
            foreign: Vec::new(),
        };
        while let Some(field) = object.next_key()? {
            match field {
                DocumentField::Text => document.text.fill("text", &mut object, left)?,
                DocumentField::Spans => document.spans.fill("spans", &mut object, left)?,
                DocumentField::Work => document.work.fill("work", &mut object, left)?,
                DocumentField::Id => document.id.fill("id", &mut object, left)?,
                DocumentField::Name => document.name.fill("name", &mut object, left)?,
                DocumentField::Other(field) => {
                    document.foreign.extend(Foreign::read(&field, &mut object, left)?);
                }
            }
        }
        Ok(Some(document))
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum WorkField {
    Rater,
    Spans,
    #[serde(other)]
    Unknown,
}

impl Shape for RawWork {
    fn from_object<'de, A: MapAccess<'de>>(
        mut object: A,
        left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let mut work = Self { rater: Loose::Absent, spans: Loose::Absent };
        while let Some(field) = object.next_key()? {
            match field {
                WorkField::Rater => work.rater.fill("rater", &mut object, left)?,
                WorkField::Spans => work.spans.fill("spans", &mut object, left)?,
                WorkField::Unknown => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(work))
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum SpanField {
    Start,
    End,
    Label,
    #[serde(other)]
    Unknown,
}

impl Shape for RawSpan {
    fn from_object<'de, A: MapAccess<'de>>(
        mut object: A,
        left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let mut span = Self { start: Loose::Absent, end: Loose::Absent, label: Loose::Absent };
        while let Some(field) = object.next_key()? {
            match field {
                SpanField::Start => span.start.fill("start", &mut object, left)?,
                SpanField::End => span.end.fill("end", &mut object, left)?,
                SpanField::Label => span.label.fill("label", &mut object, left)?,
                SpanField::Unknown => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(span))
    }
}

/// Accepts every kind of value, so that only broken JSON, repeated fields and lists without end
/// are errors of serde.
pub(super) struct LooseSeed<'left, T> {
    /// How many more entries the lists of the line may have.
    left: &'left Cell<usize>,
    shape: PhantomData<T>,
}

impl<'left, T> LooseSeed<'left, T> {
    pub(super) const fn new(left: &'left Cell<usize>) -> Self {
        Self { left, shape: PhantomData }
    }
}

impl<'de, T: Shape> DeserializeSeed<'de> for LooseSeed<'_, T> {
    type Value = Loose<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Loose<T>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Shape> Visitor<'de> for LooseSeed<'_, T> {
    type Value = Loose<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Loose<T>, E> {
        Ok(Loose::Other(NULL))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Loose<T>, E> {
        Ok(Loose::Other(if value { "true" } else { "false" }))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Loose<T>, E> {
        Ok(Loose::Other("a number with a fraction or out of range"))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Loose<T>, E> {
        Ok(T::from_whole(value).map_or(Loose::Other(NUMBER), Loose::Value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Loose<T>, E> {
        Ok(T::from_negative(value).map_or(Loose::Other(NUMBER), Loose::Value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Loose<T>, E> {
        Ok(T::from_text(value).map_or(Loose::Other(STRING), Loose::Value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Loose<T>, A::Error> {
        Ok(T::from_list(list, self.left)?.map_or(Loose::Other("a list"), Loose::Value))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Loose<T>, A::Error> {
        Ok(T::from_object(object, self.left)?.map_or(Loose::Other("an object"), Loose::Value))
    }
}
