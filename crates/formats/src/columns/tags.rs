//! Tags of single tokens: telling their scheme and following them from span to span.
//!
//! Whatever the scheme, a tag opens a span or goes on with the one before as the evaluators of CoNLL
//! have it: `B-`, `S-` and `U-` open, and so does every tag that is not of the label of the open
//! span. So a file is read in one pass, and what its scheme does not allow is counted as a repair.
//!
//! The spans of a file tell its scheme, because each writes them in its own way: with `I-` where
//! nothing touches (IOB1), with `B-` and no sign of the end (IOB2), with `E-` or `S-` (BIOES), with
//! `L-` or `U-` (BILOU).

use crate::columns::scheme::TagScheme;
use crate::import::findings::count::Count;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::problem::Problem;
use crate::problem::quoted::shorten;

/// What spans are called whose tags have no label.
pub(crate) const UNLABELLED: &str = "span";

/// A tag of any scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag<'line> {
    /// `O`: in no span.
    Outside,
    /// `B-LABEL`: the first token of a span, or of one that touches another.
    Begin(&'line str),
    /// `I-LABEL`: a token of a span.
    Inside(&'line str),
    /// `E-LABEL` or `L-LABEL`: the last token of a span, in this scheme.
    End(&'line str, TagScheme),
    /// `S-LABEL` or `U-LABEL`: the only token of a span, in this scheme.
    Single(&'line str, TagScheme),
}

impl<'line> Tag<'line> {
    /// Whether a cell says that its token is in no span.
    pub(crate) fn is_outside(tag: &str) -> bool {
        matches!(tag, "O" | "_" | "o")
    }

    pub(crate) fn parse(tag: &'line str) -> Result<Self, Problem> {
        if Self::is_outside(tag) {
            return Ok(Self::Outside);
        }
        let refused = || Problem::ConllTag(shorten(tag));
        // WebAnno's first tables part them by an underscore.
        let (prefix, label) = tag.split_once(['-', '_']).ok_or_else(refused)?;
        if label.trim().is_empty() {
            return Err(refused());
        }
        Self::prefixed(prefix, label).ok_or_else(refused)
    }

    /// The tag of this prefix, if any scheme has it.
    fn prefixed(prefix: &str, label: &'line str) -> Option<Self> {
        Some(match prefix {
            "B" => Self::Begin(label),
            // BMES, in which much Chinese is tagged, calls the inside the middle.
            "I" | "M" => Self::Inside(label),
            "E" => Self::End(label, TagScheme::Bioes),
            "S" => Self::Single(label, TagScheme::Bioes),
            "L" => Self::End(label, TagScheme::Bilou),
            "U" => Self::Single(label, TagScheme::Bilou),
            _ => return None,
        })
    }

    /// Whether cells are labels of tokens without a prefix: none of them is a tag of a scheme.
    pub(crate) fn are_labels<'cell>(cells: impl Iterator<Item = &'cell str>) -> bool {
        let mut labels = cells.filter(|cell| !Tag::is_outside(cell) && !cell.is_empty()).peekable();
        let is_label = |cell: &str| Tag::parse(cell).is_err() && Tag::parse_label(cell).is_ok();
        labels.peek().is_some() && labels.all(is_label)
    }

    /// Reads a cell that has the prefix of a tag only.
    pub(crate) fn parse_bare(cell: &'line str) -> Result<Self, Problem> {
        if Self::is_outside(cell) {
            return Ok(Self::Outside);
        }
        Self::prefixed(cell, UNLABELLED).ok_or_else(|| Problem::ConllTag(shorten(cell)))
    }

    /// Reads a cell that is a label, or says that its token has none.
    pub(crate) fn parse_label(cell: &'line str) -> Result<Self, Problem> {
        match cell {
            _ if Self::is_outside(cell) => Ok(Self::Outside),
            _ if cell.is_empty() || Self::prefixed(cell, UNLABELLED).is_some() => {
                Err(Problem::ConllTag(shorten(cell)))
            }
            label if label.trim().is_empty() => Err(Problem::Blank),
            label => Ok(Self::Inside(label)),
        }
    }

    /// The label, where there is one.
    pub(crate) const fn label(self) -> Option<&'line str> {
        match self {
            Self::Outside => None,
            Self::Begin(label)
            | Self::Inside(label)
            | Self::End(label, _)
            | Self::Single(label, _) => Some(label),
        }
    }
}

/// What a token does to the spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenStep {
    /// It is in no span.
    Outside,
    /// It is the first token of a span.
    Opens,
    /// It is a further token of the last span.
    Continues,
}

