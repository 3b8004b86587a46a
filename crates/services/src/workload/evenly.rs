//! Who gets which documents, when each goes to a few labelers only.

use domain::{DocumentId, MemberId};

/// A labeler while assignments are given out.
struct Labeler {
    member: MemberId,
    /// Assignments so far.
    load: u64,
    /// Documents shared with each labeler, in this batch.
    shared: Vec<u32>,
}

/// A document that is given out, and who has it already.
pub(crate) struct Needs {
    pub(crate) document: DocumentId,
    pub(crate) has: Vec<MemberId>,
    /// How many labelers it is to have.
    pub(crate) overlap: usize,
}

/// Gives each document to as many labelers as asked for, those who have it among them: first to those with the fewest assignments,
/// among these to those who share the fewest documents with whoever has the document already, so
/// that every pair can be compared; then in the order of the members. The same call gives the
/// same answer.
pub(crate) fn plan(loads: &[(MemberId, u64)], documents: &[Needs]) -> Vec<(DocumentId, MemberId)> {
    let mut labelers: Vec<Labeler> = loads
        .iter()
        .map(|(member, load)| Labeler {
            member: *member,
            load: *load,
            shared: vec![0; loads.len()],
        })
        .collect();
    let mut plan = Vec::new();
    for Needs { document, has, overlap } in documents {
        let mut chosen: Vec<bool> =
            labelers.iter().map(|labeler| has.contains(&labeler.member)).collect();
        // How many documents each shares with the chosen.
        let mut beside = vec![0; labelers.len()];
        for (labeler, _) in labelers.iter().zip(&chosen).filter(|(_, chosen)| **chosen) {
            for (beside, shared) in beside.iter_mut().zip(&labeler.shared) {
                *beside += shared;
            }
        }
        for _ in has.len()..*overlap {
            let next = labelers
                .iter_mut()
                .zip(&mut chosen)
                .zip(&beside)
                .filter(|((_, chosen), _)| !**chosen)
                .min_by_key(|((labeler, _), beside)| (labeler.load, **beside));
            let Some(((labeler, chosen), _)) = next else { break };
            *chosen = true;
            labeler.load += 1;
            plan.push((*document, labeler.member));
            for (beside, shared) in beside.iter_mut().zip(&labeler.shared) {
                *beside += shared;
            }
        }
        for (labeler, _) in labelers.iter_mut().zip(&chosen).filter(|(_, chosen)| **chosen) {
            for (shared, chosen) in labeler.shared.iter_mut().zip(&chosen) {
                *shared += u32::from(*chosen);
            }
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn documents(n: i64, overlap: usize) -> Vec<Needs> {
        let needs = |id| Needs { document: DocumentId(id), has: Vec::new(), overlap };
        (1..=n).map(needs).collect()
    }

    fn by_document(plan: &[(DocumentId, MemberId)]) -> Vec<BTreeSet<MemberId>> {
        let mut sets: BTreeMap<DocumentId, BTreeSet<MemberId>> = BTreeMap::new();
        for (document, member) in plan {
            assert!(
                sets.entry(*document).or_default().insert(*member),
                "nobody gets two assignments of a document"
            );
        }
        sets.into_values().collect()
    }

    #[test]
    fn every_pair_of_labelers_shares_equally_many_documents() {
        let loads: Vec<_> = (1..=4).map(|n| (MemberId(n), 0)).collect();
        let mut pairs: BTreeMap<BTreeSet<MemberId>, u32> = BTreeMap::new();
        for pair in by_document(&plan(&loads, &documents(12, 2))) {
            *pairs.entry(pair).or_default() += 1;
        }
        assert_eq!(pairs.len(), 6);
        assert!(pairs.values().all(|documents| *documents == 2), "{pairs:?}");
    }

    #[test]
    fn whoever_has_fewer_assignments_comes_first() {
        let loads = [(MemberId(1), 3), (MemberId(2), 0), (MemberId(3), 1)];
        let given = plan(&loads, &documents(3, 1));
        let members: Vec<_> = given.iter().map(|(_, member)| member.0).collect();
        assert_eq!(members, [2, 2, 3]);
    }

    #[test]
    fn who_has_a_document_is_not_given_it_again() {
        let loads = [(MemberId(1), 0), (MemberId(2), 5), (MemberId(3), 9)];
        let needs = |has, overlap| [Needs { document: DocumentId(1), has, overlap }];
        let given = |has, overlap| plan(&loads, &needs(has, overlap));
        assert_eq!(given(vec![MemberId(1)], 2), [(DocumentId(1), MemberId(2))]);
        assert_eq!(given(vec![MemberId(1), MemberId(2)], 2), []);
        // Somebody who has left counts, too: their work is there.
        assert_eq!(given(vec![MemberId(8)], 2), [(DocumentId(1), MemberId(1))]);
    }

    proptest! {
        #[test]
        fn loads_never_differ_by_more_than_one(
            labelers in 1_i64..9, n in 0_i64..60, overlap in 1_usize..9,
        ) {
            let loads: Vec<_> = (1..=labelers).map(|n| (MemberId(n), 0)).collect();
            let overlap = overlap.min(loads.len());
            let given = plan(&loads, &documents(n, overlap));
            for set in by_document(&given) {
                prop_assert_eq!(set.len(), overlap);
            }
            let load = |(member, _): &(MemberId, u64)| {
                given.iter().filter(|(_, m)| m == member).count()
            };
            let most = loads.iter().map(load).max().unwrap();
            let fewest = loads.iter().map(load).min().unwrap();
            prop_assert!(most - fewest <= 1);
        }
    }
}
