//! What a file does not hold of what it was written from.

pub(crate) mod list;

use std::fmt;

use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};

/// Something of a document that the file does not hold as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The name of the document; empty where it is none's in particular.
    pub document: String,
    /// The rater whose span it is; none for spans of no named rater and for the document itself.
    pub rater: Option<String>,
    /// The span as it is; none where the loss is the document's.
    pub span: Option<AnnotatedSpan>,
    /// What became of it.
    pub reason: LossReason,
}

/// Why something was left out of a file or written in another way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LossReason {
    /// The span was left out: it holds nothing or goes past the end of the text.
    #[error("was left out: it does not lie within the text")]
    OutsideText,
    /// The span was left out: it starts or ends within a token or on whitespace.
    #[error("was left out: it starts or ends within a token or on whitespace")]
    NotOnTokenBoundary,
    /// The span was left out: it shares text with this span, which is longer or, at equal length,
    /// earlier or first by label.
    #[error("was left out: it overlaps {} at {}–{}, which was kept", .0.label, .0.start, .0.end)]
    Overlaps(AnnotatedSpan),
    /// The span was left out: the file has the same one already, because two labels are written
    /// alike.
    #[error("was left out: another span is written in the same way")]
    WrittenAlready,
    /// The span was written, but under this label, because the format cannot hold all characters.
    #[error("was written as {0}")]
    LabelRewritten(String),
    /// A rater's work was left out, because the format names nobody. `spans` is how many there are.
    #[error("the work was left out ({spans} spans): the format has no raters")]
    RaterLeftOut {
        /// How many spans the rater has.
        spans: usize,
    },
    /// The rater's name was written as this.
    #[error("the rater's name was written as {0}")]
    RaterRewritten(String),
    /// The document's id was left out.
    #[error("the id was left out")]
    IdLeftOut,
    /// The document's id was written as this.
    #[error("the id was written as {0}")]
    IdRewritten(String),
    /// The document's name was left out; what stands in its place is the file's name or the id.
    #[error("the name was left out")]
    NameLeftOut,
    /// The document's name was written as this.
    #[error("the name was written as {0}")]
    NameRewritten(String),
    /// The document has the text of this one, and the format has neither ids nor names to tell one from
    /// the other, so that they may be read as one.
    #[error("has the text of {0}, and may be read as one with it: the format has no names")]
    SameText(String),
    /// Whitespace of the text was written as other whitespace or left out.
    #[error("whitespace was written as other whitespace or left out")]
    WhitespaceChanged,
    /// The document or the span was left out, because XML cannot hold this character of its text
    /// or label.
    #[error("was left out: XML cannot hold the character U+{:04X}", u32::from(*.0))]
    NotInXml(char),
    /// The document was left out, because there is nothing in it that the format can hold.
    #[error("was left out: its text has no token")]
    NothingToWrite,
    /// Answers about spans or about the document were left out: the format has no place for them.
    #[error("{answers} answers were left out: the format has no place for them")]
    AnswersLeftOut {
        /// How many answers there are.
        answers: usize,
    },
    /// A question is called otherwise in the file.
    #[error("the question {question} was written as {name}")]
    QuestionRewritten {
        /// What it is called.
        question: String,
        /// What it is called in the file.
        name: String,
    },
    /// An answer was written in other words.
    #[error("the answer to {question} was written as {answer}")]
    AnswerRewritten {
        /// What is answered.
        question: String,
        /// The answer as it is in the file.
        answer: String,
    },
    /// The positions that a reviewer rejected were left out: what is written are labelled spans.
    #[error("{positions} rejected positions were left out: they have no label")]
    RejectionsLeftOut {
        /// How many positions were rejected.
        positions: usize,
    },
}

impl LossReason {
    /// Whether it is missing from the file, rather than written in another way.
    pub const fn left_out(&self) -> bool {
        matches!(
            self,
            Self::OutsideText
                | Self::NotOnTokenBoundary
                | Self::Overlaps(_)
                | Self::WrittenAlready
                | Self::RaterLeftOut { .. }
                | Self::NotInXml(_)
                | Self::NothingToWrite
                | Self::AnswersLeftOut { .. }
                | Self::RejectionsLeftOut { .. }
        )
    }

