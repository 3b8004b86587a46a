//! What is wrong with the files of an import: the first of it, and how much there is.

use domain::ImportProblem;
use formats::ImportError;

/// How many problems are told: enough to see what went wrong, not a second copy of the file.
const TOLD: usize = 100;

/// Problems in the order they were found.
#[derive(Default)]
pub(super) struct Problems {
    first: Vec<ImportProblem>,
    count: u64,
}

impl Problems {
    /// Adds a problem; only the first hundred are kept.
    pub(super) fn add(&mut self, problem: ImportProblem) {
        self.count += 1;
        if self.first.len() < TOLD {
            self.first.push(problem);
        }
    }

    /// Adds what a reader found.
    pub(super) fn add_error(&mut self, error: &ImportError) {
        self.add(ImportProblem {
            file: error.file.clone(),
            line: error.line.and_then(|line| u64::try_from(line).ok()),
            field: error.field.clone(),
            message: error.problem.to_string(),
        });
    }

    /// How many there are, also of those that were not kept.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The first hundred.
    pub(super) fn into_first(self) -> Vec<ImportProblem> {
        self.first
    }
}
