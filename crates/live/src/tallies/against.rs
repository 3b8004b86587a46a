//! Somebody who is no rater of a project, such as a model, against its raters: counted as a pair of them is, and
//! kept apart from all that is counted of these.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, Utc};
use domain::{AttributeId, DocumentId, Fact, MemberId, Switches, WorkState};

use super::{Counted, Narrowing, PairTallies, Tallies, work::Work};

/// What somebody who is no rater has on documents: as a labeler who has submitted them would.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outsider(BTreeMap<DocumentId, Work>);

impl FromIterator<(DocumentId, DateTime<Utc>, Vec<Fact>)> for Outsider {
    fn from_iter<I: IntoIterator<Item = (DocumentId, DateTime<Utc>, Vec<Fact>)>>(works: I) -> Self {
        let work = |(document, saved_at, facts)| {
            (document, Work::of_labeler(WorkState::Submitted, saved_at, facts))
        };
        Self(works.into_iter().map(work).collect())
    }
}

impl Outsider {
    /// What they have on a document.
    pub fn work(&self, document: DocumentId) -> Option<&Work> {
        self.0.get(&document)
    }

    /// What they answered to a question, in the place of labels.
    #[must_use]
    pub fn answers(&self, question: AttributeId) -> Self {
        let answers = self.0.iter().map(|(document, work)| (*document, work.answers(question)));
        Self(answers.collect())
    }
}

/// What is counted of somebody who is no rater with each of the raters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    pairs: BTreeMap<MemberId, Counted>,
}

impl Against {
    /// With one rater, who is the second of the two; nothing in common is empty.
    pub fn with(&self, rater: MemberId) -> Cow<'_, Counted> {
        self.pairs.get(&rater).map_or_else(Cow::default, Cow::Borrowed)
    }

    /// With several raters, the counts added.
    pub fn pooled(&self, raters: impl IntoIterator<Item = MemberId>) -> Counted {
        let mut pooled = Counted::default();
        raters.into_iter().for_each(|rater| pooled.merge(&self.with(rater)));
        pooled
    }
}

impl Tallies {
    /// What is counted of somebody who is no rater with each rater who has worked on the same documents. These
    /// have to be the tallies of what the switches show. It takes as long as counting one rater's pairs.
    pub fn against(&self, outsider: &Outsider, switches: Switches) -> Against {
        let mut pairs: BTreeMap<MemberId, PairTallies> = BTreeMap::new();
        for (rater, counted) in self.pairs_against(outsider, switches).flatten() {
            pairs.entry(rater).or_default().merge(&counted);
        }
        let chosen = |(rater, pair): (_, PairTallies)| (rater, pair.chosen(switches).clone());
        Against { pairs: pairs.into_iter().map(chosen).collect() }
    }

    /// The same with all of several raters together, a document at a time; those in which none of them has work are
    /// left out.
    pub fn against_by_document(
        &self,
        outsider: &Outsider,
        switches: Switches,
        raters: &[MemberId],
    ) -> Vec<Counted> {
        let pooled = |pairs: Vec<(MemberId, PairTallies)>| {
            let mut pooled = Counted::default();
            for (_, pair) in pairs.iter().filter(|(rater, _)| raters.contains(rater)) {
                pooled.merge(pair.chosen(switches));
            }
            (pooled.documents > 0).then_some(pooled)
        };
        self.pairs_against(outsider, switches).filter_map(pooled).collect()
    }

    /// For each document of somebody who is no rater, what is counted of them with each rater; nothing unless these
    /// are the tallies of what the switches show.
    fn pairs_against(
        &self,
        outsider: &Outsider,
        switches: Switches,
    ) -> impl Iterator<Item = Vec<(MemberId, PairTallies)>> {
        let part = Narrowing::of(switches);
        let shown = self.are_of(switches).then(|| self.documents()).into_iter().flatten();
        shown.filter_map(move |(document, work)| {
            let own = part.work(outsider.0.get(&document)?, Some(self.tokens(document)))?;
            let counted = |work| PairTallies::of(&own, work, self.counting(document));
            Some(work.iter().map(|(rater, work)| (*rater, counted(work))).collect())
        })
    }
}
