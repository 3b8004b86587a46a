//! What the laws draw: changes of raters' work, and the rows that these leave in the end.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    Answer, AttributeId, DecidedAnswer, Decision, DocumentId, DocumentRatings, Fact, LabelId,
    LabelSet, MemberId, Range, RatedAssignment, RatedReview, Role, RoundId, Span, Verdict,
    WorkState,
};
use proptest::prelude::*;

use crate::Work;

pub(super) const SAVED_AT: DateTime<Utc> = DateTime::<Utc>::UNIX_EPOCH;

/// Two reviewers among six raters.
pub(super) const REVIEWERS: std::ops::Range<i64> = 4..6;

/// The question that is asked of documents.
pub(super) const OF_DOCUMENTS: AttributeId = AttributeId(3);

pub(super) fn state() -> impl Strategy<Value = WorkState> {
    prop_oneof![Just(WorkState::Saved), Just(WorkState::Submitted)]
}

pub(super) fn range() -> impl Strategy<Value = Range> {
    (0u32..6, 1u32..4).prop_map(|(start, length)| Range::new(start, start + length))
}

/// A save, submit, reopen or decision: the whole work of one rater on one document afterwards.
pub(super) fn change() -> impl Strategy<Value = (DocumentId, MemberId, Work)> {
    let answer = || {
        let one = (0..3_u16).prop_map(Answer::from);
        let several =
            prop::collection::vec(0..3_u16, 1..3).prop_map(|them| Answer::several(them).unwrap());
        prop_oneof![one, several]
    };
    let chosen = prop::option::of((question(), answer()));
    // What is asked of documents is asked of no label.
    let of_document = prop::option::of((Just(OF_DOCUMENTS), answer()));
    let labelled = prop::collection::btree_map(
        range(),
        (prop::collection::btree_set((1i64..4).prop_map(LabelId), 0..3), chosen),
        0..6,
    );
    let drawn = (0i64..3, 0i64..6, state(), labelled, of_document);
    drawn.prop_map(|(document, rater, state, labelled, of_document)| {
        let of_first =
            |range, labels: &BTreeSet<LabelId>, chosen: Option<(AttributeId, Answer)>| {
                let (label, (question, answer)) = labels.first().copied().zip(chosen)?;
                Some(Fact::chosen(Span { range, label }, question, answer))
            };
        let of_document =
            of_document.map(|(question, answer)| Fact::chosen(Span::DOCUMENT, question, answer));
        let work = if REVIEWERS.contains(&rater) {
            let decisions = labelled.into_iter().map(|(range, (labels, chosen))| {
                let answers = of_first(range, &labels, chosen).into_iter().collect();
                Decision { answers, ..decision(range, labels) }
            });
            let of_document =
                of_document.map(|answer| DecidedAnswer { answer, decided_at: SAVED_AT });
            Work::of_reviewer(state, SAVED_AT, decisions).answering(of_document)
        } else {
            let facts = labelled.into_iter().flat_map(|(range, (labels, chosen))| {
                let choice = of_first(range, &labels, chosen);
                let span = move |label| Fact::from(Span { range, label });
                labels.into_iter().map(span).chain(choice)
            });
            Work::of_labeler(state, SAVED_AT, facts.chain(of_document))
        };
        (DocumentId(document), MemberId(rater), work)
    })
}

pub(super) fn decision(range: Range, labels: impl IntoIterator<Item = LabelId>) -> Decision {
    let labels: LabelSet = labels.into_iter().collect();
    let verdict = if labels.is_empty() { Verdict::Reject } else { Verdict::Accept };
    let decided_at = DateTime::<Utc>::UNIX_EPOCH;
    let (note, answers) = (String::new(), BTreeSet::new());
    Decision { range, verdict, labels, decided_at, note, answers }
}

/// The rows that the database would hold after a history.
pub(super) fn rows(works: &BTreeMap<(DocumentId, MemberId), Work>) -> Vec<DocumentRatings> {
    let mut rows: BTreeMap<DocumentId, DocumentRatings> = BTreeMap::new();
    for ((document, member), work) in works {
        let (document, member) = (*document, *member);
        let (state, saved_at) = (work.state, work.saved_at);
        let row = rows.entry(document).or_insert_with(|| empty(document));
        if work.role == Role::Reviewer {
            let decisions =
                work.judgements.keys().map(|range| work.decision(*range).unwrap()).collect();
            let answers = work
                .answered
                .iter()
                .map(|(question, decided_at)| {
                    let number = work.choices.get(&(*question, Span::DOCUMENT.range)).unwrap();
                    let answer = Fact::chosen(Span::DOCUMENT, *question, *number);
                    DecidedAnswer { answer, decided_at: *decided_at }
                })
                .collect();
            row.reviews.push(RatedReview { member, state, saved_at, decisions, answers });
        } else {
            let spans = work
                .judgements
                .iter()
                .flat_map(|(range, labels)| {
                    labels.iter().map(|label| Span { range: *range, label })
                })
                .collect();
            let choice = |((attribute, range), answer): (&(AttributeId, Range), &Answer)| {
                let label = work.judgements.get(range).and_then(|labels| labels.iter().next());
                let span = label.map_or(Span::DOCUMENT, |label| Span { range: *range, label });
                Fact::chosen(span, *attribute, *answer)
            };
            let choices = work.choices.iter().map(choice).collect();
            row.assignments.push(RatedAssignment { member, state, saved_at, spans, choices });
        }
    }
    rows.into_values().collect()
}

/// What is asked of the spans of labels.
pub(super) fn question() -> impl Strategy<Value = AttributeId> {
    (1..3_i64).prop_map(AttributeId)
}

/// The same, or what is asked of documents.
pub(super) fn any_question() -> impl Strategy<Value = AttributeId> {
    (1..=OF_DOCUMENTS.0).prop_map(AttributeId)
}

/// A document that nobody has worked on.
pub(super) fn empty(document: DocumentId) -> DocumentRatings {
    DocumentRatings {
        document,
        round: RoundId(1),
        characters: 100,
        assignments: Vec::new(),
        reviews: Vec::new(),
    }
}
