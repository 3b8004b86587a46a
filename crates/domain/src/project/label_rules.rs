//! What is said of a label beyond its name, and what its spans may do with others.
//!
//! **The rule.** Two different spans that share a character lie to each other in exactly one of three
//! ways, and one limit each says whether they may:
//!
//! - *within*: the range of one holds the range of the other and is longer. Only the label of the inner
//!   span decides: it may lie in any span, or in those of chosen labels. (No label chosen: in none.)
//! - *same position*: the ranges are equal, so the labels differ. Both labels have to allow that they
//!   cross others.
//! - *crossing*: each has a character that the other has not. With the same label, the label has to
//!   allow that it crosses itself; with different ones, both have to allow that they cross others.
//!
//! Spans that share no character, also those that touch, are never in each other's way. What is allowed
//! is a property of two spans, so a set of spans breaks the rules in the same pairs in whatever order
//! they came.

use serde::{Deserialize, Serialize};

use crate::{Attribute, Code, Error, LabelId, Range, Span, check_name};

/// What a label's spans may do with other spans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub crosses_own: bool,
    /// Also: whether they may stand on the same position.
    pub crosses_others: bool,
    /// The labels in whose spans they may lie; none for any label.
    pub within: Option<Vec<LabelId>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { crosses_own: true, crosses_others: true, within: None }
    }
}

/// What is said of a label beyond its name, colour and hotkey.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelDetail {
    pub id: LabelId,
    /// The heading under which it stands; empty without one.
    pub group: String,
    /// What it means, with examples: Markdown, or safe HTML once it is to be shown.
    pub description: String,
    pub limits: Limits,
    /// In the order in which they were added.
    pub attributes: Vec<Attribute>,
}

impl LabelDetail {
    /// Checks and tidies what was typed.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.group = check_name("group", "a group's name", &self.group, 0..=64)?;
        let description = self.description.replace("\r\n", "\n");
        description.trim().clone_into(&mut self.description);
        if self.description.len() > 10_000 {
            let why = "a description has at most 10,000 bytes; put longer text in the guidelines";
            return Err(Code::TooLong.of("description", why));
        }
        if let Some(within) = &mut self.limits.within {
            within.sort_unstable();
            within.dedup();
        }
        Ok(self)
    }
}

/// Whether this range holds the other and is longer.
fn holds(outer: Range, inner: Range) -> bool {
    outer != inner && outer.start <= inner.start && inner.end <= outer.end
}

/// Whether there is anything that spans of these labels may not do.
pub fn are_limited(details: &[LabelDetail]) -> bool {
    let free = Limits::default();
    details.iter().any(|detail| detail.limits != free)
}

/// Whether two spans may both be there, by the rule of this file.
pub fn may_stand_together(details: &[LabelDetail], first: Span, second: Span) -> bool {
    if first == second || !first.range.overlaps(second.range) {
        return true;
    }
    let limits = |span: Span| details.iter().find(|it| it.id == span.label).map(|it| &it.limits);
    let lies_in = |inner: Span, outer: Span| {
        limits(inner)
            .and_then(|limits| limits.within.as_ref())
            .is_none_or(|within| within.contains(&outer.label))
    };
    if holds(first.range, second.range) {
        lies_in(second, first)
    } else if holds(second.range, first.range) {
        lies_in(first, second)
    } else if first.label == second.label {
        limits(first).is_none_or(|limits| limits.crosses_own)
    } else {
        let crosses = |span| limits(span).is_none_or(|limits| limits.crosses_others);
        crosses(first) && crosses(second)
    }
}

/// The first of these spans with which another may not be there.
pub fn in_the_way(
    details: &[LabelDetail],
    span: Span,
    others: &mut dyn Iterator<Item = Span>,
) -> Option<Span> {
    others.filter(|other| !may_stand_together(details, span, *other)).min()
}

/// Every two of these spans that may not be there together, the earlier span first, in order.
pub fn breaches(details: &[LabelDetail], mut spans: Vec<Span>) -> Vec<(Span, Span)> {
    spans.sort_unstable();
    spans.dedup();
    let mut found = Vec::new();
    for (index, span) in spans.iter().enumerate() {
        let after = spans.iter().skip(index + 1);
        let near = after.take_while(|other| other.range.start < span.range.end);
        found.extend(
            near.filter(|other| !may_stand_together(details, *span, **other))
                .map(|other| (*span, *other)),
        );
    }
    found
}

