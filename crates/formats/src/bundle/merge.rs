//! One document out of the files of several raters.

use std::collections::{HashMap, HashSet};

use crate::bundle::layout::Author;
use crate::import::document::{
    ImportedDocument, ImportedSpan, ImportedWork, add_answers, comparable_text,
};
use crate::import::findings::note::{ImportNote, Note, Notes};
use crate::import::findings::repair::Repair;
use crate::problem::bundle::BundleProblem;

/// Gives the spans of nobody to the rater whose file it is; what is no judgement has none.
pub(super) fn attribute(document: &mut ImportedDocument, author: &Author) {
    if *author == Author::Unjudged {
        document.spans.clear();
        document.answers.clear();
        document.work.clear();
        document.judged = false;
    } else if let Author::Rater(rater) = author {
        let names_raters = !document.work.is_empty();
        let spans = std::mem::take(&mut document.spans);
        let answers = std::mem::take(&mut document.answers);
        match document.work.iter_mut().find(|work| work.rater == *rater) {
            // A file may name the rater whose folder it is in, and leave other spans to nobody.
            Some(work) => {
                let own: HashSet<_> = work.spans.iter().map(key).collect();
                let new: Vec<_> =
                    spans.into_iter().filter(|span| !own.contains(&key(span))).collect();
                work.spans.extend(new);
                add_answers(&mut work.answers, answers);
            }
            // A file that names raters itself says so of those, and what is nobody's is this one's.
            None if !names_raters || !spans.is_empty() || !answers.is_empty() => {
                document.work.push(ImportedWork { rater: rater.clone(), spans, answers });
            }
            None => {}
        }
    }
}

/// What makes two spans the same.
type Key = (usize, usize, String);

fn key(span: &ImportedSpan) -> Key {
    (span.start, span.end, span.label.clone())
}

/// A document and the files that it is from.
#[derive(Debug)]
pub(super) struct Merged {
    document: ImportedDocument,
    first_file: String,
    /// The raters, and the files that their work is from.
    raters: HashMap<String, String>,
    /// The spans of nobody.
    seen: HashSet<Key>,
}

impl Merged {
    pub(super) fn new(document: ImportedDocument, file: &str) -> Self {
        let raters = document.work.iter().map(|work| (work.rater.clone(), file.to_owned()));
        let raters = raters.collect();
        let seen = document.spans.iter().map(key).collect();
        Self { document, first_file: file.to_owned(), raters, seen }
    }

    /// The document, and the first of its files.
    pub(super) fn into_parts(self) -> (ImportedDocument, String) {
        (self.document, self.first_file)
    }

    /// Adds what another file says of the document. Of copies that differ by white space the longest
    /// is kept, in which the spans of all have their place.
    pub(super) fn add(
        &mut self,
        other: ImportedDocument,
        file: &str,
        notes: &mut Notes,
    ) -> Result<(), BundleProblem> {
        if other.text != self.document.text {
            if comparable_text(&other.text) != comparable_text(&self.document.text) {
                return Err(BundleProblem::OtherText(self.first_file.clone()));
            }
            let repaired = Note::Repaired(Repair::WhiteSpace);
            notes.add(ImportNote::new(file, Some(other.line), 1, repaired));
            if other.text.chars().count() > self.document.text.chars().count() {
                self.document.text = other.text;
            }
        }
        for work in &other.work {
            if let Some(first) = self.raters.get(&work.rater) {
                let (rater, other) = (work.rater.clone(), first.clone());
                return Err(BundleProblem::SameRater { rater, other });
            }
        }
        self.raters.extend(other.work.iter().map(|work| (work.rater.clone(), file.to_owned())));
        self.document.work.extend(other.work);
        add_answers(&mut self.document.answers, other.answers);
        let seen = &mut self.seen;
        self.document.spans.extend(other.spans.into_iter().filter(|span| seen.insert(key(span))));
        Ok(())
    }
}
