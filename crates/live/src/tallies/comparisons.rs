//! What two raters said, position by position: what the tallies of a pair are the counts of.

use agreement::side_by_side;
use domain::{DocumentId, LabelSet, MemberId, Range, Switches};

use super::{
    Tallies,
    work::{NOTHING, Work},
};

/// A position that at least one of two raters judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison<'a> {
    pub range: Range,
    pub first: Option<&'a LabelSet>,
    pub second: Option<&'a LabelSet>,
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

/// All positions that at least one of two judged, in order.
pub fn comparisons<'a>(first: &'a Work, second: &'a Work) -> Vec<Comparison<'a>> {
    side_by_side(&first.judgements, &second.judgements)
        .map(|(&range, first, second)| Comparison { range, first, second })
        .collect()
}

/// The documents that count for a pair, with both raters' work.
pub fn pair_documents(
    tallies: &Tallies,
    first: MemberId,
    second: MemberId,
    switches: Switches,
) -> impl Iterator<Item = (DocumentId, &Work, &Work)> {
    let documents = switches.counted_documents();
    let counts = move |work: &Work| work.counts(documents);
    tallies
        .shared_by(first, second)
        .filter(move |(_, first, second)| counts(first) && counts(second))
}
