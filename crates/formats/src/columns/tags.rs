//! Tags of single tokens: telling their scheme and following them from span to span.
//!
//! The first span of a file tells its scheme, because each scheme writes it in its own way: with
//! `I-` alone (IOB1), with `B-` and no span of its end (IOB2), with `E-` or `S-` (BIOES), with
//! `L-` or `U-` (BILOU). So a file is read in one pass, and a tag of another scheme later on is a
//! contradiction that names both lines.

use crate::columns::scheme::TagScheme;
use crate::problem::Problem;
use crate::problem::quoted::shorten;

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
    pub(crate) fn parse(tag: &'line str) -> Result<Self, Problem> {
        if tag == "O" {
            return Ok(Self::Outside);
        }
        let refused = || Problem::ConllTag(shorten(tag));
        let (prefix, label) = tag.split_once('-').ok_or_else(refused)?;
        if label.trim().is_empty() {
            return Err(refused());
        }
        match prefix {
            "B" => Ok(Self::Begin(label)),
            "I" => Ok(Self::Inside(label)),
            "E" => Ok(Self::End(label, TagScheme::Bioes)),
            "S" => Ok(Self::Single(label, TagScheme::Bioes)),
            "L" => Ok(Self::End(label, TagScheme::Bilou)),
            "U" => Ok(Self::Single(label, TagScheme::Bilou)),
            _ => Err(refused()),
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

    /// The tag as it was written, shortened.
    fn shown(self) -> String {
        let prefix = match self {
            Self::Outside => return "O".to_owned(),
            Self::Begin(_) => "B",
            Self::Inside(_) => "I",
            Self::End(_, TagScheme::Bilou) => "L",
            Self::End(..) => "E",
            Self::Single(_, TagScheme::Bilou) => "U",
            Self::Single(..) => "S",
        };
        format!("{prefix}-{}", shorten(self.label().unwrap_or_default()))
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

/// What came before a tag within its sentence.
#[derive(Debug, Default)]
enum Before {
    /// No span that could go on.
    #[default]
    Nothing,
    /// A token of a span with this label that may go on; the line is that of its first token.
    Open { label: String, line: usize },
    /// A line that could not be read, so anything may go on.
    Unknown,
}

/// Follows the tags of a file, detects their scheme and checks that they keep to it.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    before: Before,
    /// The scheme, and the line that told it.
    scheme: Option<(TagScheme, usize)>,
    /// Whether a begin tag stood where IOB1 would have none.
    not_iob1: bool,
}

impl Chain {
    /// The scheme of the file and the line that told it; none before its first span has ended.
    pub(crate) const fn scheme(&self) -> Option<(TagScheme, usize)> {
        self.scheme
    }

    /// Passes over a line that could not be read: what it holds is not blamed on the next one.
    pub(crate) fn pass_over(&mut self) {
        self.before = Before::Unknown;
    }

    /// Ends a sentence that is not yielded, whatever stood in it.
    pub(crate) fn forget(&mut self) {
        self.before = Before::Nothing;
    }

    /// Ends a sentence, and with it the span before, since no span crosses that.
    pub(crate) fn break_off(&mut self) -> Result<(), Problem> {
        let Before::Open { label, line } = std::mem::take(&mut self.before) else { return Ok(()) };
        match self.scheme {
            Some((scheme, _)) if scheme.marks_ends() => {
                Err(Problem::ConllUnfinished { label: shorten(&label), scheme, first_line: line })
            }
            Some(_) => Ok(()),
            // It opened with B- where IOB1 has none, and its end is not marked.
            None => {
                self.scheme = Some((TagScheme::Iob2, line));
                Ok(())
            }
        }
    }

    /// Moves on by one tag. After an error the tag counts as if it had opened its span, so that
    /// one slip is told once.
    pub(crate) fn follow(&mut self, tag: Tag<'_>, line: usize) -> Result<TokenStep, Problem> {
        let Some(label) = tag.label() else {
            self.break_off()?;
            return Ok(TokenStep::Outside);
        };
        let (continues, unknown) = match &self.before {
            Before::Nothing => (false, false),
            Before::Open { label: open, .. } => (open == label, false),
            Before::Unknown => (true, true),
        };
        match tag {
            Tag::Outside => Ok(TokenStep::Outside),
            Tag::Begin(_) => {
                self.not_iob1 |= !continues;
                let allowed = if continues { Ok(()) } else { self.refuse(TagScheme::Iob1, tag) };
                let ended = if unknown { Ok(()) } else { self.break_off() };
                self.open(label, line);
                allowed.and(ended).map(|()| TokenStep::Opens)
            }
            Tag::Inside(_) if continues => {
                if unknown {
                    self.open(label, line);
                }
                Ok(TokenStep::Continues)
            }
            Tag::Inside(_) => {
                let ended = self.break_off();
                self.open(label, line);
                ended?;
                if self.scheme.is_none() && !self.not_iob1 {
                    self.scheme = Some((TagScheme::Iob1, line));
                }
                if matches!(self.scheme, Some((TagScheme::Iob1, _))) {
                    return Ok(TokenStep::Opens);
                }
                Err(Problem::ConllInsideWithoutBegin(shorten(label)))
            }
            Tag::End(_, scheme) => {
                self.before = Before::Nothing;
                self.decide(scheme, tag, line)?;
                if continues {
                    return Ok(TokenStep::Continues);
                }
                Err(Problem::ConllEndWithoutBegin(tag.shown()))
            }
            Tag::Single(_, scheme) => {
                let open = std::mem::take(&mut self.before);
                self.decide(scheme, tag, line)?;
                self.before = open;
                self.break_off()?;
                Ok(TokenStep::Opens)
            }
        }
    }

    fn open(&mut self, label: &str, line: usize) {
        self.before = Before::Open { label: label.to_owned(), line };
    }

    /// Takes the scheme for the file's, or says which line told another.
    fn decide(&mut self, scheme: TagScheme, tag: Tag<'_>, line: usize) -> Result<(), Problem> {
        let (decided, first_line) = *self.scheme.get_or_insert((scheme, line));
        if decided == scheme {
            return Ok(());
        }
        Err(Problem::ConllMixedSchemes { tag: tag.shown(), scheme: decided, first_line })
    }

    /// Says that a tag cannot be, if the file is of this scheme.
    fn refuse(&self, scheme: TagScheme, tag: Tag<'_>) -> Result<(), Problem> {
        match self.scheme {
            Some((decided, first_line)) if decided == scheme => {
                Err(Problem::ConllMixedSchemes { tag: tag.shown(), scheme, first_line })
            }
            _ => Ok(()),
        }
    }
}
