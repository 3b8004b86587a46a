//! CoNLL-2003: a token a line with its tag last, a blank line after each sentence.

use std::io::BufRead;

use crate::columns::tags::{Chain, Tag, TokenStep};
use crate::import::document::{ImportedDocument, ImportedSpan};
use crate::import::format::stem;
use crate::import::limits::MAX_DOCUMENT_BYTES;
use crate::import::lines::Lines;
use crate::import::note::{ImportNote, Note};
use crate::import::verify::SpanBudget;
use crate::problem::{ImportError, Problem};

const DOCUMENT_START: &str = "-DOCSTART-";

/// Yields the documents and problems of a CoNLL-2003 file.
#[derive(Debug)]
pub(crate) struct Conll<R> {
    lines: Lines<R>,
    file: String,
    /// The number of columns, and the line that set it.
    columns: Option<(usize, usize)>,
    chain: Chain,
    draft: Option<Draft>,
    /// How many documents were started.
    started: usize,
    ended: bool,
}

type DocumentResult = Result<ImportedDocument, ImportError>;

impl<R: BufRead> Conll<R> {
    pub(crate) fn new(file_name: &str, reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
            file: file_name.to_owned(),
            columns: None,
            chain: Chain::default(),
            draft: None,
            started: 0,
            ended: false,
        }
    }

    /// The document being read; one starts here if there is none, under the file's own name.
    fn draft(&mut self, line: usize) -> &mut Draft {
        if self.draft.is_none() {
            self.started += 1;
        }
        let file = &self.file;
        self.draft.get_or_insert_with(|| Draft::new(stem(file).to_owned(), line))
    }

    /// Ends the document being read and starts the one that a `-DOCSTART-` line announces.
    fn start_document(&mut self, line: usize) -> Option<DocumentResult> {
        let finished = self.finish_document();
        self.started += 1;
        let name = format!("{}-{}", stem(&self.file), self.started);
        self.draft = Some(Draft::new(name, line));
        finished
    }

    /// What was detected so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        let note = |(scheme, line)| ImportNote {
            file: self.file.clone(),
            line: Some(line),
            note: Note::TagScheme(scheme),
        };
        self.chain.scheme().map(note).into_iter().collect()
    }

    /// The document being read, or why it is none; nothing if its problems were told already.
    fn finish_document(&mut self) -> Option<DocumentResult> {
        if let Err(problem) = self.chain.break_off()
            && let Some(draft) = self.draft.take_if(|draft| draft.sound)
        {
            return Some(Err(self.error(Some(draft.last_line), problem)));
        }
        let draft = self.draft.take().filter(|draft| draft.sound)?;
        Some(if draft.document.text.trim().is_empty() {
            Err(self.error(Some(draft.document.line), Problem::EmptyText))
        } else {
            Ok(draft.document)
        })
    }

    /// Reads a line that is neither blank nor a comment nor a `-DOCSTART-`.
    fn read_token(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        let mut columns = line.split([' ', '\t']).filter(|column| !column.is_empty());
        let token = columns.next().unwrap_or_default();
        let (further, last) =
            columns.fold((0, None), |(count, _), column| (count + 1, Some(column)));
        let tag = last.ok_or(Problem::ConllOneColumn)?;
        let found = 1 + further;
        let (expected, first_line) = *self.columns.get_or_insert((found, number));
        if found != expected {
            return Err(Problem::ConllColumns { found, expected, first_line });
        }
        let tag = Tag::parse(tag)?;
        let step = self.chain.follow(tag, number)?;
        self.draft(number).push(token, step, tag.label().unwrap_or_default(), number)
    }

    fn error(&self, line: Option<usize>, problem: Problem) -> ImportError {
        let field = match &problem {
            Problem::ConllTag { .. }
            | Problem::ConllMixedSchemes { .. }
            | Problem::ConllInsideWithoutBegin { .. }
            | Problem::ConllEndWithoutBegin { .. }
            | Problem::ConllUnfinished { .. } => Some("tag".to_owned()),
            _ => None,
        };
        ImportError { file: self.file.clone(), line, field, problem }
    }

    /// Notes that the document being read is spoiled.
    fn refuse(&mut self, number: usize, problem: Problem) -> DocumentResult {
        self.draft(number).spoil();
        match problem {
            Problem::ConllInsideWithoutBegin { .. }
            | Problem::ConllEndWithoutBegin { .. }
            | Problem::ConllMixedSchemes { .. }
            | Problem::ConllUnfinished { .. }
            | Problem::TooManySpans
            | Problem::DocumentTooLarge => {}
            _ => self.chain.pass_over(),
        }
        Err(self.error(Some(number), problem))
    }
}

