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
    /// Per item, sorted: `rater * categories + category`.
    places: Vec<Vec<usize>>,
    /// How often each item counts; empty if each counts once.
    times: Vec<u64>,
}

impl<C: Ord + Clone> Votes<C> {
    /// The votes of so many raters: for each item, who (from 0) said what.
    pub fn from_items<V: IntoIterator<Item = (usize, C)>>(
        raters: usize,
        items: impl IntoIterator<Item = V>,
    ) -> Result<Self, StudyError> {
        let mut known: BTreeMap<C, usize> = BTreeMap::new();
        let mut by_item: Vec<Vec<(usize, usize)>> = Vec::new();
        for votes in items {
            let mut seen = Vec::new();
            for (rater, category) in votes {
                if rater >= raters {
                    return Err(StudyError::NoSuchRater { rater });
                }
                let next = known.len();
                seen.push((rater, *known.entry(category).or_insert(next)));
            }
            by_item.push(seen);
        }
        let mut sorted = vec![0; known.len()];
        for (rank, &seen) in known.values().enumerate() {
            if let Some(place) = sorted.get_mut(seen) {
                *place = rank;
            }
        }
        let place = |&(rater, seen): &(usize, usize)| {
            sorted.get(seen).map(|category| rater * sorted.len() + category)
        };
        let places = by_item.iter().map(|votes| in_order(votes.iter().filter_map(place)));
        Ok(Self {
            places: places.collect(),
            categories: known.into_keys().collect(),
            raters,
            times: Vec::new(),
        })
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
        self.places.len()
    }

    /// Who said what of an item, by rater.
    pub fn of_item(&self, item: usize) -> impl Iterator<Item = (usize, &C)> {
        self.places(item).iter().filter_map(|&place| {
            let category = self.categories.get(self.category(place))?;
            Some((self.rater(place), category))
        })
    }

    /// Whether there is no vote at all.
    pub fn is_empty(&self) -> bool {
        self.places.iter().all(Vec::is_empty)
    }

    /// The votes on an item, each by its place among all that a rater can say.
    pub(super) fn places(&self, item: usize) -> &[usize] {
        self.places.get(item).map_or(&[], Vec::as_slice)
    }

    /// Whose vote it is.
    pub(super) fn rater(&self, place: usize) -> usize {
        place.checked_div(self.categories.len()).unwrap_or(0)
    }

    /// What a vote is for.
    pub(super) fn category(&self, place: usize) -> usize {
        place.checked_rem(self.categories.len()).unwrap_or(0)
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
        let mut places = vec![Vec::new(); study.items()];
        for rater in 0..study.raters() {
            for (code, votes) in study.codes(rater).zip(&mut places) {
                let category = usize::try_from(code).ok().filter(|&code| code < categories.len());
                votes.extend(category.map(|category| rater * categories.len() + category));
            }
        }
        let times: Vec<u64> = (0..study.items()).map(|item| study.times(item)).collect();
        let is_plain = times.iter().all(|&count| count == 1);
        let times = if is_plain { Vec::new() } else { times };
        Self { categories, raters: study.raters(), places, times }
    }
}

fn in_order(places: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    places
}
