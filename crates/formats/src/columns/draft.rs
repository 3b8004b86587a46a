//! The document of a file of tagged tokens that is being read.

use super::tags::TokenStep;
use crate::import::document::{ImportedDocument, ImportedSpan};
use crate::import::limits::MAX_DOCUMENT_BYTES;
use crate::import::spans::SpanBudget;
use crate::problem::Problem;

/// A document so far.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) document: ImportedDocument,
    /// The length of the text in Unicode scalar values.
    pub(super) length: usize,
    spans: SpanBudget,
    /// The span that each of a token's tags may go on with.
    open: Vec<usize>,
    /// Whether no problem was found in it so far.
    pub(super) sound: bool,
}

impl Draft {
    pub(super) fn new(id: Option<String>, name: String, line: usize) -> Self {
        let (text, spans, answers, work) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        let judged = true;
        let document = ImportedDocument { id, name, text, spans, answers, work, judged, line };
        let (spans, open) = (SpanBudget::default(), Vec::new());
        Self { document, length: 0, spans, open, sound: true }
    }

    /// Lets go of what was read, since the document will not be yielded.
    pub(super) fn spoil(&mut self) {
        self.sound = false;
        self.document.text = String::new();
        self.document.spans = Vec::new();
    }

    /// Goes on with the text.
    pub(super) fn push(&mut self, text: &str) -> Result<(), Problem> {
        if self.document.text.len() + text.len() > MAX_DOCUMENT_BYTES {
            return Err(Problem::DocumentTooLarge);
        }
        self.document.text.push_str(text);
        self.length += text.chars().count();
        Ok(())
    }

    /// Does to the spans what a tag of a token says, which goes from `start` to `end`; `slot` is
    /// the tag's place among those of the token.
    pub(super) fn tag(
        &mut self,
        (start, end): (usize, usize),
        step: TokenStep,
        (slot, label): (usize, &str),
        line: usize,
    ) -> Result<(), Problem> {
        match step {
            TokenStep::Outside => {}
            TokenStep::Opens => {
                self.spans.count_span(label)?;
                let label = label.to_owned();
                if self.open.len() <= slot {
                    self.open.resize(slot + 1, usize::MAX);
                }
                if let Some(open) = self.open.get_mut(slot) {
                    *open = self.document.spans.len();
                }
                self.document.spans.push(ImportedSpan { start, end, label, line });
            }
            TokenStep::Continues => {
                let open = self.open.get(slot).copied();
                if let Some(span) = open.and_then(|at| self.document.spans.get_mut(at)) {
                    span.end = end;
                }
            }
        }
        Ok(())
    }

    /// The document, or why it is none; nothing if its problems were told already.
    pub(super) fn finish(self) -> Option<Result<ImportedDocument, (usize, Problem)>> {
        let Self { document, sound, .. } = self;
        let is_blank = document.text.trim().is_empty();
        let finished =
            if is_blank { Err((document.line, Problem::EmptyText)) } else { Ok(document) };
        sound.then_some(finished)
    }
}
