//! Who said what of which item.

use std::collections::BTreeMap;

use crate::{Ratings, StudyError};

/// The votes on each item. A vote is one judgement of a rater; a rater may have none on an item, or
/// several, as when an item is judged again after some time.
///
/// ```
/// # use agreement::consensus::Votes;
/// // Rater 0 has judged the first item twice.
/// let votes = Votes::from_items(2, [vec![(0, "a"), (0, "b"), (1, "b")], vec![(1, "a")]])?;
/// assert_eq!((votes.items(), votes.raters()), (2, 2));
/// assert_eq!(votes.categories(), ["a", "b"]);
/// assert_eq!(votes.of_item(0).collect::<Vec<_>>(), [(0, &"a"), (0, &"b"), (1, &"b")]);
/// # Ok::<(), agreement::StudyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Votes<C> {
    categories: Vec<C>,
    raters: usize,
    /// Per item, sorted.
    by_item: Vec<Vec<Vote>>,
    /// How often each item counts; empty if each counts once.
    times: Vec<u64>,
}

/// A vote: whose, and the place of its category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Vote {
    pub(super) rater: usize,
    pub(super) category: usize,
}

/// The most raters, of each of whom something is learned.
const MOST_RATERS: usize = 1 << 24;

impl<C: Ord + Clone> Votes<C> {
    /// The votes of so many raters: for each item, who (from 0) said what.
    ///
    /// An error if a vote is by nobody of them ([`StudyError::NoSuchRater`]), or if there are more than 2²⁴
    /// ([`StudyError::Full`]).
    pub fn from_items<V: IntoIterator<Item = (usize, C)>>(
        raters: usize,
        items: impl IntoIterator<Item = V>,
    ) -> Result<Self, StudyError> {
        if raters > MOST_RATERS {
            return Err(StudyError::Full);
        }
        let mut known: BTreeMap<C, usize> = BTreeMap::new();
        let mut by_item: Vec<Vec<Vote>> = Vec::new();
        for votes in items {
            let mut seen = Vec::new();
            for (rater, category) in votes {
                if rater >= raters {
                    return Err(StudyError::NoSuchRater { rater });
                }
                let next = known.len();
                let category = *known.entry(category).or_insert(next);
                seen.push(Vote { rater, category });
            }
            by_item.push(seen);
        }
        let mut sorted = vec![0; known.len()];
        for (rank, &seen) in known.values().enumerate() {
            if let Some(place) = sorted.get_mut(seen) {
                *place = rank;
            }
        }
        for votes in &mut by_item {
            for Vote { category, .. } in votes.iter_mut() {
                *category = sorted.get(*category).copied().unwrap_or(*category);
            }
            votes.sort_unstable();
        }
        Ok(Self { by_item, categories: known.into_keys().collect(), raters, times: Vec::new() })
    }

    /// The categories that occur or were declared, sorted.
    pub fn categories(&self) -> &[C] {
        &self.categories
    }

    /// How many raters there are.
    pub fn raters(&self) -> usize {
        self.raters
    }

    /// How many items (or patterns of items) there are.
    pub fn items(&self) -> usize {
        self.by_item.len()
    }

    /// Who said what of an item, by rater.
    pub fn of_item(&self, item: usize) -> impl Iterator<Item = (usize, &C)> {
        let of_vote = |vote: &Vote| Some((vote.rater, self.categories.get(vote.category)?));
        self.votes(item).iter().filter_map(of_vote)
    }

    /// Whether there is no vote at all.
    pub fn is_empty(&self) -> bool {
        self.by_item.iter().all(Vec::is_empty)
    }

    /// The votes on an item, by rater.
    pub(super) fn votes(&self, item: usize) -> &[Vote] {
        self.by_item.get(item).map_or(&[], Vec::as_slice)
    }

    /// How often an item counts.
    pub(super) fn times(&self, item: usize) -> u64 {
        self.times.get(item).copied().unwrap_or(1)
    }
}

/// The votes of a study, in which each rater has at most one on an item.
impl<C: Ord + Clone> From<&Ratings<C>> for Votes<C> {
    fn from(study: &Ratings<C>) -> Self {
        let categories = study.categories().to_vec();
        let mut by_item = vec![Vec::new(); study.items()];
        for rater in 0..study.raters() {
            for (code, votes) in study.codes(rater).zip(&mut by_item) {
                let category = usize::try_from(code).ok().filter(|&code| code < categories.len());
                votes.extend(category.map(|category| Vote { rater, category }));
            }
        }
        let times: Vec<u64> = (0..study.items()).map(|item| study.times(item)).collect();
        let is_plain = times.iter().all(|&count| count == 1);
        let times = if is_plain { Vec::new() } else { times };
        Self { categories, raters: study.raters(), by_item, times }
    }
}
