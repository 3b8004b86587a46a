//! Tokens with tags, one a line, a blank line after each sentence: CoNLL-2003, the tables that
//! corpora of entities come in, WebAnno TSV 1 and 2.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::columns::conll::layout::{Layout, MAX_COLUMNS, Writing};
use crate::columns::draft::Draft;
use crate::columns::tags::{Chain, Tag, UNLABELLED};
use crate::import::document::ImportedDocument;
use crate::import::findings::count::Count;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::lines::{Lines, NumberedLine};
use crate::import::options::ReadOptions;
use crate::import::spans::once;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::{ImportError, Problem};

const DOCUMENT_START: &str = "-DOCSTART-";

/// As much of a file tells its columns, in lines and bytes; and as much where none of these has a span.
const SAMPLE_LINES: usize = 1_000;
const SAMPLE_BYTES: usize = 64 * 1024;
const LONG_SAMPLE_LINES: usize = 20_000;
const LONG_SAMPLE_BYTES: usize = 1024 * 1024;

/// The most tags of one token.
const MAX_STACK: usize = 8;

/// Yields the documents and problems of a file of tokens with tags.
#[derive(Debug)]
pub(crate) struct Conll<R> {
    lines: Lines<R>,
    /// Lines that were read to tell the columns.
    ahead: VecDeque<NumberedLine>,
    options: ReadOptions,
    file: String,
    layout: Option<Layout>,
    /// The first line with a token.
    first_line: usize,
    /// One for each of the tags that a token may have.
    chains: Vec<Chain>,
    draft: Option<Draft>,
    /// Whether a token may have several tags, which is so in WebAnno's tables.
    is_stacked: bool,
    /// What is left of the sentence's text, where the file gives one.
    rest: Option<String>,
    /// Whether the next token starts a sentence.
    sentence_ended: bool,
    /// How many documents were started.
    started: usize,
    columns: Count,
    untagged: Count,
    tokenless: Count,
    /// The first line with a span whose tags are labels or prefixes only.
    marked: Option<usize>,
    blank: Count,
    /// Spans that are there twice.
    repeated: usize,
    other_text: Count,
    ended: bool,
}

type DocumentResult = Result<ImportedDocument, ImportError>;

impl<R: BufRead> Conll<R> {
    pub(crate) fn new(file_name: &str, reader: R, options: &ReadOptions) -> Self {
        Self {
            lines: Lines::new(reader),
            ahead: VecDeque::new(),
            options: options.clone(),
            file: file_name.to_owned(),
            layout: None,
            first_line: 0,
            chains: Vec::new(),
            draft: None,
            is_stacked: false,
            rest: None,
            sentence_ended: false,
            started: 0,
            columns: Count::default(),
            untagged: Count::default(),
            tokenless: Count::default(),
            marked: None,
            blank: Count::default(),
            repeated: 0,
            other_text: Count::default(),
            ended: false,
        }
    }

    /// Reads as many lines ahead as tell the columns.
    fn look_ahead(&mut self) {
        self.read_ahead(SAMPLE_LINES, SAMPLE_BYTES);
        self.layout = self.sampled_layout();
        if !self.layout.as_ref().is_some_and(|layout| layout.has_spans) {
            self.read_ahead(LONG_SAMPLE_LINES, LONG_SAMPLE_BYTES);
            self.layout = self.sampled_layout();
        }
    }

    /// Reads on until so many lines or bytes are ahead.
    fn read_ahead(&mut self, most_lines: usize, most_bytes: usize) {
        let length = |line: &NumberedLine| line.1.as_ref().map_or(0, String::len);
        let mut bytes: usize = self.ahead.iter().map(length).sum();
        while self.ahead.len() < most_lines && bytes < most_bytes {
            let Some(line) = self.lines.next() else { break };
            bytes += length(&line);
            self.ahead.push_back(line);
        }
    }

    fn sampled_layout(&self) -> Option<Layout> {
        let lines = self.ahead.iter().filter_map(|(_, line)| line.as_deref().ok());
        Layout::of(lines, &self.options)
    }