    /// Whether it is about answers, not about the document or the span that they are on.
    pub const fn is_of_answers(&self) -> bool {
        matches!(
            self,
            Self::AnswersLeftOut { .. }
                | Self::QuestionRewritten { .. }
                | Self::AnswerRewritten { .. }
        )
    }

    /// The reason in one word, for programs and for counting.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::OutsideText => "outside-text",
            Self::NotOnTokenBoundary => "not-on-token-boundary",
            Self::Overlaps(_) => "overlaps",
            Self::WrittenAlready => "written-already",
            Self::LabelRewritten(_) => "label-rewritten",
            Self::RaterLeftOut { .. } => "rater-left-out",
            Self::RaterRewritten(_) => "rater-rewritten",
            Self::IdLeftOut => "id-left-out",
            Self::IdRewritten(_) => "id-rewritten",
            Self::NameLeftOut => "name-left-out",
            Self::NameRewritten(_) => "name-rewritten",
            Self::SameText(_) => "same-text",
            Self::WhitespaceChanged => "whitespace-changed",
            Self::NotInXml(_) => "not-in-xml",
            Self::NothingToWrite => "nothing-to-write",
            Self::AnswersLeftOut { .. } => "choices-left-out",
            Self::QuestionRewritten { .. } => "question-rewritten",
            Self::AnswerRewritten { .. } => "answer-rewritten",
            Self::RejectionsLeftOut { .. } => "rejections-left-out",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.document.is_empty() {
            write!(out, "{}: ", self.document)?;
        }
        if let Some(rater) = &self.rater {
            write!(out, "{rater}: ")?;
        }
        if let Some(AnnotatedSpan { start, end, label }) = &self.span {
            write!(out, "{label} at {start}–{end} ")?;
        }
        write!(out, "{}", self.reason)
    }
}

/// The losses of one document, as they are found.
#[derive(Debug)]
pub(crate) struct Losses<'document> {
    document: &'document str,
    found: Vec<Loss>,
}

impl<'document> Losses<'document> {
    pub(crate) const fn new(document: &'document str) -> Self {
        Self { document, found: Vec::new() }
    }

    /// Notes what became of the document itself.
    pub(crate) fn of_document(&mut self, reason: LossReason) {
        self.add(None, None, reason);
    }

    /// Notes what became of a span of no named rater.
    pub(crate) fn of_span(&mut self, span: &AnnotatedSpan, reason: LossReason) {
        self.add(None, Some(span.clone()), reason);
    }

    /// Notes the id of a document as left out, if it has one.
    pub(crate) fn of_id(&mut self, document: &AnnotatedDocument) {
        if document.id.is_some() {
            self.of_document(LossReason::IdLeftOut);
        }
    }

    /// Notes the work of each named rater as left out.
    pub(crate) fn of_raters(&mut self, document: &AnnotatedDocument) {
        for work in &document.work {
            let reason = LossReason::RaterLeftOut { spans: work.spans.len() };
            self.add(Some(&work.rater), None, reason);
        }
    }

    /// Notes answers as left out: all of spans that are in the file, or all of a rater.
    pub(crate) fn of_answers(&mut self, rater: Option<&str>, answers: usize) {
        if answers > 0 {
            self.add(rater, None, LossReason::AnswersLeftOut { answers });
        }
    }

    /// Notes the answers of everybody as left out.
    pub(crate) fn of_all_answers(&mut self, document: &AnnotatedDocument) {
        self.of_answers(None, document.answers.len());
        for work in &document.work {
            self.of_answers(Some(&work.rater), work.answers.len());
        }
    }

    /// Notes what became of something.
    pub(crate) fn add(
        &mut self,
        rater: Option<&str>,
        span: Option<AnnotatedSpan>,
        reason: LossReason,
    ) {
        let (document, rater) = (self.document.to_owned(), rater.map(str::to_owned));
        self.found.push(Loss { document, rater, span, reason });
    }

    /// The losses: of the document first, then of spans by their place.
    pub(crate) fn into_sorted(mut self) -> Vec<Loss> {
        self.found.sort_by_key(|loss| loss.span.as_ref().map(|span| (span.start, span.end)));
        self.found
    }
}
