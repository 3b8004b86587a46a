//! The schemes by which tags of single tokens make spans.

use std::fmt;

/// How the tags of a file make spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TagScheme {
    /// `I-` is inside; `B-` only parts a span from a neighbour of the same label. The scheme of
    /// the CoNLL-2003 shared task itself.
    Iob1,
    /// `B-` opens every span, `I-` goes on. What most files have.
    Iob2,
    /// `B-` opens, `I-` goes on, `E-` ends; `S-` is a span of one token.
    Bioes,
    /// A label on each token of a span, without a prefix: equal ones that touch are one span.
    Io,
    /// `B-` opens, `I-` goes on, `L-` ends; `U-` is a span of one token.
    Bilou,
}

impl TagScheme {
    /// The name that people know the scheme by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iob1 => "IOB1",
            Self::Iob2 => "IOB2",
            Self::Bioes => "BIOES",
            Self::Io => "IO",
            Self::Bilou => "BILOU",
        }
    }

    /// Whether every span's last token says that it is the last.
    pub(crate) const fn marks_ends(self) -> bool {
        matches!(self, Self::Bioes | Self::Bilou)
    }
}

impl fmt::Display for TagScheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