/// Of the spans to add those that may stand with those that are there, taken one after the other from
/// the beginning of the text: which are taken does not depend on the order in which they come.
pub fn fitting(details: &[LabelDetail], present: Vec<Span>, mut added: Vec<Span>) -> Vec<Span> {
    added.sort_unstable();
    let (mut all, there) = (present, added.len());
    let mut taken = Vec::with_capacity(there);
    for span in added {
        if in_the_way(details, span, &mut all.iter().copied()).is_none() {
            all.push(span);
            taken.push(span);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn detail(id: i64, limits: Limits) -> LabelDetail {
        LabelDetail { id: LabelId(id), limits, ..LabelDetail::default() }
    }

    fn details() -> Vec<LabelDetail> {
        vec![
            detail(1, Limits { crosses_own: false, crosses_others: false, within: Some(vec![]) }),
            detail(2, Limits { within: Some(vec![LabelId(2), LabelId(3)]), ..Limits::default() }),
            detail(3, Limits::default()),
        ]
    }

    fn may(first: (u32, u32, i64), second: (u32, u32, i64)) -> bool {
        let span = |(start, end, label)| Span::new(start, end, LabelId(label));
        may_stand_together(&details(), span(first), span(second))
    }

    #[test]
    fn crossing_asks_both_labels_and_the_own_one_for_itself() {
        assert!(!may((0, 5, 1), (3, 8, 1)));
        assert!(
            !may((0, 5, 1), (3, 8, 3)),
            "the one does not cross others, whatever the other says"
        );
        assert!(may((0, 5, 2), (3, 8, 3)) && may((0, 5, 2), (3, 8, 2)));
    }

    #[test]
    fn the_same_position_is_asked_of_both_labels() {
        assert!(!may((0, 5, 1), (0, 5, 3)));
        assert!(may((0, 5, 2), (0, 5, 3)));
    }

    #[test]
    fn the_inner_span_alone_decides_where_it_lies() {
        assert!(!may((0, 9, 3), (2, 4, 1)), "the inner one lies nowhere");
        assert!(
            may((0, 9, 1), (2, 4, 3)),
            "the outer one is not asked, although it crosses nothing"
        );
        assert!(
            may((0, 9, 3), (0, 4, 2)) && may((0, 9, 2), (5, 9, 2)),
            "with an end in common, too"
        );
        assert!(!may((0, 9, 1), (2, 4, 2)), "in chosen labels only");
    }

    #[test]
    fn spans_that_touch_are_in_nobodys_way() {
        assert!(may((0, 5, 1), (5, 8, 1)));
    }

    #[test]
    fn a_description_that_is_a_book_is_refused() {
        let long = LabelDetail { description: "a".repeat(10_001), ..LabelDetail::default() };
        assert!(
            matches!(long.checked(), Err(Error::Invalid { field, .. }) if field == "description")
        );
    }

    fn spans() -> impl Strategy<Value = Vec<Span>> {
        let span = (0..12_u32, 1..6_u32, 1..4_i64)
            .prop_map(|(start, length, label)| Span::new(start, start + length, LabelId(label)));
        prop::collection::vec(span, 0..14)
    }

    fn limits() -> impl Strategy<Value = Limits> {
        let within = prop::option::of(prop::collection::vec((1..4_i64).prop_map(LabelId), 0..3));
        (any::<bool>(), any::<bool>(), within).prop_map(|(crosses_own, crosses_others, within)| {
            Limits { crosses_own, crosses_others, within }
        })
    }

    proptest! {
        #[test]
        fn what_is_broken_does_not_depend_on_the_order_of_spans(
            spans in spans(), limits in prop::collection::vec(limits(), 3), turn in 0..14_usize,
        ) {
            let details: Vec<_> = (1..).zip(limits).map(|(id, limits)| detail(id, limits)).collect();
            let mut turned = spans.clone();
            turned.rotate_left(turn % spans.len().max(1));
            turned.reverse();
            let found = breaches(&details, spans.clone());
            prop_assert_eq!(&found, &breaches(&details, turned.clone()));
            // The sweep finds what comparing each with each finds.
            let mut each: Vec<_> = spans.iter().flat_map(|one| spans.iter().map(move |other| (*one, *other)))
                .filter(|(one, other)| one < other && !may_stand_together(&details, *one, *other))
                .collect();
            each.sort_unstable();
            each.dedup();
            prop_assert_eq!(&found, &each);
            for (one, other) in spans.iter().zip(&turned) {
                prop_assert_eq!(
                    may_stand_together(&details, *one, *other),
                    may_stand_together(&details, *other, *one)
                );
            }
        }

        #[test]
        fn what_is_taken_in_bulk_breaks_nothing_and_does_not_depend_on_the_order(
            present in spans(), added in spans(), limits in prop::collection::vec(limits(), 3),
        ) {
            let details: Vec<_> = (1..).zip(limits).map(|(id, limits)| detail(id, limits)).collect();
            let taken = fitting(&details, present.clone(), added.clone());
            let mut turned = added.clone();
            turned.reverse();
            prop_assert_eq!(&taken, &fitting(&details, present.clone(), turned));
            let all: Vec<_> = present.iter().chain(&taken).copied().collect();
            prop_assert_eq!(breaches(&details, all.clone()), breaches(&details, present));
            for left in added.iter().filter(|span| !taken.contains(span)) {
                prop_assert!(in_the_way(&details, *left, &mut all.iter().copied()).is_some());
            }
        }
    }
}
