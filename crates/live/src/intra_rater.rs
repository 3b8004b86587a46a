//! One labeler's two passes over the same documents, counted as two raters are.

use std::collections::BTreeSet;

use agreement::{Contingency, inference::Resampling};
use chrono::DateTime;
use domain::{Confidence, DocumentId, Fact, LabelSet, Measure, Switches, WorkState};

use crate::{
    Counted, Counting, Narrowing, Scores, Tokens, Work, intervals::resample_tables,
    tallies::PairTallies,
};

/// A labeler against themselves: what is counted of two passes.
pub struct IntraRater {
    pub pooled: Counted,
    /// What the tables are of.
    documents: Vec<DocumentId>,
    tables: Vec<Contingency<LabelSet>>,
}

impl IntraRater {
    /// Counts documents by what is so in the first pass and in the second; both are submitted. A document
    /// is left out if tokens are compared and those of it are not known.
    pub fn count<'a>(
        passes: impl Iterator<Item = (DocumentId, &'a BTreeSet<Fact>, &'a BTreeSet<Fact>)>,
        switches: Switches,
        tokens: &Tokens,
    ) -> Self {
        let part = Narrowing::of(switches);
        let work = |facts: &BTreeSet<Fact>, tokens| {
            let facts = facts.iter().copied();
            let work = Work::of_labeler(WorkState::Submitted, DateTime::UNIX_EPOCH, facts);
            part.work(&work, tokens)
        };
        let mut pooled = PairTallies::default();
        let (mut documents, mut tables) = (Vec::new(), Vec::new());
        for (document, first, second) in passes {
            let tokens = tokens.of(document);
            let Some((first, second)) = work(first, tokens).zip(work(second, tokens)) else {
                continue;
            };
            let counting = Counting::of(part.positions, tokens.unwrap_or_default());
            let tallies = PairTallies::of(&first, &second, counting);
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

    /// The 95 % interval of a measure, by resampling documents. `choices` is q, beside the scores of categories.
    pub fn interval(
        &self,
        measure: Measure,
        choices: (u64, &Scores),
        resampling: Resampling,
    ) -> Confidence {
        resample_tables(&self.tables, measure, choices, resampling)
    }
}
