//! Fields of other tools on a line of JSON Lines, whose spans would get lost without a word.

use std::cell::Cell;

use serde::de::{IgnoredAny, MapAccess, SeqAccess};

use super::json_lines_raw::{Loose, LooseSeed, NULL, Shape};

/// The fields by which other tools say what was marked, and by whom, which our lines do not have.
const FOREIGN: [&str; 7] =
    ["label", "labels", "entities", "ents", "answer", "_annotator_id", "_session_id"];

/// A field of another tool that holds something.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) field: &'static str,
    /// Whether it is a list of lists or of objects, as lists of spans are.
    pub(super) is_list_of_spans: bool,
}

/// What a value holds.
#[derive(Debug)]
struct Held {
    something: bool,
    /// Whether it is a list or an object, and so its first entry.
    compound: bool,
    nested: bool,
}

impl Foreign {
    /// Reads the value of a field that our lines do not have; none where it is of no tool known
    /// here or holds nothing.
    pub(super) fn read<'de, A: MapAccess<'de>>(
        field: &str,
        object: &mut A,
        left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let Some(field) = FOREIGN.into_iter().find(|known| *known == field) else {
            object.next_value::<IgnoredAny>()?;
            return Ok(None);
        };
        Ok(match object.next_value_seed(LooseSeed::<Held>::new(left))? {
            Loose::Value(Held { something: false, .. }) | Loose::Other(NULL) => None,
            Loose::Value(Held { nested: true, .. }) => Some(Self { field, is_list_of_spans: true }),
            _ => Some(Self { field, is_list_of_spans: false }),
        })
    }
}

impl Shape for Held {
    fn from_text(value: &str) -> Option<Self> {
        Some(Self { something: !value.is_empty(), compound: false, nested: false })
    }

    fn from_list<'de, A: SeqAccess<'de>>(
        mut list: A,
        left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let first = list.next_element_seed(LooseSeed::<Self>::new(left))?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        let nested = matches!(first, Some(Loose::Value(Self { compound: true, .. })));
        Ok(Some(Self { something: first.is_some(), compound: true, nested }))
    }

    fn from_object<'de, A: MapAccess<'de>>(
        mut object: A,
        _left: &Cell<usize>,
    ) -> Result<Option<Self>, A::Error> {
        let mut something = false;
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            something = true;
        }
        Ok(Some(Self { something, compound: true, nested: false }))
    }
}
