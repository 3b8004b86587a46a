//! What is wrong with one record of a file, and what is left out of it.

pub(crate) mod checks;
pub(crate) mod count;
pub(crate) mod note;
pub(crate) mod repair;

use std::vec;

use crate::import::answer::Answer;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::options::ReadOptions;
use crate::problem::quoted::shorten;
use crate::problem::{ImportError, Problem};

/// The most problems that are told of one record: enough to see the pattern.
const MAX_PROBLEMS: usize = 20;

/// The problems of one record, which then yields no document, and the notes on it.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// How the file is read.
    pub(crate) options: ReadOptions,
    problems: Vec<(Option<usize>, Option<String>, Problem)>,
    /// The line of what comes next, where that is not the record's.
    line: Option<usize>,
    notes: Vec<(usize, Note)>,
}

impl Findings {
    /// None yet.
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self { options: options.clone(), ..Self::default() }
    }

    /// Notes a problem and stands in for the value that is missing because of it.
    pub(crate) fn refuse<T>(
        &mut self,
        field: Option<&str>,
        problem: impl Into<Problem>,
    ) -> Option<T> {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push((self.line, field.map(str::to_owned), problem.into()));
        }
        None
    }

    /// Says on which line is what comes next, where that is not the record's line.
    pub(crate) const fn at_line(&mut self, line: Option<usize>) {
        self.line = line;
    }

    /// Notes how many of something were passed over.
    pub(crate) fn pass_over(&mut self, what: &str, count: usize) {
        self.note(Note::PassedOver(shorten(what)), count);
    }

    /// Notes how many spans say the same as another one.
    pub(crate) fn repeated(&mut self, count: usize) {
        self.note(Note::Repeated, count);
    }

    /// Notes that something was repaired so often.
    pub(crate) fn repair(&mut self, repair: Repair, count: usize) {
        self.note(Note::Repaired(repair), count);
    }

    /// Whether annotations of this state count as judgements, which is noted.
    pub(crate) fn counts(&mut self, answer: Answer, count: usize) -> bool {
        let counted = self.options.counts(answer);
        self.note(Note::Answer { answer, counted }, count);
        counted
    }

    /// Notes something that holds so often.
    pub(crate) fn note(&mut self, note: Note, count: usize) {
        if count > 0 {
            self.notes.push((count, note));
        }
    }

    /// Whether no problem was found.
    pub(crate) fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether nothing is wrong but that there is no text.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self.problems.as_slice(), [(.., Problem::EmptyText)])
    }

    /// The notes as those of a file, on the line of the record.
    pub(crate) fn notes<'file>(
        &mut self,
        file: &'file str,
        line: usize,
    ) -> impl Iterator<Item = ImportNote> + use<'_, 'file> {
        let note = move |(count, note)| ImportNote::new(file, Some(line), count, note);
        self.notes.drain(..).map(note)
    }

    /// The problems as errors of a file, at the record's line unless they have their own.
    pub(crate) fn into_errors(self, file: &str, line: Option<usize>) -> vec::IntoIter<ImportError> {
        let name = |(own, field, problem): (Option<usize>, _, _)| ImportError {
            file: file.to_owned(),
            line: own.or(line),
            field,
            problem,
        };
        self.problems.into_iter().map(name).collect::<Vec<_>>().into_iter()
    }
}
