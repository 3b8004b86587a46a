//! What is counted of one labeler with others, in batches. Pure.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use agreement::Contingency;
use domain::{DocumentId, LabelId, LabelSet, MemberId, OwnLabel, OwnValue, Role};
use serde::{Deserialize, Serialize};

/// With peers and with reviewers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    peers: Side,
    reviewers: Side,
}

/// What is shown, and what waits until there is enough of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Side {
    shown: Batch,
    waiting: Batch,
}

/// What was counted of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Batch {
    documents: BTreeSet<DocumentId>,
    /// In how many documents each of the others is in it.
    others: BTreeMap<MemberId, usize>,
    /// The labeler's labels, the other's, and on how many positions.
    cells: Vec<(LabelSet, LabelSet, u64)>,
}

impl Counts {
    /// Counts a document with one of the others. It waits until its batch is full.
    pub(super) fn add(
        &mut self,
        document: DocumentId,
        (other, role): (MemberId, Role),
        table: &Contingency<LabelSet>,
    ) {
        let side = if role == Role::Labeler { &mut self.peers } else { &mut self.reviewers };
        let one = Batch {
            documents: [document].into(),
            others: [(other, 1)].into(),
            cells: cells(table),
        };
        side.waiting.merge(one);
    }

    /// Shows what waits, where it is enough for a batch.
    pub(super) fn close(&mut self) {
        for side in [&mut self.peers, &mut self.reviewers] {
            let n = side.waiting.table().total();
            let enough = side.waiting.documents.len() >= OwnValue::FEWEST_DOCUMENTS;
            if enough && n >= OwnValue::FEWEST_POSITIONS {
                let mut full = std::mem::take(&mut side.waiting);
                // Which documents they were is no more needed.
                full.documents.clear();
                side.shown.merge(full);
            }
        }
    }

    /// What is shown of the agreement with peers: with one alone only what a manager has released.
    pub(super) fn with_peers(&self, is_released: bool) -> Option<OwnValue> {
        let is_of_one = self.peers.shown.is_of_one();
        (is_released || !is_of_one).then(|| self.peers.shown.value(is_of_one)).flatten()
    }

    /// What is shown of the agreement with reviewers, whose decisions are the standard and not
    /// somebody's part in it.
    pub(super) fn with_reviewers(&self) -> Option<OwnValue> {
        self.reviewers.shown.value(false)
    }
}

impl Batch {
    fn merge(&mut self, other: Self) {
        let mut table = self.table();
        table.merge(&other.table());
        self.cells = cells(&table);
        self.documents.extend(other.documents);
        for (member, documents) in other.others {
            *self.others.entry(member).or_default() += documents;
        }
    }

    fn table(&self) -> Contingency<LabelSet> {
        let mut table = Contingency::default();
        for (own, others, n) in &self.cells {
            table.add_count(own.clone(), others.clone(), *n);
        }
        table
    }

    /// Whether what was counted with others than the one with whom most was is below the floor by
    /// itself: it would be as good as that one's cell of the matrix.
    fn is_of_one(&self) -> bool {
        let most = self.others.values().max().copied().unwrap_or_default();
        self.others.values().sum::<usize>() - most < OwnValue::FEWEST_DOCUMENTS
    }

    fn value(&self, is_of_one_peer: bool) -> Option<OwnValue> {
        let table = self.table();
        let value = |result: Result<agreement::Coefficient, _>| result.ok().map(|it| it.value);
        (!table.is_empty()).then(|| {
            let kappa = value(agreement::cohen_kappa(&table));
            let alpha = value(agreement::krippendorff_alpha_nominal(&table));
            let labels = self.labels();
            OwnValue { labels, ..OwnValue::rounded(kappa, alpha, table.total(), is_of_one_peer) }
        })
    }

    /// The labels on which the others differed most, in an order that tells no more than the shares do.
    fn labels(&self) -> Vec<OwnLabel> {
        let mut counts: BTreeMap<LabelId, (u64, u64)> = BTreeMap::new();
        for (own, others, n) in &self.cells {
            for label in own.iter() {
                let (differs, of) = counts.entry(label).or_default();
                *of += n;
                *differs += if others.contains(label) { 0 } else { *n };
            }
        }
        let shares = counts.into_iter();
        let mut labels: Vec<_> = shares
            .filter_map(|(label, (differs, of))| OwnLabel::rounded(label, differs, of))
            .collect();
        labels.sort_by_key(|label| Reverse(label.tenths));
        labels.truncate(OwnLabel::MOST);
        labels
    }
}

