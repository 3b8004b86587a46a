//! What is repaired in files as people have them: things that a format does not allow, though tools
//! write them, and that lose nothing or say what they lose.

use std::fmt;

use crate::import::options::SecondAnnotation;

/// A kind of repair. Each is counted, told with its first place ([`crate::ImportNote`]), and refused
/// by who reads strictly ([`crate::ImportNote::refusal`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repair {
    /// A tag that goes on with a span that is not there: it opens one, as evaluators of CoNLL have
    /// it.
    OrphanTag,
    /// A span without the tag of its end, in a scheme that has one: it ends where it stops.
    UnendedTag,
    /// A tag of another scheme than the others.
    MixedTags,
    /// A line of another number of columns than the others: its own first and last count.
    Columns,
    /// A document whose rows of one rater stand apart from those of another.
    Apart,
    /// A line with a tag and no token, or one of white space: it is passed over.
    NoToken,
    /// A line without a tag: its token is in no span.
    NoTag,
    /// A sentence whose `# text =` does not have its tokens: these are its text.
    OtherSentence,
    /// A document or a record without a text: there is nothing in it to judge.
    Blank,
    /// A quote that differs from the text by white space at its edges.
    QuoteEdges,
    /// A span that holds no character: it is passed over.
    EmptySpan,
    /// A span of several parts with text between: it is passed over.
    Discontinuous,
    /// A rater's second annotation of the same document, and which of both counts.
    SecondAnnotation(SecondAnnotation),
    /// An annotation of nobody named beside others of the same document: each is read as a rater's.
    Unnamed,
    /// An id that other texts have, too: parts of a document that was cut get ids of their own.
    SharedId,
    /// A quote of a part of its span: the offsets count.
    ShorterQuote,
    /// A span that is there twice in a format that has each once.
    Duplicate,
    /// An id that means another span in another sentence, in a format whose ids are of the document.
    IdsRestart,
    /// A sentence with characters written as their numbers.
    CharacterNumbers,
    /// A copy of a document that has other white space than the first: they are one document.
    WhiteSpace,
}

impl fmt::Display for Repair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::OrphanTag => "tags inside of a span that nothing opens, read as its beginning",
            Self::UnendedTag => "spans without the tag of their end, ended where they stop",
            Self::MixedTags => "tags of another scheme than the first spans, read all the same",
            Self::Columns => "lines with another number of columns than the first",
            Self::Apart => "documents whose rows stand apart, rater by rater, read as pieces",
            Self::NoToken => "lines with a tag and no token, left out",
            Self::NoTag => "tokens without a tag, read as outside of spans",
            Self::OtherSentence => {
                "sentences whose # text = differs from their tokens, read from these"
            }
            Self::Blank => "documents without a text, left out",
            Self::QuoteEdges => "quotes with other white space at their edges",
            Self::EmptySpan => "spans that hold no character, left out",
            Self::Discontinuous => "discontinuous spans, left out",
            Self::SecondAnnotation(SecondAnnotation::Last) => {
                "second annotations of a rater on a document, the last of which counts"
            }
            Self::SecondAnnotation(SecondAnnotation::First) => {
                "second annotations of a rater on a document, the first of which counts"
            }
            Self::SecondAnnotation(SecondAnnotation::Each) => {
                "second annotations of a rater on a document, read as another rater's"
            }
            Self::Unnamed => {
                "further annotations of nobody named on a document, each read as another rater's"
            }
            Self::SharedId => "texts with the id of another text, numbered",
            Self::ShorterQuote => "quotes of a part of their spans, whose offsets count",
            Self::Duplicate => "duplicate spans, read once",
            Self::IdsRestart => "ids of spans that begin anew in a sentence, read as other spans",
            Self::CharacterNumbers => {
                "sentences with characters written as numbers (\\u00FC), read as the characters"
            }
            Self::WhiteSpace => {
                "copies of a document with other white space, at the end or as long, read as one"
            }
        })
    }
}