    /// The document being read; one starts here if there is none, under the file's own name.
    fn draft(&mut self, line: usize) -> &mut Draft {
        if self.draft.is_none() {
            self.started += 1;
        }
        let file = &self.file;
        self.draft.get_or_insert_with(|| Draft::new(None, stem(file).to_owned(), line))
    }

    /// Ends the document being read and starts the one that a line announces.
    fn start_document(&mut self, id: Option<&str>, line: usize) -> Option<DocumentResult> {
        let finished = self.finish_document();
        self.started += 1;
        let name =
            id.map_or_else(|| format!("{}-{}", stem(&self.file), self.started), str::to_owned);
        self.draft = Some(Draft::new(id.map(str::to_owned), name, line));
        self.sentence_ended = false;
        finished
    }

    /// What was detected and repaired so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        let note = |note| ImportNote::new(&self.file, Some(self.first_line), 1, note);
        let layout = self.layout.iter();
        let source = layout.clone().filter_map(Layout::source).map(Note::SpanColumn);
        let others = layout.flat_map(Layout::others).filter(|(_, count)| *count > 0);
        let others = others.map(|(column, count)| {
            let what = Note::PassedOver(format!("tags of {column}"));
            ImportNote::new(&self.file, Some(self.first_line), count, what)
        });
        let repairs = [
            self.columns.note(&self.file, Repair::Columns),
            self.tokenless.note(&self.file, Repair::NoToken),
            self.untagged.note(&self.file, Repair::NoTag),
            self.other_text.note(&self.file, Repair::OtherSentence),
            self.blank.note(&self.file, Repair::Blank),
        ];
        let is_bare = |layout: &&Layout| layout.writing == Writing::Prefixes;
        let bare = self.layout.iter().filter(is_bare).filter(|_| self.marked.is_some());
        let bare = bare.map(|_| Note::Unlabelled(UNLABELLED));
        let detected = source.map(note).chain(others).chain(bare.map(note));
        let repeated = ImportNote::new(&self.file, None, self.repeated, Note::Repeated);
        let repeated = Some(repeated).filter(|it| it.count > 0);
        let of_tags = self.chains.iter().flat_map(|chain| chain.notes(&self.file));
        detected.chain(of_tags).chain(repeated).chain(repairs.into_iter().flatten()).collect()
    }

    fn break_off(&mut self) {
        self.chains.iter_mut().for_each(Chain::break_off);
    }

    /// The document being read; nothing if it has no token, or its problems were told already.
    fn finish_document(&mut self) -> Option<DocumentResult> {
        self.end_sentence();
        let draft = self.draft.take()?;
        let line = draft.document.line;
        match draft.finish()? {
            Err((_, Problem::EmptyText)) => {
                self.blank.add(line);
                None
            }
            Ok(mut document) => {
                // A token may have a tag twice.
                self.repeated += once(&mut document.spans);
                Some(Ok(document))
            }
            Err((line, problem)) => Some(Err(self.error(Some(line), problem))),
        }
    }

    fn end_sentence(&mut self) {
        self.break_off();
        self.rest = None;
        self.sentence_ended = self.draft.is_some();
    }

    /// Reads a line that is neither blank nor a `-DOCSTART-`.
    fn read_row(&mut self, number: usize, line: &str) -> Result<Option<DocumentResult>, Problem> {
        if self.started == 0 && is_comment(line) || self.layout.is_none() && line.starts_with('#') {
            return Ok(self.read_comment(number, line));
        }
        let layout = self.layout.get_or_insert_with(|| Layout::by_position(line));
        let mut cells = layout.cut(line);
        if cells.len() > MAX_COLUMNS {
            return Err(ExchangeProblem::TooMany("columns", MAX_COLUMNS).into());
        }
        while cells.len() > layout.width && cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        let cell = |at: usize| cells.get(at).map(AsRef::as_ref).unwrap_or_default();
        let fits = cells.len() == layout.width;
        let tag = if fits {
            cell(layout.tag)
        } else {
            cells.last().map(AsRef::as_ref).unwrap_or_default()
        };
        let (writing, has_more) = (layout.writing, layout.has_more(line));
        // What follows the first token can be the token "#", which has a tag and as many cells as others.
        if line.starts_with('#') && (!fits || has_more || writing.parse(tag).is_err()) {
            return Ok(self.read_comment(number, line));
        }
        if !layout.has_asked && self.first_line == 0 {
            let (asked, found) = (self.options.layers.join(", ").into(), layout.columns());
            self.first_line = number;
            return Err(ExchangeProblem::NoLayer { asked, found }.into());
        }
        if self.first_line == 0 && layout.is_heading(&cells) {
            return Ok(None);
        }
        let first_line = if self.first_line == 0 { number } else { self.first_line };
        let (token, width) = (cell(if fits { layout.token } else { 0 }), layout.width);
        let known = self.first_line > 0 && width > 1;
        self.first_line = first_line;
        match cells.len() {
            // A line of words among lines of cells.
            1 if token.contains(' ') => {
                Tag::parse(token.rsplit(' ').next().unwrap_or_default())?;
                return Err(Problem::ConllOneColumn);
            }
            _ if token.trim().is_empty() => {
                self.tokenless.add(number);
                return Ok(None);
            }
            1 if known && writing.parse(token).is_ok() => {
                self.tokenless.add(number);
                return Ok(None);
            }
            1 if known => {
                self.untagged.add(number);
                self.push(token, "O", number)?;
                return Ok(None);
            }
            1 => return Err(Problem::ConllOneColumn),
            found if found > width => {
                return Err(Problem::ConllColumns { found, expected: width, first_line });
            }
            _ if !fits || has_more => self.columns.add(number),
            _ if tag.is_empty() => {
                self.untagged.add(number);
                self.push(token, "O", number)?;
                return Ok(None);
            }
            _ => {}
        }
        if let Some(layout) = self.layout.as_mut().filter(|_| fits) {
            layout.leave(&cells);
        }
        self.push(token, tag, number)?;
        Ok(None)
    }

    /// Takes what a comment says of a document or a sentence.
    fn read_comment(&mut self, number: usize, line: &str) -> Option<DocumentResult> {
        let comment = line.trim_start_matches(['#', ' ', '\t']);
        let (name, value) = comment.split_once('=')?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name.trim() {
            "id" if line.starts_with("#id=") => {
                self.is_stacked = true;
                None
            }
            "text" => {
                self.end_sentence();
                self.rest = Some(value.to_owned());
                None
            }
            name if name == "newdoc id" || name.ends_with("document_id") => {
                let id = Some(value.trim()).filter(|id| !id.is_empty());
                self.start_document(id, number)
            }
            _ => None,
        }
    }

    /// Puts a token to the text, and does to the spans what its tags say.
    fn push(&mut self, token: &str, cell: &str, line: usize) -> Result<(), Problem> {
        let writing = self.layout.as_ref().map_or(Writing::Tags, |layout| layout.writing);
        let are_tags = || cell.splitn(MAX_STACK, '|').all(|part| Tag::parse(part).is_ok());
        // Of one that has more, the others are told as a tag that is none.
        let parts = if self.is_stacked || are_tags() { MAX_STACK } else { 1 };
        let tags: Vec<Tag<'_>> =
            cell.splitn(parts, '|').map(|part| writing.parse(part)).collect::<Result<_, _>>()?;
        if writing != Writing::Tags
            && self.marked.is_none()
            && tags.iter().any(|it| it.label().is_some())
        {
            self.marked = Some(line);
        }
        let between = self.between(token, line);
        let draft = self.draft(line);
        let sound = draft.sound;
        if sound && !draft.document.text.is_empty() {
            draft.push(&between)?;
        }
        let start = draft.length;
        if sound {
            draft.push(token)?;
        }
        let end = draft.length;
        if self.chains.len() < tags.len() {
            let new = || {
                if writing.are_labels() { Chain::of_labels(line) } else { Chain::default() }
            };
            self.chains.resize_with(tags.len(), new);
        }
        let tags = in_chains(&self.chains, tags);
        for (slot, chain) in self.chains.iter_mut().enumerate() {
            let tag = tags.get(slot).copied().unwrap_or(Tag::Outside);
            let step = chain.follow(tag, line);
            if let Some(draft) = self.draft.as_mut().filter(|_| sound) {
                draft.tag((start, end), step, (slot, tag.label().unwrap_or_default()), line)?;
            }
        }
        Ok(())
    }

    /// What stands before a token: as the sentence's text has it, else a space.
    fn between(&mut self, token: &str, line: usize) -> String {
        let ended = std::mem::take(&mut self.sentence_ended);
        if let Some(rest) = self.rest.take() {
            let trimmed = rest.trim_start();
            let skipped = rest.get(..rest.len() - trimmed.len()).unwrap_or_default();
            match trimmed.strip_prefix(token) {
                Some(after) => {
                    let parting = if ended { "\n" } else { skipped };
                    let parting = parting.to_owned();
                    self.rest = Some(after.to_owned());
                    return parting;
                }
                None => self.other_text.add(line),
            }
        }
        if ended { "\n".to_owned() } else { " ".to_owned() }
    }

    fn error(&self, line: Option<usize>, problem: Problem) -> ImportError {
        let field = matches!(problem, Problem::ConllTag(_)).then(|| "tag".to_owned());
        ImportError { file: self.file.clone(), line, field, problem }
    }

    /// Notes that the document being read is spoiled.
    fn refuse(&mut self, number: usize, problem: Problem) -> DocumentResult {
        self.draft(number).spoil();
        self.break_off();
        Err(self.error(Some(number), problem))
    }
}