impl<R: BufRead> Iterator for Conll<R> {
    type Item = DocumentResult;

    fn next(&mut self) -> Option<DocumentResult> {
        while let Some((number, line)) = self.lines.next() {
            let line = match line {
                Ok(line) => line,
                Err(problem) => return Some(self.refuse(number, problem)),
            };
            let content = line.trim_matches([' ', '\t']);
            if content.is_empty() {
                let ended = self.chain.break_off();
                let last_line = self.draft.as_mut().map_or(number, Draft::end_sentence);
                if let Err(problem) = ended {
                    return Some(self.refuse(last_line, problem));
                }
            } else if self.started == 0 && (line.starts_with("# ") || line == "#") {
                // A comment: what follows the first token can be the token "#".
            } else if content.split([' ', '\t']).next() == Some(DOCUMENT_START) {
                if let Some(outcome) = self.start_document(number) {
                    return Some(outcome);
                }
            } else if let Err(problem) = self.read_token(number, &line) {
                return Some(self.refuse(number, problem));
            }
        }
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        if self.started == 0 {
            return Some(Err(self.error(None, Problem::EmptyFile)));
        }
        self.finish_document()
    }
}

/// The document being read.
#[derive(Debug)]
struct Draft {
    document: ImportedDocument,
    /// The length of the text in Unicode scalar values.
    length: usize,
    /// Whether the next token starts a sentence.
    sentence_ended: bool,
    spans: SpanBudget,
    /// Whether no problem was found in it so far.
    sound: bool,
    /// The line of the last token.
    last_line: usize,
}

impl Draft {
    fn new(name: String, line: usize) -> Self {
        let (text, spans) = (String::new(), Vec::new());
        Self {
            document: ImportedDocument { id: None, name, text, spans, work: Vec::new(), line },
            length: 0,
            sentence_ended: false,
            spans: SpanBudget::default(),
            sound: true,
            last_line: line,
        }
    }

    /// Ends the sentence and gives the line of its last token.
    fn end_sentence(&mut self) -> usize {
        self.sentence_ended = true;
        self.last_line
    }

    /// Lets go of what was read, since the document will not be yielded.
    fn spoil(&mut self) {
        self.sound = false;
        self.document.text = String::new();
        self.document.spans = Vec::new();
    }

    fn push(
        &mut self,
        token: &str,
        step: TokenStep,
        label: &str,
        line: usize,
    ) -> Result<(), Problem> {
        self.last_line = line;
        if !self.sound {
            return Ok(());
        }
        let document = &mut self.document;
        if document.text.len() + 1 + token.len() > MAX_DOCUMENT_BYTES {
            return Err(Problem::DocumentTooLarge);
        }
        if !document.text.is_empty() {
            document.text.push(if self.sentence_ended { '\n' } else { ' ' });
            self.length += 1;
        }
        self.sentence_ended = false;
        let start = self.length;
        document.text.push_str(token);
        self.length += token.chars().count();
        match step {
            TokenStep::Outside => {}
            TokenStep::Opens => {
                self.spans.count_span(label)?;
                let (end, label) = (self.length, label.to_owned());
                document.spans.push(ImportedSpan { start, end, label, line });
            }
            TokenStep::Continues => {
                if let Some(span) = document.spans.last_mut() {
                    span.end = self.length;
                }
            }
        }
        Ok(())
    }
}
