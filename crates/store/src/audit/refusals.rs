//! Refusals, counted in memory until they are noted: whoever is refused a thousand times makes no
//! writer wait, and no more rows than somebody who is refused once.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem::take,
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::{ProjectId, UserId};

use crate::{Db, Error, sql};

/// How many rows the refusals of one stretch of time make at most, of one person and of all.
const MOST_OF_ONE: usize = 20;
const MOST: usize = 200;

/// Who was refused what, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refused {
    /// None if it is not known who it was, or for the sum of what was too much to tell apart.
    pub user: Option<UserId>,
    pub project: Option<ProjectId>,
    /// What was refused; empty for the sum of what was too much to tell apart.
    pub what: String,
}

/// Refusals that are not noted yet.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<BTreeMap<Refused, u64>>);

impl Refusals {
    /// Counts a refusal. Beyond what is told apart, those of a person are summed up, then all.
    pub fn count(&self, refused: Refused) {
        self.add(refused, 1);
    }

    /// What was counted since the last time, each with how often.
    pub fn take(&self) -> BTreeMap<Refused, u64> {
        take(&mut *self.lock())
    }

    /// Takes back what could not be noted.
    pub fn give_back(&self, counted: BTreeMap<Refused, u64>) {
        for (refused, times) in counted {
            self.add(refused, times);
        }
    }

    fn add(&self, refused: Refused, times: u64) {
        let mut counted = self.lock();
        let sum = Refused { user: refused.user, ..Refused::default() };
        let own = counted.range(sum.clone()..).take_while(|(it, _)| it.user == sum.user);
        let of_one = own.filter(|(it, _)| **it != sum).take(MOST_OF_ONE).count();
        let has_room = counted.len() < MOST;
        let key = if counted.contains_key(&refused) || (has_room && of_one < MOST_OF_ONE) {
            refused
        } else if has_room || counted.contains_key(&sum) {
            sum
        } else {
            Refused::default()
        };
        let count = counted.entry(key).or_default();
        *count = count.saturating_add(times);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Refused, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which of these projects there are.
pub async fn known(
    db: &impl Db,
    projects: &BTreeSet<ProjectId>,
) -> Result<BTreeSet<ProjectId>, Error> {
    if projects.is_empty() {
        return Ok(BTreeSet::new());
    }
    let select =
        format!("SELECT id FROM project WHERE id IN ({})", sql::placeholders(projects.len()));
    let rows: Vec<(i64,)> =
        sql::tuples(db, &select, projects.iter().map(|project| project.0.into())).await?;
    Ok(rows.into_iter().map(|(id,)| ProjectId(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(user: i64, project: i64) -> Refused {
        let (user, project) = (Some(UserId(user)), Some(ProjectId(project)));
        Refused { user, project, what: "review".to_owned() }
    }

    #[test]
    fn the_same_refusal_is_one_row_with_a_count() {
        let refusals = Refusals::default();
        (0..1000).for_each(|_| refusals.count(refused(1, 2)));
        refusals.count(refused(2, 2));
        let counted: Vec<_> = refusals.take().into_iter().collect();
        assert_eq!(counted, [(refused(1, 2), 1000), (refused(2, 2), 1)]);
        assert!(refusals.take().is_empty());
    }

    #[test]
    fn nobody_makes_more_rows_than_a_few_and_no_refusal_is_forgotten() {
        let refusals = Refusals::default();
        (0..10_000).for_each(|project| refusals.count(refused(1, project)));
        let of_one = refusals.take();
        assert_eq!((of_one.len(), of_one.values().sum::<u64>()), (MOST_OF_ONE + 1, 10_000));

        for user in 0..1000 {
            (0..30).for_each(|project| refusals.count(refused(user, project)));
        }
        let of_all = refusals.take();
        assert!(of_all.len() <= MOST + 1, "{}", of_all.len());
        assert_eq!(of_all.values().sum::<u64>(), 30_000);
        refusals.give_back(of_all);
        assert_eq!(refusals.take().values().sum::<u64>(), 30_000);
    }
}
