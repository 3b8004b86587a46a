//! What was counted of a whole project, remembered for as long as its tallies stay the same.

use std::sync::{Arc, Weak};

use domain::{MemberId, Role, Switches};
use live::{Recent, Tallies};

use crate::{Error, Result, base::categories::Categories};

/// As many answers are kept, whatever projects they are of: a few people on a few pages.
const KEPT: usize = 8;

/// What an answer depends on, besides the tallies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    pub(super) switches: Switches,
    pub(super) labels: Categories,
    pub(super) raters: Vec<(MemberId, Role)>,
}

/// The answers that are kept, by the tallies that they are of. These are never changed in place while
/// they are here, so an answer is right exactly as long as they are the same.
pub(crate) struct Remembered<T, Q = Question>(Arc<Answers<T, Q>>);

type Answers<T, Q> = Recent<(Weak<Tallies>, Q), Arc<T>>;

impl<T, Q> Default for Remembered<T, Q> {
    fn default() -> Self {
        Self::of(KEPT)
    }
}

impl<T, Q> Remembered<T, Q> {
    /// Nothing yet, and never more than so many answers.
    pub(crate) fn of(most: usize) -> Self {
        Self(Arc::new(Recent::of(most)))
    }
}

impl<T, Q: PartialEq> Remembered<T, Q> {
    /// What is known of these tallies.
    pub(crate) fn find(&self, tallies: &Arc<Tallies>, question: &Q) -> Option<Arc<T>> {
        let same = |of: &Weak<Tallies>| std::ptr::eq(of.as_ptr(), Arc::as_ptr(tallies));
        self.0.find(|(of, asked)| same(of) && asked == question)
    }

    /// Keeps an answer; answers of tallies that have moved on are dropped.
    fn keep(&self, tallies: &Arc<Tallies>, question: Q, answer: T) -> Arc<T> {
        let answer = Arc::new(answer);
        let key = (Arc::downgrade(tallies), question);
        self.0.keep(key, Arc::clone(&answer), |(of, _)| of.strong_count() == 0);
        answer
    }
}

impl<T, Q> Remembered<T, Q>
where
    T: Send + Sync + 'static,
    Q: PartialEq + Send + 'static,
{
    /// What is known of these tallies; else it is counted on a thread that may block, and kept, also when
    /// whoever asked has gone away.
    pub(crate) async fn find_or_count(
        &self,
        tallies: &Arc<Tallies>,
        question: Q,
        count: impl FnOnce(&Tallies, &Q) -> T + Send + 'static,
    ) -> Result<Arc<T>> {
        if let Some(known) = self.find(tallies, &question) {
            return Ok(known);
        }
        let (kept, tallies) = (Self(Arc::clone(&self.0)), Arc::clone(tallies));
        tokio::task::spawn_blocking(move || {
            let answer = count(&tallies, &question);
            kept.keep(&tallies, question, answer)
        })
        .await
        .map_err(Error::broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question { switches: Switches::default(), labels: Vec::new().into(), raters: Vec::new() }
    }

    #[test]
    fn an_answer_is_known_for_the_same_tallies_and_question_only() {
        let (remembered, tallies) = (Remembered::default(), Arc::new(Tallies::default()));
        remembered.keep(&tallies, question(), 7);
        assert_eq!(remembered.find(&tallies, &question()).as_deref(), Some(&7));
        let other = Question { raters: vec![(MemberId(1), Role::Labeler)], ..question() };
        assert_eq!(remembered.find(&tallies, &other), None);
        assert_eq!(remembered.find(&Arc::new(Tallies::default()), &question()), None);
    }

    #[test]
    fn a_change_in_place_forgets_the_answer() {
        let (remembered, mut tallies) = (Remembered::default(), Arc::new(Tallies::default()));
        remembered.keep(&tallies, question(), 7);
        Arc::make_mut(&mut tallies).revision = domain::Revision(7);
        assert_eq!(remembered.find(&tallies, &question()), None);
    }

    #[test]
    fn not_more_is_kept_than_there_is_room_for() {
        let remembered = Remembered::default();
        let all: Vec<_> = (0..=KEPT).map(|_| Arc::new(Tallies::default())).collect();
        for tallies in &all {
            remembered.keep(tallies, question(), 7);
        }
        assert_eq!(remembered.find(&all[0], &question()), None);
        assert!(remembered.find(&all[KEPT], &question()).is_some());
    }
}
