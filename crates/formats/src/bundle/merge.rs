//! One document out of the files of several raters.

use std::collections::HashSet;

use super::layout::Author;
use super::problem::BundleProblem;
use crate::import::document::{ImportedDocument, ImportedWork};

/// Gives the spans of nobody to the rater whose file it is.
pub(super) fn attribute(document: &mut ImportedDocument, author: &Author) {
    if let Author::Rater(rater) = author {
        let spans = std::mem::take(&mut document.spans);
        // A file that names raters itself says so of those, and what is nobody's is this one's.
        if document.work.is_empty() || !spans.is_empty() {
            document.work.push(ImportedWork { rater: rater.clone(), spans });
        }
    }
}

/// A document and the files that it is from.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) document: ImportedDocument,
    first_file: String,
    /// The raters, and the files that their work is from.
    raters: Vec<(String, String)>,
}

impl Merged {
    pub(super) fn new(document: ImportedDocument, file: &str) -> Self {
        let raters = document.work.iter().map(|work| (work.rater.clone(), file.to_owned()));
        let raters = raters.collect();
        Self { document, first_file: file.to_owned(), raters }
    }

    /// Adds what another file says of the document.
    pub(super) fn add(&mut self, other: ImportedDocument, file: &str) -> Result<(), BundleProblem> {
        if other.text != self.document.text {
            return Err(BundleProblem::OtherText { other: self.first_file.clone() });
        }
        for work in &other.work {
            if let Some((rater, first)) = self.raters.iter().find(|(rater, _)| *rater == work.rater)
            {
                let (rater, other) = (rater.clone(), first.clone());
                return Err(BundleProblem::SameRater { rater, other });
            }
        }
        self.raters.extend(other.work.iter().map(|work| (work.rater.clone(), file.to_owned())));
        self.document.work.extend(other.work);
        let own = &mut self.document.spans;
        let seen: HashSet<_> =
            own.iter().map(|span| (span.start, span.end, span.label.clone())).collect();
        let is_new = |span: &crate::import::document::ImportedSpan| {
            !seen.contains(&(span.start, span.end, span.label.clone()))
        };
        own.extend(other.spans.into_iter().filter(is_new));
        Ok(())
    }
}
