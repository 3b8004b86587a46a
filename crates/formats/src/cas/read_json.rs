//! UIMA CAS as JSON (version 0.4), read feature structure by feature structure.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{BufRead, BufReader};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::cas::bounded::ShortStrings;
use crate::cas::layer::LABEL_FEATURES;
use crate::cas::types::STRING_ARRAY;
use crate::cas::{Cas, Given, Held, Sofa, Stop};
use crate::import::findings::Findings;
use crate::import::limits::MAX_RECORD_BYTES;
use crate::import::lines::{BYTE_ORDER_MARK, is_utf16};
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node, Seed, reason};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;

/// The most values of one feature structure.
const MAX_VALUES: usize = 100_000;

/// The most members of the views of one CAS.
const MAX_MEMBERS: usize = 2_000_000;

/// The types of lists of texts.
const TEXT_LISTS: [&str; 2] = [STRING_ARRAY, "uima.cas.String[]"];

const FORMAT: &str = "a UIMA CAS in JSON";
const EXPECTED: &str = "an object with %FEATURE_STRUCTURES";

pub(super) fn read<R: BufRead>(mut reader: R, cas: Cas) -> Result<Cas, Stop> {
    let head = reader.fill_buf().map_err(|error| (None, None, error.into()))?;
    if is_utf16(head) {
        return Err((Some(1), None, Problem::Utf16));
    }
    let marked = head.starts_with(BYTE_ORDER_MARK);
    if marked {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    if reader.fill_buf().is_ok_and(<[u8]>::is_empty) {
        return Err((None, None, Problem::EmptyFile));
    }
    let state = State { cas: RefCell::new(cas), ..State::default() };
    let short = ShortStrings::new(reader, MAX_RECORD_BYTES);
    let mut short = BufReader::with_capacity(1 << 16, short);
    let mut json = serde_json::Deserializer::from_reader(&mut short);
    let outcome = Whole(&state).deserialize(&mut json).and_then(|()| json.end());
    let exceeded = short.get_ref().exceeded;
    match outcome {
        Ok(()) if state.structures.get() => Ok(state.cas.into_inner()),
        Ok(()) => Err((
            None,
            None,
            ExchangeProblem::OtherFormat { format: FORMAT, expected: EXPECTED }.into(),
        )),
        Err(error) => {
            let line = Some(error.line()).filter(|line| *line > 0);
            let (field, problem) = match state.problem.into_inner() {
                Some((field, problem)) => (field, problem),
                None if exceeded => (None, ExchangeProblem::RecordTooLong.into()),
                None if error.is_io() => (None, Problem::Unreadable { reason: reason(&error) }),
                None => {
                    let (line, column) = (error.line(), error.column());
                    let reason = shorten(&reason(&error));
                    (None, ExchangeProblem::InvalidRecord { line, column, reason }.into())
                }
            };
            Err((line, field, problem))
        }
    }
}

#[derive(Default)]
struct State {
    cas: RefCell<Cas>,
    /// What stopped the reader, in our words.
    problem: RefCell<Option<(Option<String>, Problem)>>,
    /// Whether there were feature structures.
    structures: Cell<bool>,
}

impl State {
    fn stop<T, E: Error>(&self, field: Option<String>, problem: Problem) -> Result<T, E> {
        *self.problem.borrow_mut() = Some((field, problem));
        Err(E::custom("stopped"))
    }

    /// Takes a feature structure; `key` is its id where they stand in an object.
    fn read_feature_structure<E: Error>(&self, node: &Node, key: Option<&str>) -> Result<(), E> {
        let root = At::root(node);
        let (kind_at, id_at) = (root.get("%TYPE"), root.get("%ID"));
        let kind = kind_at.as_text().unwrap_or_default();
        let short = kind.rsplit('.').next().unwrap_or(kind);
        let id = match id_at.node {
            Node::Whole(id) => *id,
            _ => key.and_then(|key| key.parse().ok()).unwrap_or_default(),
        };
        let mut cas = self.cas.borrow_mut();
        if kind == "uima.cas.Sofa" {
            let name = root.get("sofaID").as_text().unwrap_or_default().to_owned();
            let text = root.get("sofaString").as_text().map(str::to_owned);
            let added = cas.add_sofa(Sofa { id, name, text, line: None });
            return added.or_else(|problem| self.stop(Some("sofaString".to_owned()), problem));
        }
        if short == "DocumentMetaData"
            && let Some(title) = root.get("documentTitle").identifier()
        {
            cas.title = Some(title);
        }
        if TEXT_LISTS.contains(&kind) {
            let elements = root.get("%ELEMENTS");
            let texts: Vec<At<'_>> = (0..elements.count()).map(|at| elements.entry(at)).collect();
            cas.add_list(id, texts.iter().filter_map(At::as_text));
            return Ok(());
        }
        let (sofa, begin, end) = (root.get("@sofa"), root.get("begin"), root.get("end"));
        if sofa.is_absent() || begin.is_absent() || end.is_absent() {
            return Ok(());
        }
        let mut findings = Findings::default();
        let numbers = [&sofa, &begin, &end].map(|at| at.offset(&mut findings));
        let [Some(sofa), Some(begin), Some(end)] = numbers else {
            let field = format!("{}[{id}]", shorten(short));
            let expected = "whole numbers from 0 as @sofa, begin and end";
            return self.stop(Some(field), Problem::WrongType { expected, found: "another value" });
        };
        let values = LABEL_FEATURES.map(|feature| root.get(feature));
        let labels = values.each_ref().map(At::as_text);
        let relation = ["@Governor", "@Dependent"].iter().all(|key| !root.get(key).is_absent());
        let given = Given { id, sofa, begin, end, kind, labels, relation, line: None };
        let place = match cas.add(&given) {
            Ok(Some(place)) => place,
            Ok(None) => return Ok(()),
            Err(problem) => return self.stop(None, problem),
        };
        for (name, value) in root.fields() {
            match (name.strip_prefix('@'), value.node) {
                (Some(name), Node::Whole(id)) => cas.add_reference(place, name, *id),
                _ if name.starts_with(['@', '%', '^']) => {}
                _ => {
                    if let Some(text) = value.words() {
                        cas.add_text(place, name, &text, Held::Text);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The object around everything.
struct Whole<'state>(&'state State);

/// The types, by name.
struct Types<'state>(&'state State);

/// The feature structures: a list, or an object by id.
struct Structures<'state>(&'state State);

/// The views, by name.
struct Views<'state>(&'state State);

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                "%FEATURE_STRUCTURES" => {
                    self.0.structures.set(true);
                    object.next_value_seed(Structures(self.0))?;
                }
                "%TYPES" => object.next_value_seed(Types(self.0))?,
                "%VIEWS" => object.next_value_seed(Views(self.0))?,
                _ => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Types<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Types<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object of types")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let left = Cell::new(MAX_VALUES);
        while let Some(kind) = object.next_key::<String>()? {
            let node = object.next_value_seed(Seed { left: &left, kept: Kept::AllBut(&[]) })?;
            left.set(MAX_VALUES);
            let (root, layers) = (At::root(&node), &mut self.0.cas.borrow_mut().layers);
            if let Some(from) = root.get("%SUPER_TYPE").as_text() {
                layers.derive(&kind, from);
            }
            root.fields().for_each(|(feature, _)| layers.describe(&kind, feature));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Structures<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Structures<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list or an object of feature structures")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let left = Cell::new(MAX_VALUES);
        while let Some(node) =
            list.next_element_seed(Seed { left: &left, kept: Kept::AllBut(&[]) })?
        {
            left.set(MAX_VALUES);
            self.0.read_feature_structure(&node, None)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let left = Cell::new(MAX_VALUES);
        while let Some(key) = object.next_key::<String>()? {
            let node = object.next_value_seed(Seed { left: &left, kept: Kept::AllBut(&[]) })?;
            left.set(MAX_VALUES);
            self.0.read_feature_structure(&node, Some(&key))?;
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Views<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

#[derive(serde::Deserialize)]
struct View {
    #[serde(rename = "%SOFA")]
    sofa: Option<u64>,
    #[serde(rename = "%MEMBERS", default)]
    members: Members,
}

/// Ids, as text with spaces, as XMI has them.
#[derive(Default)]
struct Members(String);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Self::default())
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of ids")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        let mut count = 0;
        while let Some(id) = list.next_element::<u64>()? {
            count += 1;
            if count > MAX_MEMBERS {
                return Err(A::Error::custom("a view has too many members"));
            }
            self.0.push_str(&id.to_string());
            self.0.push(' ');
        }
        Ok(self)
    }
}

impl<'de> Visitor<'de> for Views<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object of views")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some((_, view)) = object.next_entry::<IgnoredAny, View>()? {
            if let Some(sofa) = view.sofa {
                let added = self.0.cas.borrow_mut().add_view(sofa, view.members.0);
                added.or_else(|problem| self.0.stop(None, problem))?;
            }
        }
        Ok(())
    }
}
