//! Positions in a document's text and the spans that carry a label there.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Code, DocumentId, Error, LabelId};

/// Where in a text: a half-open range of Unicode scalar values, empty only for the document itself
/// ([`Span::DOCUMENT`]).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Range {
    pub start: u32,
    pub end: u32,
}

impl Range {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The range's length in Unicode scalar values.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether the two share at least one character.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Refuses a range that is empty, runs backwards or leaves a text of `length` characters.
    pub fn checked(self, length: u32) -> Result<Self, Error> {
        if self.end <= self.start {
            return Err(Code::Unsuitable.of("end", "a span ends after its start"));
        }
        if self.end > length {
            return Err(Code::OutOfRange.of(
                "end",
                format!("the span ends at {}, but the text has {length} characters", self.end),
            ));
        }
        Ok(self)
    }
}

/// A label on a range: what a labeler marks. A rater's spans on a document are a set of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "WrittenSpan", into = "WrittenSpan")]
pub struct Span {
    pub range: Range,
    pub label: LabelId,
}

/// A span as it is written, its ends beside its label. (`flatten` would say the same, and a browser
/// would load several kilobytes of code for it.)
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename = "Span")]
struct WrittenSpan {
    start: u32,
    end: u32,
    label: LabelId,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Span {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        WrittenSpan::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Span {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        WrittenSpan::schemas(schemas);
    }
}

impl From<WrittenSpan> for Span {
    fn from(WrittenSpan { start, end, label }: WrittenSpan) -> Self {
        Self::new(start, end, label)
    }
}

impl From<Span> for WrittenSpan {
    fn from(Span { range: Range { start, end }, label }: Span) -> Self {
        Self { start, end, label }
    }
}

impl Span {
    /// The document itself, as what something is chosen on: a span of no characters, which everybody has.
    pub const DOCUMENT: Self = Self::new(0, 0, LabelId::DOCUMENT);

    pub const fn new(start: u32, end: u32, label: LabelId) -> Self {
        Self { range: Range::new(start, end), label }
    }
}

/// A range of one document: what raters agree or disagree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "WrittenPosition", into = "WrittenPosition")]
pub struct Position {
    pub document: DocumentId,
    pub range: Range,
}

/// A position as it is written, in one piece.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Position")]
struct WrittenPosition {
    document: DocumentId,
    start: u32,
    end: u32,
}

impl From<WrittenPosition> for Position {
    fn from(WrittenPosition { document, start, end }: WrittenPosition) -> Self {
        Self { document, range: Range::new(start, end) }
    }
}

impl From<Position> for WrittenPosition {
    fn from(Position { document, range: Range { start, end } }: Position) -> Self {
        Self { document, start, end }
    }
}

/// A position in an address: document, start and end, joined by hyphens.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.document, self.range.start, self.range.end)
    }
}

impl FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parts: Vec<&str> = text.split('-').collect();
        let [document, start, end] = parts.as_slice() else { return Err(no_position()) };
        let document = document.parse().map_err(|_| no_position())?;
        let bound = |offset: &str| offset.parse().map_err(|_| no_position());
        Ok(Self { document, range: Range::new(bound(start)?, bound(end)?) })
    }
}

fn no_position() -> Error {
    Code::Malformed.of("at", "a position is a document, a start and an end, joined by hyphens")
}
