//! CoNLL-2003: a token a line with its tag last, a blank line after each sentence.

use std::io::BufRead;

use crate::columns::draft::Draft;
use crate::columns::tags::{Chain, Tag, TokenStep};
use crate::import::document::ImportedDocument;
use crate::import::format::stem;
use crate::import::lines::Lines;
use crate::import::note::{ImportNote, Note};
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
    /// Whether the next token starts a sentence.
    sentence_ended: bool,
    /// The line of the last token.
    last_line: usize,
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
            sentence_ended: false,
            last_line: 0,
            started: 0,
            ended: false,
        }
    }

    /// The document being read; one starts here if there is none, under the file's own name.
    fn draft(&mut self, line: usize) -> &mut Draft {
        if self.draft.is_none() {
            self.started += 1;
            self.last_line = line;
        }
        let file = &self.file;
        self.draft.get_or_insert_with(|| Draft::new(None, stem(file).to_owned(), line))
    }

    /// Ends the document being read and starts the one that a `-DOCSTART-` line announces.
    fn start_document(&mut self, line: usize) -> Option<DocumentResult> {
        let finished = self.finish_document();
        self.started += 1;
        let name = format!("{}-{}", stem(&self.file), self.started);
        self.draft = Some(Draft::new(None, name, line));
        (self.sentence_ended, self.last_line) = (false, line);
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
        let ended = self.chain.break_off();
        let finished = self.draft.take()?.finish()?;
        let finished = match ended {
            Ok(()) => finished,
            Err(problem) => Err((self.last_line, problem)),
        };
        Some(finished.map_err(|(line, problem)| self.error(Some(line), problem)))
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
        self.push(token, step, tag.label().unwrap_or_default(), number)
    }

    fn push(
        &mut self,
        token: &str,
        step: TokenStep,
        label: &str,
        line: usize,
    ) -> Result<(), Problem> {
        let parting = if std::mem::take(&mut self.sentence_ended) { "\n" } else { " " };
        let draft = self.draft(line);
        if draft.sound {
            if !draft.document.text.is_empty() {
                draft.push(parting)?;
            }
            let start = draft.length;
            draft.push(token)?;
            draft.tag((start, draft.length), step, label, line)?;
        }
        self.last_line = line;
        Ok(())
    }

    fn error(&self, line: Option<usize>, problem: Problem) -> ImportError {
        let field = match &problem {
            Problem::ConllTag(_)
            | Problem::ConllMixedSchemes { .. }
            | Problem::ConllInsideWithoutBegin(_)
            | Problem::ConllEndWithoutBegin(_)
            | Problem::ConllUnfinished { .. } => Some("tag".to_owned()),
            _ => None,
        };
        ImportError { file: self.file.clone(), line, field, problem }
    }

    /// Notes that the document being read is spoiled.
    fn refuse(&mut self, number: usize, problem: Problem) -> DocumentResult {
        self.draft(number).spoil();
        match problem {
            Problem::ConllInsideWithoutBegin(_)
            | Problem::ConllEndWithoutBegin(_)
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
                self.sentence_ended = self.draft.is_some();
                if let Err(problem) = ended {
                    let line = if self.sentence_ended { self.last_line } else { number };
                    return Some(self.refuse(line, problem));
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
