//! A value with its place in its record, so that every problem can name its field.

use std::borrow::Cow;
use std::fmt;

use crate::import::findings::Findings;
use crate::json::value::node::{Node, is_span};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

const TEXT_EXPECTED: &str = "a string with the document's text";
const OFFSET_EXPECTED: &str = "a whole number from 0";

/// A value and the way to it from the root of its record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'node> {
    pub(crate) node: &'node Node,
    parent: Option<&'node At<'node>>,
    step: PathStep<'node>,
}

#[derive(Debug, Clone, Copy)]
enum PathStep<'node> {
    Root,
    Key(&'node str),
    Index(usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(out)?;
        }
        match self.step {
            PathStep::Root => Ok(()),
            PathStep::Index(index) => write!(out, "[{index}]"),
            PathStep::Key(key) => {
                let dot =
                    if self.parent.is_some_and(|parent| !parent.is_root()) { "." } else { "" };
                write!(out, "{dot}{key}")
            }
        }
    }
}

impl<'node> At<'node> {
    pub(crate) const fn root(node: &'node Node) -> Self {
        Self { node, parent: None, step: PathStep::Root }
    }

    const fn is_root(&self) -> bool {
        matches!(self.step, PathStep::Root)
    }

    /// The place in words; none for the record as a whole.
    pub(crate) fn path(&self) -> Option<String> {
        (!self.is_root()).then(|| self.to_string())
    }

    /// The value of a field; absent where this is no object or has no such field.
    pub(crate) fn get(&'node self, key: &'node str) -> Self {
        let found = match self.node {
            Node::Object(fields) => fields.iter().find(|(name, _)| &**name == key),
            _ => None,
        };
        let node = found.map_or(&Node::Absent, |(_, node)| node);
        Self { node, parent: Some(self), step: PathStep::Key(key) }
    }

