//! What two raters said, position by position: what the tallies of a pair are the counts of.

use agreement::{align_overlapping, side_by_side};
use domain::{DocumentId, LabelSet, MemberId, Range, Switches, covered};

use super::{
    Tallies,
    narrowing::Counting,
    work::{NOTHING, Work},
};

/// A position that at least one of two raters judged; of overlapping spans, one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison<'a> {
    /// What the two have, and all that it covers.
    pub range: Range,
    pub first: Option<&'a LabelSet>,
    pub second: Option<&'a LabelSet>,
    /// Where each of the two has it, if that is not the same place.
    pub apart: Option<(Range, Range)>,
}

impl<'a> Comparison<'a> {
    /// The cell of the contingency table that the position is counted in; none where the switches
    /// leave it out.
    pub fn cell(self, switches: Switches) -> Option<(&'a LabelSet, &'a LabelSet)> {
        if switches.counts_one_sided() {
            Some((self.first.unwrap_or(&NOTHING), self.second.unwrap_or(&NOTHING)))
        } else {
            self.first.zip(self.second)
        }
    }
}

/// All positions that at least one of two judged, in order; none where too many spans overlap to pair them.
pub fn comparisons<'a>(
    first: &'a Work,
    second: &'a Work,
    counting: Counting,
) -> Vec<Comparison<'a>> {
    match counting {
        Counting::Exact | Counting::Tokens(_) => {
            side_by_side(&first.judgements, &second.judgements)
                .map(|(&range, first, second)| Comparison { range, first, second, apart: None })
                .collect()
        }
        Counting::Overlapping => overlapping(first, second),
    }
}

fn overlapping<'a>(first: &'a Work, second: &'a Work) -> Vec<Comparison<'a>> {
    let placed = |work: &'a Work| -> Vec<_> {
        let judged = work.judgements.iter();
        judged.map(|said| ((said.0.start.into(), said.0.end.into()), said)).collect()
    };
    let (first, second) = (placed(first), placed(second));
    // Where too many overlap to pair them, there is no value either.
    let partners = align_overlapping(&first, &second).unwrap_or_default().into_iter();
    let comparison = |(one, other): (Option<&(_, _)>, Option<&(_, _)>)| {
        let ranges = [one, other].into_iter().flatten().map(|(range, _): &(&Range, _)| **range);
        let apart = one.zip(other).map(|(one, other)| (*one.0, *other.0));
        Comparison {
            range: covered(&ranges.collect::<Vec<_>>()),
            first: one.map(|(_, labels)| *labels),
            second: other.map(|(_, labels)| *labels),
            apart: apart.filter(|(one, other)| one != other),
        }
    };
    let mut pairs: Vec<_> = partners.map(comparison).collect();
    pairs.sort_by_key(|pair| (pair.range, pair.apart));
    pairs
}

/// The documents that count for a pair, with both raters' work; none where these tallies are not of what
/// the switches show.
pub fn pair_documents(
    tallies: &Tallies,
    first: MemberId,
    second: MemberId,
    switches: Switches,
) -> impl Iterator<Item = (DocumentId, &Work, &Work)> {
    let documents = switches.counted_documents();
    let is_shown = tallies.are_of(switches);
    let counts = move |work: &Work| is_shown && work.counts(documents);
    tallies
        .shared_by(first, second)
        .filter(move |(_, first, second)| counts(first) && counts(second))
}
