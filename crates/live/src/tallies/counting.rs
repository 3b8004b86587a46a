//! Counting everything at once: on all cores, and with numbers in place of sets of labels, which
//! would have to be compared and copied for each position of each pair.

use std::{
    collections::{BTreeMap, HashMap},
    panic::resume_unwind,
    thread,
};

use domain::{DocumentId, LabelSet, MemberId, Range, saturating};
use litemap::LiteMap;

use super::{
    narrowing::Counting,
    pairs::{Judged, PairTallies},
    several::SeveralTallies,
    work::DocumentWork,
};

/// Fewer documents are counted before a thread has started.
const WORTH_A_THREAD: usize = 16;

/// What is counted of pairs and of all labelers.
#[derive(Default)]
pub(crate) struct Counts {
    /// The rater with the lower id first; none of them empty.
    pub(crate) pairs: BTreeMap<(MemberId, MemberId), PairTallies>,
    pub(crate) several: SeveralTallies,
}

impl Counts {
    fn merge(&mut self, other: &Self) {
        for (pair, tallies) in &other.pairs {
            self.pairs.entry(*pair).or_default().merge(tallies);
        }
        let several = self.several.merge(&other.several);
        debug_assert!(several.is_ok(), "there is room for far more ratings than a database has");
    }
}

/// Counts documents, each with how that is done. Takes a thread that may block.
pub(crate) fn count(documents: &[(DocumentId, DocumentWork, Counting)]) -> Counts {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = documents.len().div_ceil(threads).max(WORTH_A_THREAD);
    let mut parts = documents.chunks(share);
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(|| count_part(part))).collect();
        let mut counts = count_part(first);
        for other in others {
            match other.join() {
                Ok(other) => counts.merge(&other),
                Err(panic) => resume_unwind(panic),
            }
        }
        counts
    })
}

fn count_part(documents: &[(DocumentId, DocumentWork, Counting)]) -> Counts {
    let mut codes = Codes::default();
    let empty = codes.code(&LabelSet::EMPTY);
    let mut pairs: BTreeMap<(MemberId, MemberId), PairTallies<u32>> = BTreeMap::new();
    let mut several = SeveralTallies::default();
    for (_, work, counting) in documents {
        let counted: Vec<(_, LiteMap<Range, u32>)> = work
            .iter()
            .map(|(rater, work)| {
                let judgements = work.judgements.iter();
                let by_range = judgements.map(|(range, labels)| (*range, codes.code(labels)));
                ((*rater, work.state), by_range.collect())
            })
            .collect();
        let judged: Vec<_> = counted
            .iter()
            .map(|((rater, state), judgements)| (*rater, Judged { state: *state, judgements }))
            .collect();
        for (index, first) in judged.iter().enumerate() {
            for second in judged.iter().skip(index + 1) {
                let contribution = PairTallies::judged(&first.1, &second.1, *counting, &empty);
                pairs.entry((first.0, second.0)).or_default().merge(&contribution);
            }
        }
        let room = several.merge(&SeveralTallies::of(work, *counting));
        debug_assert!(room.is_ok(), "there is room for far more ratings than a database has");
    }
    pairs.retain(|_, tallies| *tallies != PairTallies::default());
    let pairs = pairs.iter().map(|(pair, tallies)| (*pair, tallies.renamed(|&c| codes.set(c))));
    Counts { pairs: pairs.collect(), several }
}

/// Numbers that stand for sets of labels, in the order in which they were first seen.
#[derive(Default)]
struct Codes {
    codes: HashMap<LabelSet, u32>,
    sets: Vec<LabelSet>,
}

impl Codes {
    fn code(&mut self, set: &LabelSet) -> u32 {
        if let Some(code) = self.codes.get(set) {
            return *code;
        }
        let code = saturating::<u32>(self.sets.len());
        self.codes.insert(set.clone(), code);
        self.sets.push(set.clone());
        code
    }

    fn set(&self, code: u32) -> LabelSet {
        let place = usize::try_from(code).ok();
        place.and_then(|place| self.sets.get(place)).cloned().unwrap_or_default()
    }
}
