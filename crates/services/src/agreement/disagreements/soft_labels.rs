//! Soft labels: how the judgements of all labelers who had a document to do are distributed on a position. Pure.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use domain::{Documents, Filter, Label, LabelSet, MemberId, Range, Rater};
use live::{DocumentWork, NOTHING};

use crate::{agreement::category_name, base::names::under_pseudonyms};

/// A position that a labeler marked, and what each who submitted the document said there.
pub(crate) struct SoftPosition<'a> {
    pub(crate) range: Range,
    /// Whoever marked nothing there said ∅: they read all of the document.
    pub(crate) said: Vec<(MemberId, &'a LabelSet)>,
}

/// A judgement of a position, by the pseudonyms of those whose it is.
pub(crate) struct SoftLabel {
    pub(crate) name: String,
    pub(crate) people: Vec<String>,
}

/// The positions of a document in their order. Work that is not submitted says nothing: what is not marked in
/// it may be still to come.
pub(crate) fn soft_positions(work: &DocumentWork) -> Vec<SoftPosition<'_>> {
    let is_done = |work: &live::Work| work.is_of_labeler() && work.counts(Documents::Submitted);
    let labelers: Vec<_> = work.iter().filter(|(_, work)| is_done(work)).collect();
    let marked = labelers.iter().flat_map(|(_, work)| &work.judgements);
    let marked = marked.filter(|(_, labels)| !labels.is_empty());
    let ranges: BTreeSet<Range> = marked.map(|(range, _)| *range).collect();
    let position = |range| {
        let said = labelers
            .iter()
            .map(|(id, work)| (**id, work.judgements.get(&range).unwrap_or(&NOTHING)));
        SoftPosition { range, said: said.collect() }
    };
    ranges.into_iter().map(position).collect()
}

impl SoftPosition<'_> {
    /// Whether not all said the same.
    pub(crate) fn is_disputed(&self) -> bool {
        self.said.iter().map(|(_, labels)| *labels).collect::<BTreeSet<_>>().len() > 1
    }
}

/// What judgements and people are called.
pub(crate) struct SoftNames<'a> {
    labels: &'a [Label],
    filter: Filter,
    people: BTreeMap<MemberId, String>,
}

impl<'a> SoftNames<'a> {
    /// Raters are called by pseudonyms, which are the same in all files of a project.
    pub(crate) fn of(raters: &[Rater], labels: &'a [Label], filter: Filter) -> Self {
        let people = under_pseudonyms(raters.to_vec());
        let people = people.into_iter().map(|rater| (rater.id, rater.name)).collect();
        Self { labels, filter, people }
    }

    /// The pseudonym of a labeler.
    pub(crate) fn person(&self, id: MemberId) -> &str {
        self.people.get(&id).map_or("", String::as_str)
    }

    /// What a judgement is called.
    pub(crate) fn judgement(&self, labels: &LabelSet) -> String {
        category_name(labels, self.labels, self.filter)
    }

    /// What was said of a position, that of most people first.
    pub(crate) fn distribution(&self, position: &SoftPosition<'_>) -> Vec<SoftLabel> {
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (id, labels) in &position.said {
            by_name.entry(self.judgement(labels)).or_default().push(self.person(*id).to_owned());
        }
        let mut found: Vec<_> =
            by_name.into_iter().map(|(name, people)| SoftLabel { name, people }).collect();
        found.sort_by_key(|label| Reverse(label.people.len()));
        found
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{LabelId, Role, Span, Verdict, WorkState};
    use live::Work;

    use super::*;

    const PER: LabelId = LabelId(1);
    const ORG: LabelId = LabelId(2);

    fn labeler(state: WorkState, spans: &[Span]) -> Work {
        Work::of_labeler(state, DateTime::<Utc>::UNIX_EPOCH, spans.iter().copied())
    }

    #[test]
    fn nothing_is_said_by_those_who_are_not_done_and_by_reviewers() {
        let decision = domain::Decision {
            range: Range::new(8, 9),
            verdict: Verdict::Relabel,
            labels: LabelSet::one(ORG),
            decided_at: DateTime::<Utc>::UNIX_EPOCH,
            note: String::new(),
            answers: BTreeSet::new(),
        };
        let work = DocumentWork::from_iter([
            (MemberId(1), labeler(WorkState::Submitted, &[Span::new(0, 3, PER)])),
            (
                MemberId(2),
                labeler(WorkState::Submitted, &[Span::new(0, 3, PER), Span::new(0, 3, ORG)]),
            ),
            (MemberId(3), labeler(WorkState::Submitted, &[Span::new(4, 6, ORG)])),
            (MemberId(4), labeler(WorkState::Saved, &[Span::new(10, 12, ORG)])),
            (
                MemberId(5),
                Work::of_reviewer(WorkState::Submitted, DateTime::<Utc>::UNIX_EPOCH, [decision]),
            ),
        ]);
        let positions = soft_positions(&work);
        let ranges: Vec<_> = positions.iter().map(|position| position.range).collect();
        assert_eq!(ranges, [Range::new(0, 3), Range::new(4, 6)]);
        assert!(positions.iter().all(|it| it.said.len() == 3 && it.is_disputed()));
        let rater = |id, role| Rater { id: MemberId(id), name: format!("person {id}"), role };
        let raters: Vec<_> = (1..5).map(|id| rater(id, Role::Labeler)).collect();
        let names = SoftNames::of(&raters, &[], Filter::NONE);
        let [first, ..] = &positions[..] else { panic!("two positions") };
        // Without the labels' names the two sets are one judgement.
        let distribution = names.distribution(first);
        let found: Vec<_> =
            distribution.iter().map(|label| (label.name.as_str(), label.people.len())).collect();
        assert_eq!(found, [("", 2), ("∅", 1)]);
        assert_eq!(distribution[1].people, ["Labeler 3"]);
    }

    #[test]
    fn one_who_is_alone_is_no_dispute() {
        let work = DocumentWork::from_iter([(
            MemberId(1),
            labeler(WorkState::Submitted, &[Span::new(0, 3, PER)]),
        )]);
        let positions = soft_positions(&work);
        assert_eq!((positions.len(), positions[0].is_disputed()), (1, false));
    }
}
