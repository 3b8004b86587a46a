//! One-to-one partners among the positions of two raters, whatever makes two of them partners.

use crate::arithmetic::matching::Graph;
use crate::side_by_side;

/// What one rater said about positions (start, end) of a document: sorted, each once.
pub type Positions<C> = [((u64, u64), C)];

/// A position with what was said there.
pub(super) type Placed<'a, C> = &'a ((u64, u64), C);

/// Goes through the positions that at least one of two raters judged. What both judged at exactly the
/// same place is one position. Of the others, those of one side have their partners among those of the
/// other so that the sum of weights is the largest; `weigh` gives for each of the first list its
/// possible partners in the second, by place, with weights above 0. `say` is told what the two said.
///
/// Where that leaves a choice it is made from the positions alone: the side with the first of these
/// positions is asked first, whichever rater that is, so their order never matters.
pub(super) fn pair_up<'a, C>(
    first: &'a Positions<C>,
    second: &'a Positions<C>,
    weigh: impl Fn(&[Placed<'a, C>], &[Placed<'a, C>]) -> Vec<Vec<(usize, i64)>>,
    mut say: impl FnMut(Option<&'a C>, Option<&'a C>),
) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let keyed = |placed: Placed<'a, C>| (&placed.0, placed);
    for (_, one, other) in side_by_side(first.iter().map(keyed), second.iter().map(keyed)) {
        if let (Some(one), Some(other)) = (one, other) {
            say(Some(&one.1), Some(&other.1));
        } else {
            ours.extend(one);
            theirs.extend(other);
        }
    }
    let begins = |one: &[Placed<'_, C>], other: &[Placed<'_, C>]| {
        one.first().map(|span| span.0) <= other.first().map(|span| span.0)
    };
    if begins(&ours, &theirs) {
        find_partners(&ours, &theirs, weigh, say);
    } else {
        find_partners(&theirs, &ours, weigh, |theirs, ours| say(ours, theirs));
    }
}

fn find_partners<'a, C>(
    left: &[Placed<'a, C>],
    right: &[Placed<'a, C>],
    weigh: impl Fn(&[Placed<'a, C>], &[Placed<'a, C>]) -> Vec<Vec<(usize, i64)>>,
    mut say: impl FnMut(Option<&'a C>, Option<&'a C>),
) {
    let graph = Graph { edges: weigh(left, right), right: right.len() };
    let mut alone = vec![true; right.len()];
    for (span, partner) in left.iter().zip(graph.heaviest_matching()) {
        let partner = partner.and_then(|place| right.get(place).zip(alone.get_mut(place)));
        say(Some(&span.1), partner.as_ref().map(|(partner, _)| &partner.1));
        if let Some((_, alone)) = partner {
            *alone = false;
        }
    }
    for (span, _) in right.iter().zip(alone).filter(|(_, alone)| *alone) {
        say(None, Some(&span.1));
    }
}
