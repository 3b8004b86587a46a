//! Spans of one document, given by the places in its record.

use crate::TextIndex;
use crate::import::document::ImportedSpan;
use crate::import::findings::Findings;
use crate::import::findings::repair::Repair;
use crate::import::spans::{GivenSpan, SpanPart, SpanSet, Unit};
use crate::json::value::at::At;
use crate::problem::Problem;

const LABEL_EXPECTED: &str = "a string with the label's name";

/// The spans found so far.
#[derive(Debug)]
pub(crate) struct RecordSpans<'text> {
    pub(crate) index: &'text TextIndex<'text>,
    pub(crate) unit: Unit,
    line: usize,
    spans: SpanSet,
}

impl<'text> RecordSpans<'text> {
    /// No spans yet; `line` is that of the record.
    pub(crate) fn new(index: &'text TextIndex<'text>, unit: Unit, line: usize) -> Self {
        Self { index, unit, line, spans: SpanSet::default() }
    }

    /// Adds a span by its start, its end, its label and, if there can be one, its quote; or says
    /// what is wrong with them. Gives where it is.
    pub(crate) fn add(
        &mut self,
        [start, end, label]: [&At<'_>; 3],
        quote: Option<&At<'_>>,
        findings: &mut Findings,
    ) -> Option<(usize, usize)> {
        let (from, to) = (start.offset(findings), end.offset(findings));
        let name = label.name_or_number(LABEL_EXPECTED, findings);
        let text = quote.and_then(At::as_text);
        let (start_at, end_at, name) = (from?, to?, name?);
        let given = GivenSpan { start: start_at, end: end_at, label: &name, quote: text };
        match self.spans.add(self.index, self.unit, given, self.line) {
            Ok(place) => Some(place),
            Err((SpanPart::End, Problem::EmptySpan(_))) => {
                findings.repair(Repair::EmptySpan, 1);
                None
            }
            Err((SpanPart::End, problem)) => end.wrong(problem, findings),
            Err((SpanPart::Label, problem)) => label.wrong(problem, findings),
            Err((SpanPart::Quote, problem)) => quote.unwrap_or(end).wrong(problem, findings),
        }
    }

    /// How many spans have come again since this was asked last.
    pub(crate) fn take_repeated(&mut self) -> usize {
        self.spans.take_repeated()
    }

    /// The spans in the order in which they came, each once.
    pub(crate) fn finish(self, findings: &mut Findings) -> Vec<ImportedSpan> {
        self.spans.finish(findings)
    }
}
