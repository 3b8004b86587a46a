//! A line of JSON read loosely: wrong kinds of values are kept by name, to be reported with their
//! field, and what no field needs is skipped without being stored.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

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
    ) -> Result<(), A::Error>
    where
        T: Shape,
    {
        if !matches!(self, Self::Absent) {
            return Err(A::Error::duplicate_field(name));
        }
        *self = object.next_value()?;
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

const NULL: &str = "null";
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

    fn from_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
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
    fn from_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut entries = Self::new();
        while let Some(entry) = list.next_element()? {
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
    #[serde(other)]
    Unknown,
}

impl Shape for RawDocument {
    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut document = Self {
            text: Loose::Absent,
            spans: Loose::Absent,
            work: Loose::Absent,
            id: Loose::Absent,
            name: Loose::Absent,
        };
        while let Some(field) = object.next_key()? {
            match field {
                DocumentField::Text => document.text.fill("text", &mut object)?,
                DocumentField::Spans => document.spans.fill("spans", &mut object)?,
                DocumentField::Work => document.work.fill("work", &mut object)?,
                DocumentField::Id => document.id.fill("id", &mut object)?,
                DocumentField::Name => document.name.fill("name", &mut object)?,
                DocumentField::Unknown => {
                    object.next_value::<IgnoredAny>()?;
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
    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut work = Self { rater: Loose::Absent, spans: Loose::Absent };
        while let Some(field) = object.next_key()? {
            match field {
                WorkField::Rater => work.rater.fill("rater", &mut object)?,
                WorkField::Spans => work.spans.fill("spans", &mut object)?,
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
    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut span = Self { start: Loose::Absent, end: Loose::Absent, label: Loose::Absent };
        while let Some(field) = object.next_key()? {
            match field {
                SpanField::Start => span.start.fill("start", &mut object)?,
                SpanField::End => span.end.fill("end", &mut object)?,
                SpanField::Label => span.label.fill("label", &mut object)?,
                SpanField::Unknown => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(span))
    }
}

impl<'de, T: Shape> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LooseVisitor(PhantomData))
    }
}

/// Accepts every kind of value, so that only broken JSON and repeated fields are errors of serde.
struct LooseVisitor<T>(PhantomData<T>);

impl<'de, T: Shape> Visitor<'de> for LooseVisitor<T> {
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
        Ok(T::from_list(list)?.map_or(Loose::Other("a list"), Loose::Value))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Loose<T>, A::Error> {
        Ok(T::from_object(object)?.map_or(Loose::Other("an object"), Loose::Value))
    }
}
