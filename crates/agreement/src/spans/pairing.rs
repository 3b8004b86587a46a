//! One-to-one partners among the positions of two raters, whatever makes two of them partners.

use crate::arithmetic::matching::{Graph, Weight};
use crate::side_by_side;

/// What one rater said about positions (start, end) of a document: sorted, each once.
pub type Positions<C> = [((u64, u64), C)];

/// A position with what was said there.
pub(super) type Placed<'a, C> = &'a ((u64, u64), C);

/// What both raters judged at exactly the same place, and what each of them judged elsewhere, in order.
pub(super) struct Split<'a, C> {
    pub(super) same: Vec<(&'a C, &'a C)>,
    pub(super) ours: Vec<Placed<'a, C>>,
    pub(super) theirs: Vec<Placed<'a, C>>,
}

impl<'a, C> Split<'a, C> {
    pub(super) fn of(first: &'a Positions<C>, second: &'a Positions<C>) -> Self {
        let mut split = Self { same: Vec::new(), ours: Vec::new(), theirs: Vec::new() };
        let keyed = |placed: Placed<'a, C>| (&placed.0, placed);
        for (_, one, other) in side_by_side(first.iter().map(keyed), second.iter().map(keyed)) {
            if let (Some(one), Some(other)) = (one, other) {
                split.same.push((&one.1, &other.1));
            } else {
                split.ours.extend(one);
                split.theirs.extend(other);
            }
        }
        split
    }
}

/// Finds partners among positions of which no two are the same, so that the sum of weights is the largest;
/// `weigh` gives for each of the first list its possible partners in the second, by place, with weights
/// above nothing. `say` is told what the two said. False, and nothing is said, where the search would go along more of
/// these pairs than there are `steps` left.
///
/// Where weights leave a choice it is made from these positions alone: the side with the first of them is
/// asked first, whichever rater that is, so their order never matters.
pub(super) fn find_partners<'a, C, W: Weight>(
    (ours, theirs): (&[Placed<'a, C>], &[Placed<'a, C>]),
    weigh: impl Fn(&[Placed<'a, C>], &[Placed<'a, C>]) -> Vec<Vec<(usize, W)>>,
    steps: &mut u64,
    mut say: impl FnMut(Option<&'a C>, Option<&'a C>),
) -> bool {
    let begin = |one: &[Placed<'_, C>]| one.first().map(|placed| placed.0);
    if begin(ours) <= begin(theirs) {
        ask((ours, theirs), weigh(ours, theirs), steps, say)
    } else {
        ask((theirs, ours), weigh(theirs, ours), steps, |theirs, ours| say(ours, theirs))
    }
}

fn ask<'a, C, W: Weight>(
    (left, right): (&[Placed<'a, C>], &[Placed<'a, C>]),
    edges: Vec<Vec<(usize, W)>>,
    steps: &mut u64,
    mut say: impl FnMut(Option<&'a C>, Option<&'a C>),
) -> bool {
    let graph = Graph { edges, right: right.len() };
    let Some(partners) = graph.heaviest_matching_within(steps) else { return false };
    let mut alone = vec![true; right.len()];
    for (span, partner) in left.iter().zip(partners) {
        let partner = partner.and_then(|place| right.get(place).zip(alone.get_mut(place)));
        say(Some(&span.1), partner.as_ref().map(|(partner, _)| &partner.1));
        if let Some((_, alone)) = partner {
            *alone = false;
        }
    }
    for (span, _) in right.iter().zip(alone).filter(|(_, alone)| *alone) {
        say(None, Some(&span.1));
    }
    true
}
