//! Spans in a table, as CSV or TSV: a row for each span of each rater.

use std::io::Write;

use csv::{Writer, WriterBuilder};
use domain::safe_cell;

use super::columns::GUARDED;
use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::error::ExportError;
use crate::export::loss::{Loss, LossReason, Losses};
use crate::export::unique_names::Unlike;

const COLUMNS: [&str; 9] =
    ["id", "document", "rater", "start", "end", "label", "quote", "text", GUARDED];

/// Writes documents with everybody's spans as a table in UTF-8, cells quoted as in RFC 4180.
///
/// ```csv
/// id,document,rater,start,end,label,quote,text,apostrophe_before
/// 7,news-1,,0,2,ORG,EU,EU rejects,
/// 7,news-1,anna,0,2,ORG,EU,,
/// 7,news-1,ben,,,,,,
/// 8,news-2,,,,,,'=1+1,text
/// ```
///
/// Reading it with [`crate::ImportFormat::SpanCsv`] or [`crate::ImportFormat::SpanTsv`] gives the
/// same documents: the text stands in the first row of each; spans of no named rater have none; a
/// row without offsets says that a document has no such spans, or that a rater marked nothing.
/// A cell that a spreadsheet could take for a formula gets an apostrophe before it, and the row's last
/// cell names its column: whoever reads the table takes it away again.
#[derive(Debug)]
pub struct SpanTableWriter<W: Write> {
    rows: Writer<W>,
    /// The names of documents, each with its id.
    names: Unlike,
}

impl<W: Write> SpanTableWriter<W> {
    /// Writes the first row of a table with commas.
    pub fn csv(out: W) -> Result<Self, ExportError> {
        Self::new(out, b',')
    }

    /// Writes the first row of a table with tabs.
    pub fn tsv(out: W) -> Result<Self, ExportError> {
        Self::new(out, b'\t')
    }

    fn new(out: W, delimiter: u8) -> Result<Self, ExportError> {
        let mut rows = WriterBuilder::new().delimiter(delimiter).from_writer(out);
        rows.write_record(COLUMNS).map_err(std::io::Error::from)?;
        Ok(Self { rows, names: Unlike::default() })
    }

    /// Writes the rows of a document and returns what the table does not hold: spans that do not
    /// lie within the text, and a name that another document without an id, or with the same one,
    /// has already.
    pub fn write(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        let index = TextIndex::new(&document.text);
        let mut losses = Losses::new(&document.name);
        losses.of_all_answers(document);
        let id = document.id.as_deref().unwrap_or_default();
        // Rows of one id and name are one document for whoever reads them.
        let name = self.names.name(&document.name, |name| format!("{id}\0{name}"));
        if name != document.name {
            losses.of_document(LossReason::NameRewritten(name.clone()));
        }
        let head = [id, name.as_str()];
        let mut text = Some(document.text.as_str());
        let unnamed = (None, &document.spans);
        let named = document.work.iter().map(|work| (Some(work.rater.as_str()), &work.spans));
        for (rater, spans) in std::iter::once(unnamed).chain(named) {
            let mut written = false;
            for span in spans {
                let quote = index.slice(span.start, span.end).filter(|quote| !quote.is_empty());
                let Some(quote) = quote else {
                    losses.add(rater, Some(span.clone()), LossReason::OutsideText);
                    continue;
                };
                self.row(head, rater, Some((span, quote)), text.take())?;
                written = true;
            }
            // The first row of a document has its text, whether or not anybody marked anything.
            if !written && (rater.is_some() || text.is_some()) {
                self.row(head, rater, None, text.take())?;
            }
        }
        self.rows.flush()?;
        Ok(losses.into_sorted())
    }

    /// Ends the table, and gives back what was written to.
    pub fn finish(self) -> Result<W, ExportError> {
        self.rows.into_inner().map_err(|error| error.into_error().into())
    }

    fn row(
        &mut self,
        [id, document]: [&str; 2],
        rater: Option<&str>,
        span: Option<(&AnnotatedSpan, &str)>,
        text: Option<&str>,
    ) -> Result<(), ExportError> {
        let (start, end, label, quote) = match span {
            Some((span, quote)) => {
                (span.start.to_string(), span.end.to_string(), span.label.as_str(), quote)
            }
            None => (String::new(), String::new(), "", ""),
        };
        let (rater, text) = (rater.unwrap_or_default(), text.unwrap_or_default());
        let mut guarded = Vec::new();
        let cells = [id, document, rater, &start, &end, label, quote, text];
        for (column, cell) in COLUMNS.into_iter().zip(cells) {
            let safe = safe_cell(cell);
            if *safe != *cell {
                guarded.push(column);
            }
            self.rows.write_field(&*safe).map_err(std::io::Error::from)?;
        }
        self.rows.write_field(guarded.join(" ")).map_err(std::io::Error::from)?;
        self.rows.write_record(None::<&[u8]>).map_err(std::io::Error::from)?;
        Ok(())
    }
}