fn cells(table: &Contingency<LabelSet>) -> Vec<(LabelSet, LabelSet, u64)> {
    table.cells().map(|(own, others, n)| (own.clone(), others.clone(), n)).collect()
}

#[cfg(test)]
mod tests {
    use domain::LabelId;

    use super::*;

    /// So many positions on which both said the same, half of them the one label.
    fn agreeing(n: u64) -> Contingency<LabelSet> {
        let mut table = Contingency::default();
        for (label, n) in [(1, n / 2), (2, n - n / 2)] {
            let set = LabelSet::one(LabelId(label));
            table.add_count(set.clone(), set, n);
        }
        table
    }

    /// Counts with these documents of each peer, each with so many positions.
    fn counted(peers: &[(i64, std::ops::Range<i64>, u64)]) -> Counts {
        let mut counts = Counts::default();
        for (peer, documents, n) in peers {
            for document in documents.clone() {
                let peer = (MemberId(*peer), Role::Labeler);
                counts.add(DocumentId(document), peer, &agreeing(*n));
                counts.close();
            }
        }
        counts
    }

    #[test]
    fn nothing_is_shown_of_fewer_documents_or_positions() {
        assert_eq!(counted(&[(1, 0..4, 100)]).with_peers(true), None, "four documents");
        assert_eq!(counted(&[(1, 0..7, 4)]).with_peers(true), None, "28 positions");
        assert_eq!(counted(&[(1, 0..5, 6)]).with_peers(true).unwrap().n, 30);
    }

    #[test]
    fn with_one_peer_nothing_is_shown_before_a_release() {
        let one = counted(&[(1, 0..50, 10)]);
        assert_eq!(one.with_peers(false), None);
        assert!(one.with_peers(true).is_some());
        // Four documents of another one hide nobody.
        assert_eq!(counted(&[(1, 0..50, 10), (2, 0..4, 10)]).with_peers(false), None);
        assert!(counted(&[(1, 0..50, 10), (2, 0..5, 10)]).with_peers(false).is_some());
        // Of many, each with one document, nobody stands out.
        let many: Vec<_> = (0..10).map(|peer| (peer, peer..peer + 1, 10)).collect();
        assert!(counted(&many).with_peers(false).is_some());
    }

    #[test]
    fn what_comes_later_is_shown_by_the_batch() {
        let shown = |documents| counted(&[(1, 0..documents, 10)]).with_peers(true).unwrap().n;
        assert_eq!([5, 6, 9, 10, 14, 30].map(shown), [30, 30, 30, 100, 100, 300]);
    }

    #[test]
    fn labels_on_which_others_differ_are_told_from_the_floor_on() {
        let mut counts = Counts::default();
        for document in 0..6 {
            let mut table = Contingency::default();
            for (own, other, n) in [(1, 1, 5), (1, 2, 5), (2, 2, 4), (3, 1, 6)] {
                let set = |label| LabelSet::one(LabelId(label));
                table.add_count(set(own), set(other), n);
            }
            for peer in 1..3 {
                counts.add(DocumentId(document), (MemberId(peer), Role::Labeler), &table);
            }
            counts.close();
        }
        let told = |value: OwnValue| -> Vec<_> {
            value.labels.iter().map(|it| (it.label.0, it.tenths)).collect()
        };
        // Five documents with two peers are shown: 60 positions of the third label, 40 of the second.
        assert_eq!(told(counts.with_peers(true).unwrap()), [(3, 10), (1, 5)]);
        let few = counted(&[(1, 0..5, 6)]).with_peers(true).unwrap();
        assert_eq!(few.n, 30);
        assert!(few.labels.is_empty());
    }

    #[test]
    fn what_is_counted_is_stored_and_read_again() {
        let counts = counted(&[(1, 0..7, 10), (2, 0..7, 10)]);
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(serde_json::from_str::<Counts>(&json).unwrap(), counts);
    }
}
