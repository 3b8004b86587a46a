//! What is wrong with files: the first of it, and how much there is.

use domain::{ImportProblem, saturating};
use formats::ImportError;

use super::TimeLimit;

/// The problem of files that nobody has the time for.
const TOO_LONG: &str = "this takes too long here: compare fewer documents at once, or use the \
                        command line (concord compare)";

/// How many problems are told: enough to see what went wrong, not a second assignment of the file.
const TOLD: usize = 100;

/// Problems in the order they were found.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    first: Vec<ImportProblem>,
    count: usize,
    counts_all: bool,
    limit: TimeLimit,
    is_late: bool,
}

impl Problems {
    /// Problems that are counted to the end of the files, however many there are.
    pub(crate) fn counting_all() -> Self {
        Self { counts_all: true, ..Self::default() }
    }

    /// Problems of work that has so much time.
    pub(crate) fn within(limit: TimeLimit) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Adds a problem; only the first hundred are kept.
    pub(crate) fn add(&mut self, problem: ImportProblem) {
        self.count += 1;
        if self.first.len() < TOLD {
            self.first.push(problem);
        }
    }

    /// What a reader found.
    pub(crate) fn add_error(&mut self, error: &ImportError) {
        self.add(ImportProblem {
            file: error.file.clone(),
            line: error.line.and_then(|line| u64::try_from(line).ok()),
            field: error.field.clone(),
            message: error.problem.to_string(),
        });
    }

    /// What is wrong with a file as a whole.
    pub(crate) fn add_of_file(&mut self, file: &str, message: impl Into<String>) {
        let (file, message) = (file.to_owned(), message.into());
        self.add(ImportProblem { file, line: None, field: None, message });
    }

    /// Whether looking on is of no use: there are so many, or the time is up, which is one, too.
    pub(crate) fn are_over(&mut self) -> bool {
        if !self.is_late && self.limit.is_over() {
            self.is_late = true;
            self.add_of_file("", TOO_LONG);
        }
        self.is_late || self.count >= TOLD && !self.counts_all
    }

    /// How many there are, also of those that were not kept.
    pub(crate) fn count(&self) -> u64 {
        saturating::<u64>(self.count)
    }

    /// The first hundred.
    pub(crate) fn into_first(self) -> Vec<ImportProblem> {
        self.first
    }

    /// The first hundred; nothing where there is none and time is left.
    pub(crate) fn into_found(mut self) -> Option<Vec<ImportProblem>> {
        self.are_over();
        (!self.first.is_empty()).then_some(self.first)
    }
}
