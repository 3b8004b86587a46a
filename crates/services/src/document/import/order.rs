//! What is to be done with the documents of files.

use domain::{AssignTo, ImportAs, ImportMapping, RatersFrom, WorkState};

use crate::document::reading::{FileOptions, ReadingOptions};

/// The most documents of one import on a server.
const MAX_DOCUMENTS: usize = 100_000;

/// What is to be done with the documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    pub files: FileOptions,
    pub import_as: ImportAs,
    /// Who gets assignments of new documents, beside those whose work comes along.
    pub assign: AssignTo,
    /// Whether labels that the project does not have are added; without it they are errors.
    pub create_labels: bool,
    /// Whether people's work is still in progress, not submitted.
    pub in_progress: bool,
    /// Whether people who have other spans in a document keep them; without it that is an error.
    pub keep_differing: bool,
    pub raters_from: RatersFrom,
    pub mapping: ImportMapping,
}

impl ImportOptions {
    pub(super) const fn state(&self) -> WorkState {
        if self.in_progress { WorkState::Saved } else { WorkState::Submitted }
    }
}

/// What is to be done, and how much of it.
pub(super) struct Order {
    pub(super) options: ImportOptions,
    pub(super) most_documents: usize,
    most_unpacked: Option<u64>,
}

impl Order {
    /// What somebody may ask of a server.
    pub(super) fn of_server(options: ImportOptions) -> Self {
        Self { options, most_documents: MAX_DOCUMENTS, most_unpacked: None }
    }

    /// What whoever owns the machine may ask of it.
    pub(super) fn without_limits(options: ImportOptions) -> Self {
        Self { options, most_documents: usize::MAX, most_unpacked: Some(u64::MAX) }
    }

    pub(super) fn reading(&self) -> ReadingOptions {
        ReadingOptions::new(&self.options.files, &self.options.raters_from, self.most_unpacked)
    }
}