/// Follows the tags of a file and detects their scheme.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    /// The label of the span that may go on, and the line of its first token.
    open: Option<(String, usize)>,
    /// The scheme, and the line that told it.
    scheme: Option<(TagScheme, usize)>,
    /// Tags that open a span though they are not made for it; in IOB1 they are.
    orphans: Count,
    unended: Count,
    mixed: Count,
}

impl Chain {
    /// The scheme of the file, and what is not as it asks for.
    pub(crate) fn notes(&self, file: &str) -> impl Iterator<Item = ImportNote> + use<> {
        let scheme = self
            .scheme
            .map(|(scheme, line)| ImportNote::new(file, Some(line), 1, Note::TagScheme(scheme)));
        let orphans = if self.opens_inside() { Count::default() } else { self.orphans };
        let repairs = [
            orphans.note(file, Repair::OrphanTag),
            self.unended.note(file, Repair::UnendedTag),
            self.mixed.note(file, Repair::MixedTags),
        ];
        scheme.into_iter().chain(repairs.into_iter().flatten())
    }

    /// How many tags go on with a span that is not there.
    pub(crate) const fn orphans(&self) -> usize {
        if self.opens_inside() { 0 } else { self.orphans.count() }
    }

    /// That of labels without a prefix, the first of them on this line.
    pub(crate) fn of_labels(line: usize) -> Self {
        Self { scheme: Some((TagScheme::Io, line)), ..Self::default() }
    }

    /// Whether a span of this label may go on.
    pub(crate) fn is_open(&self, label: &str) -> bool {
        self.open.as_ref().is_some_and(|(open, _)| open == label)
    }

    /// Ends a sentence, and with it the span before, since no span crosses that.
    pub(crate) fn break_off(&mut self) {
        let Some((_, line)) = self.open.take() else { return };
        match self.scheme {
            Some((scheme, _)) if scheme.marks_ends() => self.unended.add(line),
            Some(_) => {}
            // It opened with B- where IOB1 has none, and its end is not marked.
            None => self.scheme = Some((TagScheme::Iob2, line)),
        }
    }

    /// Moves on by one tag.
    pub(crate) fn follow(&mut self, tag: Tag<'_>, line: usize) -> TokenStep {
        let Some(label) = tag.label() else {
            self.break_off();
            return TokenStep::Outside;
        };
        let continues = self.open.as_ref().is_some_and(|(open, _)| open == label);
        let step = match tag {
            Tag::Inside(_) | Tag::End(..) if continues => TokenStep::Continues,
            _ => TokenStep::Opens,
        };
        match tag {
            Tag::Begin(_) if !continues && self.is_iob1() => {
                self.scheme = Some((TagScheme::Iob2, line));
            }
            Tag::End(_, scheme) => {
                self.decide(scheme, line);
                if continues {
                    self.open = None;
                }
            }
            Tag::Single(_, scheme) => self.decide(scheme, line),
            Tag::Inside(_) if !continues && self.scheme.is_none() && self.open.is_none() => {
                self.scheme = Some((TagScheme::Iob1, line));
            }
            _ => {}
        }
        if step == TokenStep::Opens {
            if matches!(tag, Tag::Inside(_) | Tag::End(..)) {
                self.orphans.add(line);
            }
            self.break_off();
            if matches!(tag, Tag::Begin(_) | Tag::Inside(_)) {
                self.open = Some((label.to_owned(), line));
            }
        }
        step
    }

    /// Whether tags of the inside open spans in this scheme.
    const fn opens_inside(&self) -> bool {
        matches!(self.scheme, Some((TagScheme::Iob1 | TagScheme::Io, _)))
    }

    const fn is_iob1(&self) -> bool {
        matches!(self.scheme, Some((TagScheme::Iob1, _)))
    }

    /// Takes the scheme for the file's, unless another was told before; an inside tag without a
    /// beginning looks like IOB1 only until others come.
    fn decide(&mut self, scheme: TagScheme, line: usize) {
        match self.scheme {
            None | Some((TagScheme::Iob1, _)) => self.scheme = Some((scheme, line)),
            Some((decided, _)) if decided != scheme => self.mixed.add(line),
            Some(_) => {}
        }
    }
}
