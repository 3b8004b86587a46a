//! `α_U` of documents laid end to end, and how much it moves when documents are drawn anew.

use std::collections::BTreeSet;

use super::differences::Group;
use super::parts::Parts;
use super::sums::{Stretches, unit_lengths};
use super::{check, groups_of, of_categories};
use crate::{Continuum, Graded, Undefined};

/// Documents that the same raters have marked, laid end to end as one continuum.
///
/// A rater without units in a document has read it and marked nothing: `α_U` knows no missing
/// ratings, so only documents that all of the raters have read can be joined. What is counted of a
/// document is counted once; a resample of documents adds the counts up.
///
/// # Example
/// Two documents are the continuum in which the second begins where the first one ends.
/// ```
/// use agreement::inference::{Level, Resampling, bootstrap};
/// use agreement::{Continuum, Unit, UnitizedDocuments, alpha_u};
///
/// let unit = |rater, start, length| Unit { rater, start, length, category: "NP" };
/// let first = Continuum::new(0, 20, 2, [unit(0, 2, 4), unit(1, 3, 4)])?;
/// let second = Continuum::new(0, 30, 2, [unit(0, 0, 5), unit(1, 0, 5)])?;
/// let units = [unit(0, 2, 4), unit(1, 3, 4), unit(0, 20, 5), unit(1, 20, 5)];
/// let joined = Continuum::new(0, 50, 2, units)?;
///
/// let documents = UnitizedDocuments::new(&[first, second])?;
/// assert_eq!(documents.alpha_u(&[1, 1])?, alpha_u(&joined)?);
/// let drawn = bootstrap(documents.len(), Resampling::default(), |times| {
///     Ok(documents.alpha_u(times)?.value)
/// })?;
/// assert_eq!(drawn.percentile(Level::P95).upper, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnitizedDocuments {
    raters: usize,
    documents: usize,
    categories: Vec<Category>,
}

/// One category in all documents.
#[derive(Clone, Debug)]
struct Category {
    /// Those that its units have, sorted.
    lengths: Vec<u64>,
    documents: Vec<Stretches>,
}

impl UnitizedDocuments {
    /// Counts documents, in order; where each begins does not matter.
    ///
    /// # Undefined when
    /// There are fewer than two raters, documents have different numbers of raters
    /// ([`Undefined::UnequalRatings`]), or a rater's units of one category overlap.
    pub fn new<C: Ord>(documents: &[Continuum<C>]) -> Result<Self, Undefined> {
        let raters = documents.first().map_or(0, Continuum::raters);
        if raters < 2 {
            return Err(Undefined::TooFewRaters);
        }
        for document in documents {
            if document.raters() != raters {
                return Err(Undefined::UnequalRatings);
            }
            check(document)?;
        }
        let categories: BTreeSet<&C> = documents.iter().flat_map(Continuum::categories).collect();
        let categories: Vec<&C> = categories.into_iter().collect();
        let mut groups: Vec<Vec<Group>> = categories.iter().map(|_| Vec::new()).collect();
        for document in documents {
            for (groups, group) in groups.iter_mut().zip(groups_of(document, &categories)) {
                groups.push(group);
            }
        }
        let categories: Option<Vec<_>> =
            groups.iter().map(|groups| Category::of(groups, documents)).collect();
        let categories = categories.ok_or(Undefined::TooLarge)?;
        Ok(Self { raters, documents: documents.len(), categories })
    }

    /// How many documents there are.
    pub const fn len(&self) -> usize {
        self.documents
    }

    /// Whether there is no document.
    pub const fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// `α_U` of the documents end to end, each so many times in a row: [`crate::alpha_u`] of that
    /// continuum, to the last bit.
    ///
    /// # Undefined when
    /// [`crate::alpha_u`] is.
    pub fn alpha_u(&self, times: &[u32]) -> Result<Graded, Undefined> {
        let parts = self.categories.iter().map(|category| {
            let stretches = category.documents.iter().zip(times.iter().copied());
            Parts::joined(&category.lengths, stretches, self.raters).ok_or(Undefined::TooLarge)
        });
        let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
        // A category that was not drawn is not there.
        parts.retain(|part| part.units > 0);
        of_categories(&parts)
    }
}

impl Category {
    fn of<C>(groups: &[Group], documents: &[Continuum<C>]) -> Option<Self> {
        let mut lengths: Vec<u64> = groups.iter().flat_map(unit_lengths).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let documents: Option<Vec<_>> = groups
            .iter()
            .zip(documents)
            .map(|(group, document)| Stretches::of(group, document.length(), &lengths))
            .collect();
        Some(Self { documents: documents?, lengths })
    }
}
