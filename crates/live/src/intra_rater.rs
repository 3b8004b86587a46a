//! One labeler's two passes over the same documents, counted as two raters are.

use agreement::{Contingency, inference::Resampling};
use chrono::DateTime;
use domain::{Confidence, DocumentId, LabelSet, Measure, Span, Switches, WorkState};

use crate::{
    Counted, Work, intervals::resample_tables, narrowed::narrowed_work, tallies::PairTallies,
};

/// A labeler against themselves: what is counted of two passes.
pub struct IntraRater {
    pub pooled: Counted,
    /// What the tables are of.
    documents: Vec<DocumentId>,
    tables: Vec<Contingency<LabelSet>>,
}

impl IntraRater {
    /// Counts documents by the spans of the first pass and those of the second; both are submitted.
    pub fn count<'a>(
        passes: impl Iterator<Item = (DocumentId, &'a [Span], &'a [Span])>,
        switches: Switches,
    ) -> Self {
        let work = |spans: &[Span]| {
            let spans = spans.iter().copied();
            let work = Work::of_labeler(WorkState::Submitted, DateTime::UNIX_EPOCH, spans);
            narrowed_work(&work, switches.filter)
        };
        let mut pooled = PairTallies::default();
        let (mut documents, mut tables) = (Vec::new(), Vec::new());
        for (document, first, second) in passes {
            let tallies = PairTallies::of(&work(first), &work(second));
            pooled.merge(&tallies);
            documents.push(document);
            tables.push(tallies.chosen(switches).tally.table.clone());
        }
        Self { pooled: pooled.chosen(switches).clone(), documents, tables }
    }

    /// What is counted of each document.
    pub fn by_document(&self) -> impl Iterator<Item = (DocumentId, &Contingency<LabelSet>)> {
        self.documents.iter().copied().zip(&self.tables)
    }

    /// The 95 % interval of a measure, by resampling documents. `choices` is q.
    pub fn interval(&self, measure: Measure, choices: u64, resampling: Resampling) -> Confidence {
        resample_tables(&self.tables, measure, choices, resampling)
    }
}