/// The tags of a token in the order of the chains: each that goes on with a span stands where that is.
fn in_chains<'line>(chains: &[Chain], tags: Vec<Tag<'line>>) -> Vec<Tag<'line>> {
    if chains.len() < 2 {
        return tags;
    }
    let mut placed: Vec<Option<Tag<'_>>> = vec![None; chains.len()];
    let goes_on = |tag: &Tag<'_>| matches!(tag, Tag::Inside(_) | Tag::End(..));
    let mut others = Vec::new();
    for tag in tags {
        let label = tag.label().unwrap_or_default();
        let open = chains.iter().position(|chain| goes_on(&tag) && chain.is_open(label));
        match open.and_then(|at| placed.get_mut(at)) {
            Some(place @ None) => *place = Some(tag),
            _ => others.push(tag),
        }
    }
    let mut others = others.into_iter();
    placed.into_iter().map(|tag| tag.or_else(|| others.next()).unwrap_or(Tag::Outside)).collect()
}

/// Whether a line before the first token is no token.
fn is_comment(line: &str) -> bool {
    line.starts_with("# ") || line.starts_with("#\t") || line == "#" || line.starts_with(" # ")
}

impl<R: BufRead> Iterator for Conll<R> {
    type Item = DocumentResult;

    fn next(&mut self) -> Option<DocumentResult> {
        if self.layout.is_none() && self.first_line == 0 && self.ahead.is_empty() && !self.ended {
            self.look_ahead();
        }
        while let Some((number, line)) = self.ahead.pop_front().or_else(|| self.lines.next()) {
            let line = match line {
                Ok(line) => line,
                Err(problem) => return Some(self.refuse(number, problem)),
            };
            let content = line.trim_matches([' ', '\t']);
            if content.is_empty() {
                self.end_sentence();
            } else if content.split([' ', '\t']).next() == Some(DOCUMENT_START) {
                if let Some(outcome) = self.start_document(None, number) {
                    return Some(outcome);
                }
            } else {
                match self.read_row(number, &line) {
                    Ok(None) => {}
                    Ok(Some(outcome)) => return Some(outcome),
                    Err(problem) => return Some(self.refuse(number, problem)),
                }
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
