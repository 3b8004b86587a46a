//! What was read or computed of late, kept for who asks again.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The last few values, by what they are of; the one that nobody has asked for the longest goes first.
/// There are few of them, so they are looked through from end to end.
#[derive(Debug)]
pub struct Recent<K, V> {
    most: usize,
    entries: Mutex<Vec<(K, V)>>,
}

impl<K, V: Clone> Recent<K, V> {
    /// Nothing yet, and never more than so many.
    pub const fn of(most: usize) -> Self {
        Self { most, entries: Mutex::new(Vec::new()) }
    }

    /// The value whose key is such.
    pub fn find(&self, is_such: impl Fn(&K) -> bool) -> Option<V> {
        found(&mut self.entries(), is_such)
    }

    /// Keeps a value; those whose key is `over` go.
    pub fn keep(&self, key: K, value: V, over: impl Fn(&K) -> bool) {
        let mut entries = self.entries();
        entries.retain(|(key, _)| !over(key));
        self.push(&mut entries, key, value);
    }

    /// The value whose key is such, or else a new one, which is kept; those whose key is `over` go
    /// before that.
    pub fn find_or_keep(
        &self,
        over: impl Fn(&K) -> bool,
        is_such: impl Fn(&K) -> bool,
        new: impl FnOnce() -> (K, V),
    ) -> V {
        let mut entries = self.entries();
        entries.retain(|(key, _)| !over(key));
        found(&mut entries, is_such).unwrap_or_else(|| {
            let (key, value) = new();
            self.push(&mut entries, key, value.clone());
            value
        })
    }

    /// Drops or changes what there is.
    pub fn retain(&self, mut stays: impl FnMut(&K, &mut V) -> bool) {
        self.entries().retain_mut(|(key, value)| stays(key, value));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    fn push(&self, entries: &mut Vec<(K, V)>, key: K, value: V) {
        if entries.len() == self.most {
            entries.remove(0);
        }
        entries.push((key, value));
    }

    /// Nothing that is called while it is held panics, and what is left is sound at any point.
    fn entries(&self) -> MutexGuard<'_, Vec<(K, V)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Finds a value and moves it behind all others.
fn found<K, V: Clone>(entries: &mut Vec<(K, V)>, is_such: impl Fn(&K) -> bool) -> Option<V> {
    let place = entries.iter().position(|(key, _)| is_such(key))?;
    let entry = entries.remove(place);
    let value = entry.1.clone();
    entries.push(entry);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_asked_for_the_longest_goes_first() {
        let recent = Recent::of(3);
        for key in 0..3 {
            recent.keep(key, key * 10, |_| false);
        }
        assert_eq!(recent.find(|key| *key == 0), Some(0));
        recent.keep(3, 30, |_| false);
        let found: Vec<_> = (0..4).map(|wanted| recent.find(|key| *key == wanted)).collect();
        assert_eq!(found, [Some(0), None, Some(20), Some(30)]);
    }

    #[test]
    fn what_is_over_goes_and_what_is_there_is_not_made_again() {
        let recent = Recent::of(3);
        let ask = |over: u32| recent.find_or_keep(|key| *key == over, |_| true, || (7, over));
        assert_eq!((ask(1), ask(2)), (1, 1));
        assert_eq!((ask(7), ask(2)), (7, 7));
    }
}
