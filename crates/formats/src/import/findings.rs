//! What is wrong with one record of a file, and what is left out of it.

use std::vec;

use crate::import::note::{ImportNote, Note};
use crate::problem::quoted::shorten;
use crate::problem::{ImportError, Problem};

/// The most problems that are told of one record: enough to see the pattern.
const MAX_PROBLEMS: usize = 20;

/// The problems of one record, which then yields no document, and the notes on it.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    problems: Vec<(Option<usize>, Option<String>, Problem)>,
    /// The line of what comes next, where that is not the record's.
    line: Option<usize>,
    notes: Vec<Note>,
}

impl Findings {
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
        self.note(Note::PassedOver { what: shorten(what), count }, count);
    }

    /// Notes how many spans say the same as another one.
    pub(crate) fn repeated(&mut self, count: usize) {
        self.note(Note::Repeated { count }, count);
    }

    /// Notes how many spans the unit of offsets makes a difference to.
    pub(crate) fn utf16_offsets(&mut self, count: usize) {
        self.note(Note::Utf16Offsets { count }, count);
    }

    fn note(&mut self, note: Note, count: usize) {
        if count > 0 {
            self.notes.push(note);
        }
    }

    /// Whether no problem was found.
    pub(crate) fn is_clean(&self) -> bool {
        self.problems.is_empty()
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

/// The notes on a file: those of the same kind added up, at the first line that they are about.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<(usize, Note)>);

/// The most notes of a file: kinds of values come from the file.
const MAX_NOTES: usize = 100;

impl Notes {
    /// Takes the notes of the record that starts on `line`.
    pub(crate) fn collect(&mut self, line: usize, findings: &mut Findings) {
        for note in findings.notes.drain(..) {
            if !self.0.iter_mut().any(|(_, known)| add_up(known, &note)) && self.0.len() < MAX_NOTES
            {
                self.0.push((line, note));
            }
        }
    }

    /// The notes as those of a file.
    pub(crate) fn of_file(&self, file: &str) -> Vec<ImportNote> {
        let name = |(line, note): &(usize, Note)| ImportNote {
            file: file.to_owned(),
            line: Some(*line),
            note: note.clone(),
        };
        self.0.iter().map(name).collect()
    }
}

/// Adds a note to one of the same kind; false where it is of another.
fn add_up(known: &mut Note, note: &Note) -> bool {
    match (known, note) {
        (Note::PassedOver { what, count }, Note::PassedOver { what: other, count: more })
            if what == other =>
        {
            *count += more;
        }
        (Note::Repeated { count }, Note::Repeated { count: more })
        | (Note::Utf16Offsets { count }, Note::Utf16Offsets { count: more }) => *count += more,
        _ => return false,
    }
    true
}