    /// The first of these fields that is there.
    pub(crate) fn first_of(&'node self, keys: &[&'node str]) -> Self {
        let first = keys.first().copied().unwrap_or_default();
        let found = keys.iter().map(|key| self.get(key)).find(|at| !at.is_absent());
        found.unwrap_or_else(|| self.get(first))
    }

    /// An entry of a list; absent where this is no list or has no such entry.
    pub(crate) fn entry(&'node self, index: usize) -> Self {
        let found = match self.node {
            Node::List(items) => items.get(index),
            _ => None,
        };
        Self {
            node: found.unwrap_or(&Node::Absent),
            parent: Some(self),
            step: PathStep::Index(index),
        }
    }

    /// The name of the field that this is.
    pub(crate) const fn key(&self) -> Option<&'node str> {
        match self.step {
            PathStep::Key(key) => Some(key),
            PathStep::Root | PathStep::Index(_) => None,
        }
    }

    /// Whether this is an object with a start, an end and a label.
    pub(crate) fn node_is_span(&self) -> bool {
        is_span(self.node)
    }

    /// The fields of an object.
    pub(crate) fn fields(&'node self) -> impl Iterator<Item = (&'node str, Self)> {
        let fields = match self.node {
            Node::Object(fields) => fields.as_slice(),
            _ => &[],
        };
        fields.iter().map(move |(key, node)| {
            (&**key, Self { node, parent: Some(self), step: PathStep::Key(key) })
        })
    }

    /// Whether there is nothing here, or `null`.
    pub(crate) const fn is_absent(&self) -> bool {
        matches!(self.node, Node::Absent | Node::Null)
    }

    /// Whether this is an object.
    pub(crate) const fn is_object(&self) -> bool {
        matches!(self.node, Node::Object(_))
    }

    /// Whether this is a list.
    pub(crate) const fn is_list(&self) -> bool {
        matches!(self.node, Node::List(_))
    }

    /// How many entries a list has; none for everything else.
    pub(crate) fn count(&self) -> usize {
        match self.node {
            Node::List(items) => items.len(),
            _ => 0,
        }
    }

    /// Says what is wrong here.
    pub(crate) fn wrong<T>(
        &self,
        problem: impl Into<Problem>,
        findings: &mut Findings,
    ) -> Option<T> {
        findings.refuse(self.path().as_deref(), problem)
    }

    /// Says that this is not what was expected.
    pub(crate) fn refuse<T>(&self, expected: &'static str, findings: &mut Findings) -> Option<T> {
        let problem = match self.node {
            Node::Absent => Problem::MissingField(expected),
            node => Problem::WrongType { expected, found: node.kind() },
        };
        self.wrong(problem, findings)
    }

    /// Refuses lists of spans or of raters' work as our own lines have them, where another format
    /// would pass them over.
    pub(crate) fn refuse_our_fields(&self, format: &'static str, findings: &mut Findings) {
        for (field, node) in self.fields().filter(|(field, _)| ["spans", "work"].contains(field)) {
            if node.count() > 0 {
                let expected = "no list of spans or work, which are of JSON Lines";
                let problem = ExchangeProblem::OtherFormat { format, expected };
                findings.refuse::<()>(Some(field), problem);
            }
        }
    }

    /// The entries of a list, none where nothing is there; everything else is a problem.
    pub(crate) fn items(
        &'node self,
        expected: &'static str,
        findings: &mut Findings,
    ) -> impl Iterator<Item = Self> + use<'node> {
        let items: &[Node] = match self.node {
            Node::List(items) => items,
            _ if self.is_absent() => &[],
            _ => {
                self.refuse::<()>(expected, findings);
                &[]
            }
        };
        items.iter().enumerate().map(move |(index, node)| Self {
            node,
            parent: Some(self),
            step: PathStep::Index(index),
        })
    }

    /// A string with something visible and nothing that a database refuses.
    pub(crate) fn name(
        &self,
        expected: &'static str,
        findings: &mut Findings,
    ) -> Option<&'node str> {
        self.visible(expected, Problem::Blank, findings)
    }

    /// A string that can be seen, or a whole number.
    pub(crate) fn name_or_number(
        &self,
        expected: &'static str,
        findings: &mut Findings,
    ) -> Option<String> {
        match self.node {
            Node::Whole(_) | Node::Negative(_) => self.identifier(),
            _ => self.name(expected, findings).map(str::to_owned),
        }
    }

    /// A document's text.
    pub(crate) fn text(&self, findings: &mut Findings) -> Option<&'node str> {
        self.visible(TEXT_EXPECTED, Problem::EmptyText, findings)
    }

    fn visible(
        &self,
        expected: &'static str,
        blank: Problem,
        findings: &mut Findings,
    ) -> Option<&'node str> {
        match self.node {
            Node::Text(value) if value.contains('\0') => self.wrong(Problem::ContainsNul, findings),
            Node::Text(value) if value.trim().is_empty() => self.wrong(blank, findings),
            Node::Text(value) => Some(value),
            _ => self.refuse(expected, findings),
        }
    }

    /// An offset or an index.
    pub(crate) fn offset(&self, findings: &mut Findings) -> Option<u64> {
        self.whole(OFFSET_EXPECTED, findings)
    }

    /// A whole number from 0.
    pub(crate) fn whole(&self, expected: &'static str, findings: &mut Findings) -> Option<u64> {
        match self.node {
            Node::Whole(number) => Some(*number),
            _ => self.refuse(expected, findings),
        }
    }

    /// What names something, a string or a whole number, where there is one that names it.
    pub(crate) fn identifier(&self) -> Option<String> {
        match self.node {
            Node::Text(value) if !value.trim().is_empty() && !value.contains('\0') => {
                Some(value.clone())
            }
            Node::Whole(number) => Some(number.to_string()),
            Node::Negative(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// A string, a number or a truth value, in words.
    pub(crate) fn words(&self) -> Option<Cow<'node, str>> {
        match self.node {
            Node::Text(value) => Some(Cow::Borrowed(value)),
            Node::Whole(number) => Some(number.to_string().into()),
            Node::Negative(number) => Some(number.to_string().into()),
            Node::Fraction(number) => Some(number.to_string().into()),
            Node::Bool(value) => Some(value.to_string().into()),
            Node::Absent | Node::Null | Node::List(_) | Node::Object(_) | Node::Spans => None,
        }
    }

    /// The string here, if it is one.
    pub(crate) fn as_text(&self) -> Option<&'node str> {
        match self.node {
            Node::Text(value) => Some(value),
            _ => None,
        }
    }
}
