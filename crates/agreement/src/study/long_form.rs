//! The long form of a study: one line per rating, as (item, rater, category).

use std::collections::{BTreeMap, BTreeSet};

use super::ratings::code_of;
use super::{MISSING, Ratings, StudyError};

/// A study with the names of its items and raters.
///
/// ```
/// # use agreement::LongForm;
/// let lines = [(7, "Ann", "PER"), (7, "Bob", "PER"), (3, "Bob", "ORG")];
/// let LongForm { ratings, items, raters } = LongForm::from_ratings(lines)?;
/// assert_eq!((items, raters), (vec![3, 7], vec!["Ann", "Bob"]));
/// assert_eq!(ratings.rating(0, 0), None);
/// assert_eq!(ratings.rating(1, 0), Some(&"PER"));
/// # Ok::<(), agreement::StudyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongForm<I, R, C> {
    /// The study.
    pub ratings: Ratings<C>,
    /// The names of its items, sorted.
    pub items: Vec<I>,
    /// The names of its raters, sorted.
    pub raters: Vec<R>,
}

impl<I: Ord + Clone, R: Ord + Clone, C: Ord + Clone> LongForm<I, R, C> {
    /// A study from single ratings in any order.
    pub fn from_ratings(ratings: impl IntoIterator<Item = (I, R, C)>) -> Result<Self, StudyError> {
        let mut known = BTreeMap::new();
        let mut codes: BTreeMap<I, BTreeMap<R, u32>> = BTreeMap::new();
        let mut raters = BTreeSet::new();
        for (index, (item, rater, category)) in ratings.into_iter().enumerate() {
            let code = code_of(&mut known, category)?;
            raters.insert(rater.clone());
            if codes.entry(item).or_default().insert(rater, code).is_some() {
                return Err(StudyError::RatedTwice { rating: index });
            }
        }
        let mut by_item = Vec::new();
        for of_item in codes.values() {
            by_item.extend(raters.iter().map(|r| of_item.get(r).copied().unwrap_or(MISSING)));
        }
        let size = (codes.len(), raters.len());
        Ok(Self {
            ratings: Ratings::from_first_seen(known, &by_item, Vec::new(), size)?,
            items: codes.into_keys().collect(),
            raters: raters.into_iter().collect(),
        })
    }
}
