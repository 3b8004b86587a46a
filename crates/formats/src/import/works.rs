//! What the raters whom a record names have marked, each once.

use std::collections::HashMap;

use crate::import::document::{ImportedSpan, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::repair::Repair;
use crate::import::options::SecondAnnotation;

/// The work of a document so far.
#[derive(Debug, Default)]
pub(crate) struct Works {
    work: Vec<ImportedWork>,
    /// Where each rater's work is, and how many annotations it had.
    places: HashMap<String, (usize, usize)>,
}

impl Works {
    /// Adds an annotation of a rater, of whom there may be one already.
    pub(crate) fn add(&mut self, rater: String, spans: Vec<ImportedSpan>, findings: &mut Findings) {
        let Some((place, count)) = self.places.get_mut(&rater) else {
            self.places.insert(rater.clone(), (self.work.len(), 1));
            self.work.push(ImportedWork::of_spans(rater, spans));
            return;
        };
        findings.repair(Repair::SecondAnnotation(findings.options.second), 1);
        match findings.options.second {
            SecondAnnotation::First => {}
            SecondAnnotation::Last => {
                if let Some(work) = self.work.get_mut(*place) {
                    work.spans = spans;
                }
            }
            SecondAnnotation::Each => {
                *count += 1;
                let mut another = format!("{rater} ({count})");
                while self.places.contains_key(&another) {
                    another.push('*');
                }
                self.places.insert(another.clone(), (self.work.len(), 1));
                self.work.push(ImportedWork::of_spans(another, spans));
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<ImportedWork> {
        self.work
    }
}
