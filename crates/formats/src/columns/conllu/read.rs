//! CoNLL-U: a word a line in named columns, a blank line after each sentence.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::columns::conllu::columns::{Columns, Keys, Row};
use crate::columns::conllu::sentence::{Placed, Sentence, Word};
use crate::columns::draft::Draft;
use crate::columns::tags::{Chain, Tag};
use crate::import::document::ImportedDocument;
use crate::import::findings::count::Count;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::limits::MAX_LINE_BYTES;
use crate::import::lines::Lines;
use crate::import::options::ReadOptions;
use crate::import::spans::once;
use crate::problem::conllu::ConlluProblem;
use crate::problem::{ImportError, Problem};

/// The most bytes that the rows of one sentence may take.
const MAX_SENTENCE_BYTES: usize = 2 * MAX_LINE_BYTES;

/// What a row takes beside its cells, about.
const ROW_BYTES: usize = 2 * size_of::<Row>();

type DocumentResult = Result<ImportedDocument, ImportError>;

/// Yields the documents and problems of a CoNLL-U file.
#[derive(Debug)]
pub(crate) struct Conllu<R> {
    lines: Option<Lines<R>>,
    file: String,
    columns: Columns,
    options: ReadOptions,
    keys: Keys,
    chain: Chain,
    sentence: Sentence,
    sentence_bytes: usize,
    draft: Option<Draft>,
    /// Whether a sentence of the document stands before.
    begun: bool,
    /// The whitespace after the sentence before, where the file says which.
    after: Option<String>,
    started: usize,
    tagged_empty: usize,
    repeated: usize,
    other_text: Count,
    blank: Count,
    waiting: VecDeque<DocumentResult>,
}

impl<R: BufRead> Conllu<R> {
    pub(crate) fn new(file_name: &str, reader: R, options: &ReadOptions) -> Self {
        Self {
            lines: Some(Lines::new(reader)),
            file: file_name.to_owned(),
            columns: Columns::new(options),
            options: options.clone(),
            keys: Keys::new(options),
            chain: Chain::default(),
            sentence: Sentence::default(),
            sentence_bytes: 0,
            draft: None,
            begun: false,
            after: None,
            started: 0,
            tagged_empty: 0,
            repeated: 0,
            other_text: Count::default(),
            blank: Count::default(),
            waiting: VecDeque::new(),
        }
    }

