//! Checks that take more than one document: known labels, and ids that occur once.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::import::document::ImportedSpan;
use crate::problem::{ImportError, Problem};

/// Lists the labels of a document's spans that are not among the known ones, each at its first span.
pub fn check_labels(
    spans: &[ImportedSpan],
    known: &BTreeSet<String>,
    file: &str,
) -> Vec<ImportError> {
    let mut told = BTreeSet::new();
    spans
        .iter()
        .enumerate()
        .filter(|(_, span)| !known.contains(&span.label) && told.insert(span.label.as_str()))
        .map(|(index, span)| ImportError {
            file: file.to_owned(),
            line: Some(span.line),
            field: Some(format!("spans[{index}].label")),
            problem: Problem::UnknownLabel {
                label: span.label.clone(),
                known: known.iter().cloned().collect(),
            },
        })
        .collect()
}

/// The ids of the documents of an import, over all its files.
#[derive(Debug, Default)]
pub struct IdRegistry {
    places: HashMap<String, (String, usize)>,
}

impl IdRegistry {
    /// A registry that knows no id yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enters a document's id, or says which document has it already.
    pub fn register(&mut self, id: &str, file: &str, line: usize) -> Result<(), ImportError> {
        match self.places.entry(id.to_owned()) {
            Entry::Vacant(place) => {
                place.insert((file.to_owned(), line));
                Ok(())
            }
            Entry::Occupied(place) => {
                let (first_file, first_line) = place.get().clone();
                Err(ImportError {
                    file: file.to_owned(),
                    line: Some(line),
                    field: Some("id".to_owned()),
                    problem: Problem::DuplicateId { id: id.to_owned(), first_file, first_line },
                })
            }
        }
    }
}
