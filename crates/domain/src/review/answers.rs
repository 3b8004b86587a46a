//! What a reviewer answers where labelers have answered.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use crate::{Decision, Fact, LabelSet, MemberId, Range, Span};

/// An answer of a reviewer about a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecidedAnswer {
    pub answer: Fact,
    pub decided_at: DateTime<Utc>,
}

/// What a reviewer has decided: on a position, or about the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    Position(Decision),
    Document(DecidedAnswer),
}

impl Stand {
    /// The decision, if it is one on a position.
    pub const fn decision(&self) -> Option<&Decision> {
        match self {
            Self::Position(decision) => Some(decision),
            Self::Document(_) => None,
        }
    }

    /// The answer, if it is one about the document.
    pub const fn document(&self) -> Option<DecidedAnswer> {
        match self {
            Self::Position(_) => None,
            Self::Document(answer) => Some(*answer),
        }
    }

    /// Everything that it answers.
    pub fn answers(&self) -> impl Iterator<Item = Fact> {
        let (on_position, of_document) = match self {
            Self::Position(decision) => (Some(&decision.answers), None),
            Self::Document(answer) => (None, Some(answer.answer)),
        };
        on_position.into_iter().flatten().copied().chain(of_document)
    }
}

/// What labelers have on a position: who gave it which labels, and what was chosen.
#[derive(Clone, Copy, Debug)]
pub struct AtPosition<'a> {
    pub marked: &'a [(MemberId, LabelSet)],
    pub chosen: &'a [(MemberId, Fact)],
}

impl AtPosition<'_> {
    /// The answers that a decision for labels comes with, where the reviewer names none. A label that stood
    /// before keeps its own; to any other comes what everybody who gave it answered alike.
    pub fn answers(
        self,
        range: Range,
        labels: &LabelSet,
        before: Option<(&LabelSet, &BTreeSet<Fact>)>,
    ) -> BTreeSet<Fact> {
        let mut answers = BTreeSet::new();
        for label in labels.iter() {
            let span = Span { range, label };
            match before.filter(|(labels, _)| labels.contains(label)) {
                Some((_, own)) => answers.extend(own.iter().filter(|fact| fact.span == span)),
                None => answers.extend(self.alike(span)),
            }
        }
        answers
    }

    /// What everybody who has a span chose on it, each the same.
    fn alike(self, span: Span) -> impl Iterator<Item = Fact> {
        let mut givers = self.marked.iter().filter(move |(_, labels)| labels.contains(span.label));
        let first = givers.next().map(|(labeler, _)| *labeler);
        let others: Vec<MemberId> = givers.map(|(labeler, _)| *labeler).collect();
        let of = move |labeler: MemberId| {
            let own = self.chosen.iter().filter(move |(whose, _)| *whose == labeler);
            own.map(|(_, fact)| *fact).filter(move |fact| fact.span == span)
        };
        let of_first = first.into_iter().flat_map(of);
        of_first.filter(move |fact| others.iter().all(|other| of(*other).any(|it| it == *fact)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AttributeId, LabelId};

    const PER: LabelId = LabelId(1);
    const ORG: LabelId = LabelId(2);

    type Of<T> = Vec<(MemberId, T)>;

    fn given(answers: &[(&[LabelId], Option<u16>)]) -> (Of<LabelSet>, Of<Fact>) {
        let labelers = || (1..).map(MemberId).zip(answers);
        let marked = labelers()
            .map(|(labeler, (labels, _))| (labeler, labels.iter().copied().collect::<LabelSet>()));
        let chosen = labelers().filter_map(|(labeler, (_, number))| {
            Some((labeler, Fact::chosen(Span::new(0, 3, PER), AttributeId(1), (*number)?)))
        });
        (marked.collect(), chosen.collect())
    }

    fn taken(
        answers: &[(&[LabelId], Option<u16>)],
        before: Option<(&LabelSet, &BTreeSet<Fact>)>,
    ) -> Vec<u16> {
        let (marked, chosen) = given(answers);
        let labels = LabelSet::one(PER);
        let found = AtPosition { marked: &marked, chosen: &chosen }.answers(
            Range::new(0, 3),
            &labels,
            before,
        );
        found.iter().filter_map(|fact| fact.choice?.answer.single()).collect()
    }

    #[test]
    fn what_everybody_who_gave_the_label_answered_alike_is_taken_over() {
        assert_eq!(taken(&[(&[PER], Some(1)), (&[PER], Some(1))], None), [1]);
        assert_eq!(taken(&[(&[PER], Some(1)), (&[ORG], None)], None), [1]);
        assert!(taken(&[(&[PER], Some(1)), (&[PER], Some(2))], None).is_empty());
        assert!(taken(&[(&[PER], Some(1)), (&[PER], None)], None).is_empty());
        assert!(taken(&[(&[PER], None), (&[PER], Some(1))], None).is_empty());
        assert!(taken(&[(&[ORG], None)], None).is_empty());
    }

    #[test]
    fn a_label_that_stood_before_keeps_what_the_reviewer_answered() {
        let own = BTreeSet::from([Fact::chosen(Span::new(0, 3, PER), AttributeId(1), 7)]);
        let both = [(&[PER][..], Some(1)), (&[PER][..], Some(1))];
        let (per, org) = (LabelSet::one(PER), LabelSet::one(ORG));
        assert_eq!(taken(&both, Some((&per, &own))), [7]);
        assert!(taken(&both, Some((&per, &BTreeSet::new()))).is_empty());
        assert_eq!(taken(&both, Some((&org, &BTreeSet::new()))), [1]);
    }
}
