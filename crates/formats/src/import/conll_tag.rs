//! The last column of a CoNLL-2003 line: reading an IOB2 tag and telling other schemes by theirs.

use super::error::{Problem, shorten};

/// An IOB2 tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag<'line> {
    /// `O`: in no span.
    Outside,
    /// `B-LABEL`: the first token of a span.
    Begin(&'line str),
    /// `I-LABEL`: a further token of the span before it.
    Inside(&'line str),
}

impl<'line> Tag<'line> {
    pub(super) fn parse(tag: &'line str) -> Result<Self, Problem> {
        if tag == "O" {
            return Ok(Self::Outside);
        }
        match tag.split_once('-') {
            Some((_, label)) if label.trim().is_empty() => {
                Err(Problem::ConllTag { tag: shorten(tag) })
            }
            Some(("B", label)) => Ok(Self::Begin(label)),
            Some(("I", label)) => Ok(Self::Inside(label)),
            Some(("E" | "S" | "L" | "U", _)) => Err(Problem::ConllEndTag { tag: shorten(tag) }),
            _ => Err(Problem::ConllTag { tag: shorten(tag) }),
        }
    }
}

/// What came before a tag within its sentence.
#[derive(Debug, Default)]
enum Before {
    /// No span that could go on.
    #[default]
    Nothing,
    /// A token of a span with this label.
    Span(String),
    /// A line that could not be read, so anything may go on.
    Unknown,
}

/// Follows the tags of a file and checks that each inside tag continues a span.
#[derive(Debug, Default)]
pub(super) struct Chain {
    before: Before,
    /// Whether a begin tag stood where IOB1 would have none, so that the file is not IOB1.
    seen_begin: bool,
}

impl Chain {
    /// Forgets the token before, since no span crosses the end of a sentence.
    pub(super) fn break_off(&mut self) {
        self.before = Before::Nothing;
    }

    /// Passes over a line that could not be read: what it holds is not blamed on the next one.
    pub(super) fn pass_over(&mut self) {
        self.before = Before::Unknown;
    }

    /// Moves on by one tag. After an error the tag counts as if it had opened its span, so that
    /// one slip is told once.
    pub(super) fn follow(&mut self, tag: Tag<'_>) -> Result<(), Problem> {
        let (Tag::Begin(label) | Tag::Inside(label)) = tag else {
            self.before = Before::Nothing;
            return Ok(());
        };
        let continues = match &self.before {
            Before::Nothing => false,
            Before::Span(open) => open == label,
            Before::Unknown => true,
        };
        if !continues || matches!(self.before, Before::Unknown) {
            self.before = Before::Span(label.to_owned());
        }
        if matches!(tag, Tag::Begin(_)) {
            self.seen_begin |= !continues;
            return Ok(());
        }
        if continues {
            return Ok(());
        }
        let label = shorten(label);
        Err(if self.seen_begin {
            Problem::ConllInsideWithoutBegin { label }
        } else {
            Problem::ConllIob1 { label }
        })
    }
}