    /// What was detected and passed over so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        let note = |count, note| ImportNote::new(&self.file, None, count, note);
        let key = self.keys.chosen.as_ref().map(|key| format!("the key {key} of MISC"));
        let source = self.columns.tag_column().or(key).map(Note::SpanColumn);
        let mut notes: Vec<_> = source.map(|source| note(1, source)).into_iter().collect();
        notes.extend(self.chain.notes(&self.file));
        let others = self.keys.others.iter();
        notes.extend(others.map(|(key, count)| {
            note(*count, Note::PassedOver(format!("tags of the key {key} of MISC")))
        }));
        if self.tagged_empty > 0 {
            let what = "tags of empty nodes".to_owned();
            notes.push(note(self.tagged_empty, Note::PassedOver(what)));
        }
        if self.repeated > 0 {
            notes.push(note(self.repeated, Note::Repeated));
        }
        notes.extend(self.other_text.note(&self.file, Repair::OtherSentence));
        notes.extend(self.blank.note(&self.file, Repair::Blank));
        notes
    }

    /// Notes a problem of the document being read, which is not yielded then.
    fn refuse(&mut self, line: usize, field: Option<&str>, problem: impl Into<Problem>) {
        self.draft(line).spoil();
        let (file, field) = (self.file.clone(), field.map(str::to_owned));
        let error = ImportError { file, line: Some(line), field, problem: problem.into() };
        self.waiting.push_back(Err(error));
    }

    /// The document being read; one starts here if there is none, under the file's own name.
    fn draft(&mut self, line: usize) -> &mut Draft {
        if self.draft.is_none() {
            self.started += 1;
        }
        let file = &self.file;
        self.draft.get_or_insert_with(|| Draft::new(None, stem(file).to_owned(), line))
    }

    /// Takes a line; false if the rest of the file is of no use.
    fn read_line(&mut self, number: usize, line: &str) -> bool {
        if line.trim_matches([' ', '\t']).is_empty() {
            self.finish_sentence();
            return true;
        }
        if let Some(comment) = line.strip_prefix('#') {
            return self.take_comment(number, comment.trim_start_matches([' ', '\t']));
        }
        self.sentence_bytes += line.len() + ROW_BYTES;
        if self.sentence_bytes > MAX_SENTENCE_BYTES {
            self.refuse(number, None, Problem::DocumentTooLarge);
            return false;
        }
        self.draft(number);
        match self.columns.row(line, &mut self.keys) {
            Ok(row) => self.sentence.rows.push((number, row)),
            Err((field, problem)) => {
                let ends = matches!(problem, Problem::Conllu(ConlluProblem::Brackets(_)));
                self.refuse(number, Some(field).filter(|field| !field.is_empty()), problem);
                return !ends;
            }
        }
        true
    }

    fn take_comment(&mut self, number: usize, comment: &str) -> bool {
        if !self.sentence.rows.is_empty() {
            self.finish_sentence();
        }
        let (name, value) = match comment.split_once('=') {
            Some((name, value)) => (name.trim(), value.strip_prefix(' ').unwrap_or(value)),
            None => (comment.trim(), ""),
        };
        let value = Some(value).filter(|value| !value.trim().is_empty());
        match (name, value) {
            ("newdoc" | "newdoc id", id) => {
                self.finish_document();
                self.started += 1;
                let id = id.map(|id| id.trim().to_owned());
                let numbered = || format!("{}-{}", stem(&self.file), self.started);
                let name = id.clone().unwrap_or_else(numbered);
                self.draft = Some(Draft::new(id, name, number));
            }
            ("document_name", Some(name)) => {
                name.trim().clone_into(&mut self.draft(number).document.name);
            }
            ("text", Some(text)) => self.sentence.text = Some((text.to_owned(), number)),
            ("global.columns", Some(names)) if self.started == 0 => {
                match Columns::named(names, &self.options) {
                    Ok(columns) => self.columns = columns,
                    Err(problem) => {
                        self.refuse(number, None, problem);
                        return false;
                    }
                }
            }
            _ => {}
        }
        true
    }

    /// Puts the sentence that has ended to the document being read.
    fn finish_sentence(&mut self) {
        self.sentence_bytes = 0;
        let sentence = std::mem::take(&mut self.sentence);
        // A sentence with a line that could not be read has other tokens than its text.
        if self.draft.as_ref().is_some_and(|draft| !draft.sound) {
            return;
        }
        let line = sentence.rows.first().map(|(line, _)| *line);
        let line = line.or(sentence.text.as_ref().map(|(_, line)| *line));
        let Some(line) = line else { return };
        let placed =
            sentence.place(sentence.text.as_ref()).or_else(|(line, problem)| match problem {
                ConlluProblem::TextDiffers { .. } => {
                    self.other_text.add(line);
                    sentence.place(None)
                }
                _ => Err((line, problem)),
            });
        match placed {
            Err((line, problem)) => self.refuse(line, None, problem),
            Ok(placed) => {
                self.tagged_empty += placed.tagged_empty;
                if let Err((line, problem)) = self.add(placed, line) {
                    self.chain.break_off();
                    let field = match problem {
                        Problem::DocumentTooLarge | Problem::TooManySpans => None,
                        _ => Some("tag"),
                    };
                    self.refuse(line, field, problem);
                }
            }
        }
    }

    fn add(&mut self, placed: Placed, line: usize) -> Result<(), (usize, Problem)> {
        // What parts the sentence from the one before.
        let between = self.after.take().unwrap_or_else(|| "\n".to_owned());
        let between =
            if std::mem::replace(&mut self.begun, true) { between } else { String::new() };
        self.after = placed.after;
        let draft = self.draft(line);
        draft.push(&between).map_err(|problem| (line, problem))?;
        let base = draft.length;
        draft.push(&placed.text).map_err(|problem| (line, problem))?;
        for Word { start, end, tag, line } in placed.words {
            let tag = tag.as_deref().map_or(Ok(Tag::Outside), Tag::parse);
            let tag = tag.map_err(|problem| (line, problem))?;
            let step = self.chain.follow(tag, line);
            let (place, label) = ((base + start, base + end), tag.label().unwrap_or_default());
            let added = self.draft(line).tag(place, step, (0, label), line);
            added.map_err(|problem| (line, problem))?;
        }
        self.chain.break_off();
        Ok(())
    }

    /// Ends the document being read, unless its problems were told already.
    fn finish_document(&mut self) {
        self.finish_sentence();
        let after = self.after.take().unwrap_or_default();
        self.begun = false;
        let Some(mut draft) = self.draft.take() else { return };
        draft.document.text.push_str(&after);
        let line = draft.document.line;
        match draft.finish() {
            None => {}
            Some(Err((_, Problem::EmptyText))) => self.blank.add(line),
            Some(Ok(mut document)) => {
                self.repeated += once(&mut document.spans);
                self.waiting.push_back(Ok(document));
            }
            Some(Err((line, problem))) => {
                let (file, line) = (self.file.clone(), Some(line));
                self.waiting.push_back(Err(ImportError { file, line, field: None, problem }));
            }
        }
    }

    /// Ends the file.
    fn finish(&mut self) {
        self.lines = None;
        self.finish_document();
        if self.started == 0 && self.waiting.is_empty() {
            self.waiting.push_back(Err(ImportError::of_file(&self.file, Problem::EmptyFile)));
        }
    }
}

impl<R: BufRead> Iterator for Conllu<R> {
    type Item = DocumentResult;

    fn next(&mut self) -> Option<DocumentResult> {
        loop {
            if let Some(outcome) = self.waiting.pop_front() {
                return Some(outcome);
            }
            match self.lines.as_mut()?.next() {
                Some((number, Ok(line))) => {
                    if !self.read_line(number, &line) {
                        self.finish();
                    }
                }
                Some((number, Err(problem))) => self.refuse(number, None, problem),
                None => self.finish(),
            }
        }
    }
}
