//! What keeps files from being compared: the first of it, and how much there is.

use domain::ImportProblem;
use formats::ImportError;

/// How many problems are told.
const TOLD: usize = 100;

/// Problems in the order they were found.
#[derive(Debug, Default)]
pub(super) struct Problems {
    first: Vec<ImportProblem>,
    count: usize,
}

impl Problems {
    pub(super) fn add(&mut self, problem: ImportProblem) {
        self.count += 1;
        if self.first.len() < TOLD {
            self.first.push(problem);
        }
    }

    /// What a reader found.
    pub(super) fn add_error(&mut self, error: &ImportError) {
        self.add(ImportProblem {
            file: error.file.clone(),
            line: error.line.and_then(|line| u64::try_from(line).ok()),
            field: error.field.clone(),
            message: error.problem.to_string(),
        });
    }

    /// What is wrong with a file as a whole.
    pub(super) fn add_of_file(&mut self, file: &str, message: impl Into<String>) {
        let (file, message) = (file.to_owned(), message.into());
        self.add(ImportProblem { file, line: None, field: None, message });
    }

    /// Whether there are so many that looking on is of no use.
    pub(super) const fn are_many(&self) -> bool {
        self.count >= TOLD
    }

    /// The first hundred; nothing where there is none.
    pub(super) fn told(self) -> Option<Vec<ImportProblem>> {
        (!self.first.is_empty()).then_some(self.first)
    }
}
